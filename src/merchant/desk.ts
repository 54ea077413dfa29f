import { timingSafeEqual } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import { JOSEError } from "jose/errors";
import { illegalStep } from "../domain/order/order-log.ts";
import {
  DESK_SECRET_SETTING,
  deskEntered,
  firstDeskSecret,
  renewDeskSecret,
} from "../domain/shared/desk-secret.ts";
import type { Context } from "./context.ts";
import { derivedKey, newId, newKey, sha256 } from "./ids.ts";

/** A working day; then the secret is asked for again. */
export const DESK_SESSION_MS = 12 * 3_600_000;

const ALGORITHM = "HS256";
const AUDIENCE = "desk";

/**
 * Who may stand behind the counter (contract §15, §16). One secret: MERCHANT_SECRET, or the one that
 * the first start made. A session is signed with a key that is derived from the secret in force, so it
 * holds on every instance, and another secret ends it.
 */
export function deskVerbs({
  store,
  clock,
  secret: installation,
  merchantSecret,
  baseUrl,
}: Context) {
  const inForce = async (): Promise<string | undefined> =>
    merchantSecret ? sha256(merchantSecret) : store.queries.setting(DESK_SECRET_SETTING);

  const sessionKey = (secretHash: string) => derivedKey(installation, `desk ${secretHash}`);

  /** Carries the secret to the page whose button signs in; opening it changes nothing. */
  const link = (secret: string) => `${baseUrl}/desk/sign-in?secret=${secret}`;

  return {
    /** The link to print where this start made the secret; null where there is one. */
    async firstLink(): Promise<string | null> {
      if (merchantSecret) return null;
      const secret = newKey("desk_");
      const made = await store.run(firstDeskSecret, { secretHash: sha256(secret) });
      return made ? link(secret) : null;
    },

    /** Another secret for one that was lost or seen: ends every session. */
    async renew(actor: "cli"): Promise<{ sign_in: string }> {
      if (merchantSecret) {
        throw illegalStep("MERCHANT_SECRET is set in the environment: change it there, restart.");
      }
      const now = clock();
      const secret = newKey("desk_");
      const by = { id: newId("aud", now), actor };
      await store.run(renewDeskSecret, { now, by, secretHash: sha256(secret) });
      return { sign_in: link(secret) };
    },

    /** A session for whoever knows the secret; null for everybody else. */
    async signIn(typed: string): Promise<string | null> {
      const secretHash = await inForce();
      const given = sha256(typed);
      if (!secretHash || !timingSafeEqual(Buffer.from(given), Buffer.from(secretHash))) return null;
      const now = clock();
      const by = { id: newId("aud", now), actor: "desk" };
      await store.run(deskEntered, { now, by });
      return new SignJWT()
        .setProtectedHeader({ alg: ALGORITHM })
        .setAudience(AUDIENCE)
        .setIssuedAt(Math.floor(now / 1000))
        .setExpirationTime(Math.floor((now + DESK_SESSION_MS) / 1000))
        .sign(sessionKey(secretHash));
    },

    async admits(session: string): Promise<boolean> {
      const secretHash = await inForce();
      if (!secretHash) return false;
      try {
        await jwtVerify(session, sessionKey(secretHash), {
          algorithms: [ALGORITHM],
          audience: AUDIENCE,
          requiredClaims: ["exp"],
          currentDate: new Date(clock()),
        });
        return true;
      } catch (error) {
        if (error instanceof JOSEError) return false;
        throw error;
      }
    },
  };
}
