import { audited, type MerchantAct } from "../core/audit.ts";
import {
  lock,
  type Rule,
  type State,
  setSetting,
  settingIn,
  type Write,
  writeRule,
} from "../core/command.ts";
import { HOUR_MS } from "../core/policy.ts";

/** Where the hash of the merchant's secret is kept; the secret itself is nowhere (contract §16). */
export const DESK_SECRET_SETTING = "desk.secret_hash";
/** Where the open sessions and the sign-in link are kept, as hashes. */
export const DESK_ACCESS_SETTING = "desk.access";

/** A token by its hash, and until when it is good. */
export interface TimedToken {
  hash: string;
  until: number;
}

export interface DeskAccess {
  /** The newest link, while it was not used. */
  link: TimedToken | null;
  sessions: TimedToken[];
}

export const readAccess = (value: string | undefined): DeskAccess =>
  value === undefined ? { link: null, sessions: [] } : JSON.parse(value);

/** Sessions at one desk at the same time; the oldest has to sign in again. */
const MOST_SESSIONS = 50;

const known = () => [lock("settings", { name: [DESK_SECRET_SETTING, DESK_ACCESS_SETTING] })];

const change = (s: State, part: Partial<DeskAccess>): Write => {
  const access = { ...readAccess(settingIn(s, DESK_ACCESS_SETTING)), ...part };
  return setSetting(s, DESK_ACCESS_SETTING, JSON.stringify(access));
};

interface DeskLink {
  link: TimedToken;
  /**
   * Of a secret that is never shown, where there was none: sessions and links are derived from it.
   */
  secretHash: string | null;
}

/** The first start's link stays: the second process is told false, and throws its own away. */
export const firstDeskLink: Rule<DeskLink & { secretHash: string }, boolean> = {
  reads: known,
  decide(c, s) {
    if (settingIn(s, DESK_SECRET_SETTING) !== undefined) return { reply: false, writes: [] };
    const writes = [setSetting(s, DESK_SECRET_SETTING, c.secretHash), change(s, { link: c.link })];
    return { reply: true, writes };
  },
};

/**
 * Another link; the one before it is good for nothing any more. `renew`: the merchant fears that
 * somebody else knows the secret, so there is a new one, and everybody is out.
 */
export const newDeskLink = writeRule<DeskLink & MerchantAct & { renew: boolean }>({
  reads: known,
  writes(c, s) {
    const wanted = c.renew || settingIn(s, DESK_SECRET_SETTING) === undefined;
    return [
      ...(wanted && c.secretHash ? [setSetting(s, DESK_SECRET_SETTING, c.secretHash)] : []),
      change(s, { link: c.link, ...(c.renew && { sessions: [] }) }),
      audited(c, c.renew ? "desk.renew" : "desk.link", "desk"),
    ];
  },
});

interface SignIn extends MerchantAct {
  session: TimedToken;
  /** Hash of the link that was followed, which is then used up; null for who typed the secret. */
  link: string | null;
}

/** Somebody comes in, and an owner who did not is to see that. False where the link is not good. */
export const enterDesk: Rule<SignIn, boolean> = {
  reads: known,
  decide(c, s) {
    const { link, sessions } = readAccess(settingIn(s, DESK_ACCESS_SETTING));
    const good = c.link === null || (link?.hash === c.link && link.until > c.now);
    if (!good) return { reply: false, writes: [] };
    const open = sessions.filter(({ until }) => until > c.now).slice(1 - MOST_SESSIONS);
    return {
      reply: true,
      writes: [
        change(s, {
          sessions: [...open, c.session],
          ...(c.link !== null && { link: null }),
        }),
        audited(c, "desk.sign-in", "desk"),
      ],
    };
  },
};

/** One session ends for good, or all of them where none is named. */
export const leaveDesk = writeRule<MerchantAct & { session: string | null }>({
  reads: known,
  writes(c, s) {
    const { sessions } = readAccess(settingIn(s, DESK_ACCESS_SETTING));
    const left = c.session === null ? [] : sessions.filter(({ hash }) => hash !== c.session);
    const act = c.session === null ? "desk.sign-out-everywhere" : "desk.sign-out";
    return [change(s, { sessions: left }), audited(c, act, "desk")];
  },
});

/** Refusals of one hour, as one process counts them. */
export interface RefusalCount {
  since: number;
  count: number;
}

/**
 * One more refusal, and whether it is to be told: the first, the tenth, the hundredth of an hour are
 * entries of the log, enough for a merchant to see it and too few to fill anything.
 */
export function countRefusal({ since, count }: RefusalCount, now: number) {
  const next = now - since >= HOUR_MS ? { since: now, count: 1 } : { since, count: count + 1 };
  return { ...next, told: /^10*$/.test(String(next.count)) };
}

export const recordDeskRefusals = writeRule<MerchantAct & { count: number }>({
  reads: () => [],
  writes(c) {
    const detail = { refused_within_the_hour: c.count };
    return [audited(c, "desk.sign-in-refused", "desk", detail)];
  },
});
