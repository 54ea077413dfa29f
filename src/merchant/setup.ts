import { randomBytes } from "node:crypto";
import type { Catalog } from "../domain/catalog/catalog.ts";
import { insert, lock, type Rule } from "../domain/shared/command.ts";
import type { PaymentMode } from "../payments/provider.ts";
import type { Store } from "../store/store.ts";

interface PrepareDatabase {
  installationId: string;
  secret: string;
  webhookSecret: string;
  mode: PaymentMode;
  beans: readonly { product_id: string; opening_stock: number }[];
}

export interface Installation {
  /** Says which database this is, so that two processes can tell whether they share one. */
  id: string;
  /** Review links and cart links are derived from it. */
  secret: Buffer;
  /** Signs the sandbox's webhooks. */
  webhookSecret: string;
  /** The payment mode that this database was first started with. */
  mode: string;
}

/** What a database needs before its first request. Done by every start; the first one's word stays. */
const prepare: Rule<PrepareDatabase, Installation> = {
  reads: (c) => [
    lock("settings", {
      name: [
        "installation.id",
        "installation.secret",
        "installation.webhook_secret",
        "payment_mode",
      ],
    }),
    lock("stock", { product_id: c.beans.map((bean) => bean.product_id) }),
  ],
  decide(c, s) {
    const wanted = {
      "installation.id": c.installationId,
      "installation.secret": c.secret,
      "installation.webhook_secret": c.webhookSecret,
      payment_mode: c.mode,
    };
    const known = new Map(s.settings.map((row) => [row.name, row.value]));
    const missing = Object.entries(wanted).filter(([name]) => !known.has(name));
    const value = (name: keyof typeof wanted) => known.get(name) ?? wanted[name];
    const shelved = new Set(s.stock.map((row) => row.product_id));
    return {
      reply: {
        id: value("installation.id"),
        secret: Buffer.from(value("installation.secret"), "base64url"),
        webhookSecret: value("installation.webhook_secret"),
        mode: value("payment_mode"),
      },
      writes: [
        ...missing.map(([name, text]) => insert("settings", { name, value: text })),
        ...c.beans
          .filter((bean) => !shelved.has(bean.product_id))
          .map((bean) =>
            insert("stock", {
              product_id: bean.product_id,
              on_hand: bean.opening_stock,
              held: 0,
              low_at: null,
            }),
          ),
      ],
    };
  },
};

/** Play orders and real ones must not stand in one book. */
export class PaymentModeError extends Error {
  override name = "PaymentModeError";
}

/**
 * Prepares a database and answers what it is. Throws where it was started with another payment mode:
 * play orders must not stand in the live book.
 */
export async function prepareDatabase(
  store: Store,
  catalog: Catalog,
  mode: PaymentMode,
): Promise<Installation> {
  const installation = await store.run(prepare, {
    installationId: randomBytes(9).toString("base64url"),
    secret: randomBytes(32).toString("base64url"),
    webhookSecret: `whsec_${randomBytes(24).toString("base64url")}`,
    mode,
    beans: catalog.products,
  });
  if (installation.mode !== mode) {
    throw new PaymentModeError(
      `This database holds "${installation.mode}" payments; starting it with "${mode}" is refused. ` +
        "Use another DATABASE_URL.",
    );
  }
  return installation;
}
