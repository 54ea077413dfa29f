import { createHmac } from "node:crypto";
import type { Actor } from "../core/admin-verb.ts";
import { illegalStep } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { derivedKey, newId, newKey, sameText } from "../core/ids.ts";
import { MailFailed } from "../core/letter.ts";
import { DAY_MS, HOUR_MS } from "../core/policy.ts";
import type { mailVerbs } from "../mail/mail-verbs.ts";
import type { Context } from "../payments/provider.ts";
import {
  countRefusal,
  DESK_ACCESS_SETTING,
  DESK_LINK_MS,
  DESK_SECRET_SETTING,
  enterDesk,
  firstDeskLink,
  isLinkOpen,
  leaveDesk,
  type MailedLink,
  mailDeskLink,
  newDeskLink,
  type RefusalCount,
  readAccess,
  recordDeskRefusals,
} from "./access.ts";

const NAME_CHARACTERS = 60;

/** The name as the log shows it, in one line. */
const nameIn = (typed: string): string =>
  typed.replace(/\p{C}/gu, "").replace(/\s+/g, " ").trim().slice(0, NAME_CHARACTERS).toWellFormed();

const actorOf = (name: string): Actor => (name === "" ? "desk" : `desk:${name}`);

/** How long a device stays signed in. */
export const DESK_STAYS_MS = {
  day: 12 * HOUR_MS,
  week: 7 * DAY_MS,
  month: 30 * DAY_MS,
} as const;

export type DeskStay = keyof typeof DESK_STAYS_MS;

/**
 * Sign-in at the desk with MERCHANT_SECRET or a link from the command line (contract §15, §16). The
 * database stores only a hash of a session's random token, so a copy of it opens nothing. The hash is keyed
 * by the current secret, so another secret ends sessions and links.
 */
export function deskVerbs(
  { store, clock, secret: installation, merchantSecret, baseUrl }: Context,
  mail: Pick<ReturnType<typeof mailVerbs>, "sendSignIn">,
) {
  const inForce = async (): Promise<string | undefined> =>
    merchantSecret ? sha256(merchantSecret) : store.queries.setting(DESK_SECRET_SETTING);

  async function access() {
    const kept = store.queries.setting(DESK_ACCESS_SETTING);
    const [secretHash, value] = await Promise.all([inForce(), kept]);
    return { secretHash, ...readAccess(value) };
  }

  const tokenHash = (secretHash: string, token: string): string =>
    createHmac("sha256", derivedKey(installation, `desk ${secretHash}`))
      .update(token)
      .digest("base64url");

  const by = (actor: string) => ({ id: newId("aud", clock()), actor });

  /** Link to the page whose button signs in; opening it changes nothing. */
  function newLink(secretHash: string) {
    const token = newKey("desk_");
    const link = { hash: tokenHash(secretHash, token), until: clock() + DESK_LINK_MS };
    return { link, token, url: `${baseUrl}/desk/sign-in?secret=${token}` };
  }

  let refusals: RefusalCount = { since: Number.NEGATIVE_INFINITY, count: 0 };

  const newSecretHash = (): string => sha256(newKey("desk_"));

  async function issueLink(renew: boolean): Promise<{ sign_in: string }> {
    const known = renew ? undefined : await inForce();
    const secretHash = known ?? newSecretHash();
    const { link, url } = newLink(secretHash);
    const made = known === undefined ? secretHash : null;
    const command = { now: clock(), by: by("cli"), link, secretHash: made, renew };
    await store.run(newDeskLink, command);
    return { sign_in: url };
  }

  return {
    /** Link to print at the first start; null at later ones. */
    async firstLink(): Promise<string | null> {
      if (merchantSecret) return null;
      const secretHash = newSecretHash();
      const { link, url } = newLink(secretHash);
      const made = await store.run(firstDeskLink, { link, secretHash });
      return made ? url : null;
    },

    /** Makes a sign-in link that works once; sessions continue. */
    link: () => issueLink(false),

    /** Mails a sign-in link to the merchant, unless one is still open. False if the mail server refuses it. */
    async mailLink(): Promise<boolean> {
      const secretHash = await inForce();
      if (!secretHash) return false;
      const { link, token } = newLink(secretHash);
      const keep = (mailed: MailedLink | null) =>
        store.run(mailDeskLink, { now: clock(), by: by("desk"), mailed });
      if (!(await keep({ ...link, key: tokenHash(secretHash, "") }))) return true;
      try {
        await mail.sendSignIn(token);
      } catch (error) {
        await keep(null);
        if (error instanceof MailFailed) return false;
        throw error;
      }
      return true;
    },

    /** Replaces a leaked secret; ends every session. */
    async renew() {
      if (merchantSecret) {
        throw illegalStep(
          "MERCHANT_SECRET is set in the environment. Change it there and restart.",
        );
      }
      return issueLink(true);
    },

    /** True for the secret or an unused sign-in link. Checking does not use it. */
    async admitsSecret(typed: string): Promise<boolean> {
      const { secretHash, link, mailed } = await access();
      if (!secretHash) return false;
      if (sameText(sha256(typed), secretHash)) return true;
      const hash = tokenHash(secretHash, typed);
      return [link, mailed].some((one) => one?.hash === hash && isLinkOpen(one, clock()));
    },

    /** Returns a new session, or null for a wrong secret or link. */
    async signIn(typed: string, stay: DeskStay = "day", typedName = ""): Promise<string | null> {
      const secretHash = await inForce();
      if (!secretHash) return null;
      const now = clock();
      const known = sameText(sha256(typed), secretHash);
      const session = newKey("desk_");
      const name = nameIn(typedName);
      const opened = { hash: tokenHash(secretHash, session), until: now + DESK_STAYS_MS[stay] };
      const entered = await store.run(enterDesk, {
        now,
        by: by(actorOf(name)),
        session: { ...opened, ...(name && { name }) },
        link: known ? null : tokenHash(secretHash, typed),
      });
      if (entered) return session;
      const { logged, ...counted } = countRefusal(refusals, now);
      refusals = counted;
      if (logged)
        await store.run(recordDeskRefusals, { now, by: by("desk"), count: counted.count });
      return null;
    },

    /** Who acts in this session, or null for none. */
    async admits(session: string): Promise<Actor | null> {
      const { secretHash, sessions } = await access();
      if (!secretHash) return null;
      const hash = tokenHash(secretHash, session);
      const now = clock();
      const found = sessions.find(
        (one) => one.hash === hash && one.until > now && one.until <= now + DESK_STAYS_MS.month,
      );
      return found ? actorOf(found.name ?? "") : null;
    },

    async signOut(session: string | "everywhere", actor: string): Promise<void> {
      const secretHash = await inForce();
      const one = session === "everywhere" ? null : tokenHash(secretHash ?? "", session);
      await store.run(leaveDesk, { now: clock(), by: by(actor), session: one });
    },
  };
}
