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
import { HOUR_MS, MINUTE_MS } from "../core/policy.ts";
import { isUnderWay } from "../core/time.ts";

/** Setting with the hash of the merchant's secret, which itself is not stored (contract §16). */
export const DESK_SECRET_SETTING = "desk.secret_hash";
/** Setting with the hashes of open sessions and of the sign-in link. */
export const DESK_ACCESS_SETTING = "desk.access";

/** Hash of a token, and its expiry. */
export interface TimedToken {
  hash: string;
  until: number;
}

/** How long a sign-in link works. */
export const DESK_LINK_MS = 15 * MINUTE_MS;

export const isLinkOpen = ({ until }: TimedToken, now: number): boolean =>
  isUnderWay(until, DESK_LINK_MS, now);

/** A session, with the name of the person who signed in. */
export interface DeskSession extends TimedToken {
  name?: string;
}

/** `key`: fingerprint of the secret at that time. A new secret ends the link. */
export interface MailedLink extends TimedToken {
  key?: string;
}

export interface DeskAccess {
  /** The newest printed link, until it is used. */
  link: TimedToken | null;
  /** The link that was mailed to the merchant, until it is used. */
  mailed?: MailedLink | null;
  sessions: DeskSession[];
}

export const readAccess = (value: string | undefined): DeskAccess =>
  value === undefined ? { link: null, sessions: [] } : JSON.parse(value);

/** Most sessions at once; the oldest ends. */
const MOST_SESSIONS = 50;

const known = () => [lock("settings", { name: [DESK_SECRET_SETTING, DESK_ACCESS_SETTING] })];

const change = (s: State, part: Partial<DeskAccess>): Write => {
  const access = { ...readAccess(settingIn(s, DESK_ACCESS_SETTING)), ...part };
  return setSetting(s, DESK_ACCESS_SETTING, JSON.stringify(access));
};

interface DeskLink {
  link: TimedToken;
  /** Hash of a new secret that nobody sees, from which sessions and links derive; null to keep the old. */
  secretHash: string | null;
}

/** Stores the first start's link. False for a second process, which drops its own. */
export const firstDeskLink: Rule<DeskLink & { secretHash: string }, boolean> = {
  reads: known,
  decide(c, s) {
    if (settingIn(s, DESK_SECRET_SETTING) !== undefined) return { reply: false, writes: [] };
    const writes = [setSetting(s, DESK_SECRET_SETTING, c.secretHash), change(s, { link: c.link })];
    return { reply: true, writes };
  },
};

/** Replaces the sign-in link. `renew` also replaces the secret and ends all sessions. */
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

/**
 * Stores the link to mail, or forgets one that was not sent. False while another one is open: strangers may
 * ask for it too, and must not end one that the merchant waits for.
 */
export const mailDeskLink: Rule<MerchantAct & { mailed: MailedLink | null }, boolean> = {
  reads: known,
  decide(c, s) {
    const { mailed } = readAccess(settingIn(s, DESK_ACCESS_SETTING));
    const isSameSecret = mailed?.key === c.mailed?.key;
    if (c.mailed && mailed && isSameSecret && isLinkOpen(mailed, c.now)) {
      return { reply: false, writes: [] };
    }
    const writes = [change(s, { mailed: c.mailed })];
    if (c.mailed) writes.push(audited(c, "desk.mail-link", "desk"));
    return { reply: true, writes };
  },
};

interface SignIn extends MerchantAct {
  session: DeskSession;
  /** Hash of the followed link, which works once; null if the secret was typed. */
  link: string | null;
}

/** Opens a session, and logs it so that the owner notices strangers. False for a bad link. */
export const enterDesk: Rule<SignIn, boolean> = {
  reads: known,
  decide(c, s) {
    const { sessions, ...links } = readAccess(settingIn(s, DESK_ACCESS_SETTING));
    const followed = (["link", "mailed"] as const).find((kind) => links[kind]?.hash === c.link);
    const good = c.link === null || (followed && isLinkOpen(links[followed]!, c.now));
    if (!good) return { reply: false, writes: [] };
    const open = sessions.filter(({ until }) => until > c.now).slice(1 - MOST_SESSIONS);
    return {
      reply: true,
      writes: [
        change(s, {
          sessions: [...open, c.session],
          ...(followed && { [followed]: null }),
        }),
        audited(c, "desk.sign-in", "desk"),
      ],
    };
  },
};

/** Ends one session, or all without one. */
export const leaveDesk = writeRule<MerchantAct & { session: string | null }>({
  reads: known,
  writes(c, s) {
    const { sessions } = readAccess(settingIn(s, DESK_ACCESS_SETTING));
    const left = c.session === null ? [] : sessions.filter(({ hash }) => hash !== c.session);
    const act = c.session === null ? "desk.sign-out-everywhere" : "desk.sign-out";
    return [change(s, { sessions: left }), audited(c, act, "desk")];
  },
});

/** Refusals of one hour in this process. */
export interface RefusalCount {
  since: number;
  count: number;
}

/** Counts a refusal. `logged` is set for the 1st, 10th, 100th … of an hour, which are logged. */
export function countRefusal({ since, count }: RefusalCount, now: number) {
  const next = now - since >= HOUR_MS ? { since: now, count: 1 } : { since, count: count + 1 };
  return { ...next, logged: /^10*$/.test(String(next.count)) };
}

export const recordDeskRefusals = writeRule<MerchantAct & { count: number }>({
  reads: () => [],
  writes(c) {
    const detail = { refused_within_the_hour: c.count };
    return [audited(c, "desk.sign-in-refused", "desk", detail)];
  },
});
