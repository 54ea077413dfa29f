import { EncryptJWT, jwtDecrypt } from "jose";
import { JOSEError } from "jose/errors";
import { derivedKey } from "../core/ids.ts";
import type { Cart } from "./quick-checkout.ts";

/** What a token says: the cart, or why there is none. */
export type CartFound = { cart: Cart; expiresAt: number } | "EXPIRED" | "BROKEN";

/** A cart in its page's address, encrypted: nothing is stored, nothing readable is passed on (contract §10). */
export function cartTokens(secret: Buffer) {
  const key = derivedKey(secret, "cart");
  return {
    seal: (cart: Cart, expiresAt: number): Promise<string> =>
      new EncryptJWT({ cart })
        .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
        .setExpirationTime(Math.floor(expiresAt / 1000))
        .encrypt(key),

    async open(sealed: string, now: number): Promise<CartFound> {
      try {
        const { payload } = await jwtDecrypt(sealed, key, { currentDate: new Date(now) });
        return { cart: payload.cart as Cart, expiresAt: (payload.exp ?? 0) * 1000 };
      } catch (error) {
        if (!(error instanceof JOSEError)) throw error;
        return error.code === "ERR_JWT_EXPIRED" ? "EXPIRED" : "BROKEN";
      }
    },
  };
}
