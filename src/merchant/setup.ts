import { randomBytes } from "node:crypto";
import type { Catalog } from "../catalog/catalog.ts";
import { CATALOG_VERSION_SETTING } from "../core/policy.ts";
import type { Store } from "../db/store.ts";
import type { PaymentMode } from "../payments/provider.ts";
import { type Installation, prepareInstallation } from "./installation.ts";

/** Play orders and real ones must not stand in one book. */
export class PaymentModeError extends Error {
  override name = "PaymentModeError";
}

/** Prepares a database and answers what it is; the catalog file is read where it has none yet. */
export async function prepareDatabase(
  store: Store,
  readFile: () => Catalog,
  { mode, now, servedAt }: { mode: PaymentMode; now: number; servedAt?: string | undefined },
): Promise<Installation> {
  const filled = (await store.queries.setting(CATALOG_VERSION_SETTING)) !== undefined;
  const installation = await store.run(prepareInstallation, {
    id: randomBytes(9).toString("base64url"),
    secret: randomBytes(32).toString("base64url"),
    webhookSecret: `whsec_${randomBytes(24).toString("base64url")}`,
    mode,
    now,
    servedAt,
    beans: filled ? [] : readFile().products,
  });
  if (installation.mode !== mode) {
    throw new PaymentModeError(
      `This database holds "${installation.mode}" payments, and the settings are for "${mode}". Set ` +
        "PAYMENT_PROVIDER and STRIPE_SECRET_KEY as before, or another DATABASE_URL.",
    );
  }
  return installation;
}
