import { lock, put, type Rule, update, writeRule } from "./command.ts";
import { decimal } from "./fields.ts";
import { widerNetwork } from "./network.ts";
import { LIMITS } from "./policy.ts";
import { isUnderWay } from "./time.ts";

/** A number of points in a window of seconds (contract §14). */
export interface Limit {
  /** The narrowest subject that it counts for. Its address and its network pay as well. */
  per: "key" | "link" | "mailbox" | "address";
  points: number;
  seconds: number;
  /** Unit, unless points are requests. */
  counts?: "bytes" | "buyers" | "letters";
  /** Only the narrowest subject pays. Counted in the database, across instances. */
  alone?: true;
}

const MINUTE = 60;
const DAY = 86_400;

export const LIMIT_TABLE = {
  /** Every request takes a point; calls take more by their work. A checkout page counts as a key. */
  requests: { per: "key", points: 120, seconds: MINUTE },
  /** Data that a caller makes the shop store. */
  bytes: { per: "key", points: 4 * 1024 * 1024, seconds: DAY, counts: "bytes" },
  /**
   * Different buyers quoted with a code, or typed on checkouts' pages, where a code may follow: the price reveals
   * whether they have bought here.
   */
  buyers: { per: "key", points: 32, seconds: DAY, counts: "buyers" },
  /** Letters that a caller causes for nothing: feedback, leads, and the first to somebody on a waitlist. */
  messages: { per: "key", points: 10, seconds: DAY, counts: "letters" },
  /** Buttons of one order's page. Each may call the provider, and the page reads all attempts to pay. */
  presses: { per: "link", points: 60, seconds: DAY },
  /** Searches for an order's page. Counted by asker only, so that a stranger's tries lock no buyer out. */
  find_order: { per: "address", points: 20, seconds: DAY },
  /** Wrong secrets of the desk. */
  sign_in: { per: "address", points: 5, seconds: MINUTE },
  /** Letters about orders that cost money; those that anybody can cause for nothing are fewer. */
  letters: { per: "mailbox", points: 100, seconds: DAY, counts: "letters", alone: true },
  free_letters: { per: "mailbox", points: 10, seconds: DAY, counts: "letters", alone: true },
  /** Letters that ask to confirm an address, for each coffee. */
  confirm_letters: { per: "mailbox", points: 1, seconds: DAY, counts: "letters", alone: true },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMIT_TABLE;

/** An installation's limits, or null for none. */
export type RateLimits = Readonly<Record<LimitName, Limit>> | null;

/** Points of a call, by limit. */
export type Cost = Partial<Record<LimitName, number>>;

/** A key, link or mailbox, if there is one, inside an address, inside a network. */
export interface LimitedCaller {
  own?: string | undefined;
  /** See clientNetwork. */
  address: string;
}

/** How much more a wider subject may do, because many people may share an address. */
const SHARES = { own: 1, address: 16, network: 64 } as const;

type Level = keyof typeof SHARES;

/** Levels that a limit counts. */
export const levelsOf = ({ per, alone }: Limit): Level[] =>
  alone ? ["own"] : per === "address" ? ["address", "network"] : ["own", "address", "network"];

/** Points of each subject at a level. */
export const pointsAt = ({ per, points }: Limit, level: Level): number =>
  (points * SHARES[level]) / (per === "address" ? SHARES.address : 1);

/** The caller's subject at a level; undefined if it is none, or the one before again. */
export function subjectAt({ own, address }: LimitedCaller, level: Level): string | undefined {
  if (level === "own") return own;
  if (level === "address") return address;
  const network = widerNetwork(address);
  return network === address ? undefined : network;
}

/** A smaller budget would refuse the largest request forever. Its rows have up to three times its bytes. */
const leastOf = ({ counts }: Limit): number => (counts === "bytes" ? 4 * LIMITS.body_bytes : 1);
const MOST_POINTS = 1_000_000_000;

/** Reads RATE_LIMITS: "on", "off" or new numbers by name ("requests=600"). Windows and shares stay. */
export function readRateLimits(text: string): { limits: RateLimits } | { problem: string } {
  if (text === "off") return { limits: null };
  const limits: Record<LimitName, Limit> = { ...LIMIT_TABLE };
  if (text === "on") return { limits };
  for (const part of text.split(",").map((one) => one.trim())) {
    const [, name = "", number = ""] = /^([a-z_]+)=(\d{1,10})$/.exec(part) ?? [];
    const points = decimal(number);
    if (points === null || !Object.hasOwn(limits, name)) {
      const known = Object.keys(limits).join(", ");
      return { problem: `must be on, off, or name=number, not "${part}". Names: ${known}` };
    }
    const limit = limits[name as LimitName];
    if (points < leastOf(limit) || points > MOST_POINTS) {
      return {
        problem: `must have ${name} from ${leastOf(limit)} to ${MOST_POINTS}, not ${points}`,
      };
    }
    limits[name as LimitName] = { ...limit, points };
  }
  return { limits };
}

export const PURCHASE_LIMITS: readonly LimitName[] = ["requests", "bytes"];
/** The same without a key. */
export const KEYLESS_LIMITS: readonly LimitName[] = ["requests"];

/** Limits in words, such as "120 per minute per key, 1920 per address, 7680 per network". */
export function publishedLimits(
  limits: RateLimits,
  names: readonly LimitName[] = Object.keys(LIMIT_TABLE) as LimitName[],
): Record<string, string> {
  const words: Record<number, string> = { [MINUTE]: "minute", [DAY]: "day" };
  return Object.fromEntries(
    names.map((name) => {
      if (limits === null) return [name, "not limited"];
      const limit = limits[name];
      const { per, seconds, counts } = limit;
      const each = levelsOf(limit).map((level, i) => {
        const amount = `${pointsAt(limit, level)}${counts && i === 0 ? ` ${counts}` : ""}`;
        return `${amount}${i === 0 ? ` per ${words[seconds]}` : ""} per ${level === "own" ? per : level}`;
      });
      return [name, each.join(", ")];
    }),
  );
}

export interface LimiterAnswer {
  allowed: boolean;
  remaining: number;
  /** Milliseconds until the window ends. */
  resetMs: number;
}

/** The points that one subject has used, until `ends_at`. A window begins with its first use. */
export interface Window {
  used: number;
  ends_at: number;
}

interface Take {
  points: number;
  seconds: number;
  now: number;
  /** Takes the points even beyond the limit. */
  forced?: boolean;
}

/** Takes points from a window, or from a new one after it has ended. A refusal takes none. */
export function take(
  window: Window | undefined,
  wanted: number,
  { points, seconds, now, forced = false }: Take,
): { window: Window; answer: LimiterAnswer } {
  const isOpen = window && isUnderWay(window.ends_at, seconds * 1000, now);
  const { used, ends_at } = isOpen ? window : { used: 0, ends_at: now + seconds * 1000 };
  const allowed = forced || used + wanted <= points;
  const after = { used: allowed ? used + wanted : used, ends_at };
  const remaining = Math.max(0, points - after.used);
  return { window: after, answer: { allowed, remaining, resetMs: ends_at - now } };
}

/** A limit that every instance on one database shares: letters to a mailbox. */
interface CountedUse {
  now: number;
  name: string;
  /** Pseudonym of a mailbox, which only this installation can compute. */
  subject: string;
}

interface TakePoints extends CountedUse {
  wanted: number;
  points: number;
  seconds: number;
}

const counted = ({ name, subject }: CountedUse) => [lock("rate_limits", { name, subject })];

export const takePoints: Rule<TakePoints, LimiterAnswer> = {
  reads: counted,
  decide({ name, subject, wanted, ...limit }, { rate_limits: [row] }) {
    const { window, answer } = take(row, wanted, limit);
    const writes = answer.allowed
      ? [put("rate_limits", row, { name, subject }, { ...window })]
      : [];
    return { reply: answer, writes };
  },
};

/** Returns one point after the action it paid for has failed. */
export const returnPoint = writeRule<CountedUse>({
  reads: counted,
  writes: ({ now, name, subject }, { rate_limits: [row] }) =>
    row && row.used > 0 && row.ends_at > now
      ? [update("rate_limits", { name, subject }, { used: row.used - 1 })]
      : [],
});
