import { addressPseudonym } from "../core/client-address.ts";
import { returnPoint, takePoints } from "../core/rate-limits.ts";
import type { Store } from "../db/store.ts";
import type { Limiter } from "./limits.ts";

/**
 * Limiters that count in the store. What cannot be counted is refused (contract §11: fail closed), and
 * addresses are stored as what only this installation can make of them.
 */
export const sharedLimiters =
  (store: Pick<Store, "run">, { secret, clock }: { secret: Buffer; clock: () => number }) =>
  (name: string, points: number, seconds: number): Limiter => {
    const of = (address: string) => ({
      now: clock(),
      name,
      subject: addressPseudonym(secret, address),
    });
    return {
      consume: (address, wanted) =>
        store.run(takePoints, { ...of(address), wanted, points, seconds }),
      // Where the database has gone, the caller has one less, and is told of the database.
      undo: async (address) => void (await store.run(returnPoint, of(address)).catch(() => null)),
    };
  };
