import { randomBytes } from "node:crypto";
import type { Catalog, Product } from "../domain/catalog/catalog.ts";
import { CATALOG_VERSION_SETTING } from "../domain/catalog/catalog-version.ts";
import { newStock } from "../domain/catalog/stock.ts";
import { insert, lock, type Rule, type Write } from "../domain/shared/command.ts";
import type { PaymentMode } from "../payments/provider.ts";
import type { Store } from "../store/store.ts";

interface PrepareDatabase {
  installationId: string;
  secret: string;
  webhookSecret: string;
  mode: PaymentMode;
  now: number;
  /** What is sold, where the database knows of no beans yet. */
  beans: readonly Product[];
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
        CATALOG_VERSION_SETTING,
      ],
    }),
    lock("beans", { product_id: c.beans.map((bean) => bean.product_id) }),
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
    const filled = known.has(CATALOG_VERSION_SETTING);
    const missing = Object.entries(wanted).filter(([name]) => !known.has(name));
    const value = (name: keyof typeof wanted) => known.get(name) ?? wanted[name];
    const counted = new Set(s.stock.map((row) => row.product_id));
    return {
      reply: {
        id: value("installation.id"),
        secret: Buffer.from(value("installation.secret"), "base64url"),
        webhookSecret: value("installation.webhook_secret"),
        mode: value("payment_mode"),
      },
      writes: [
        ...missing.map(([name, text]) => insert("settings", { name, value: text })),
        ...(filled ? [] : firstFilling(c, counted)),
      ],
    };
  },
};

/** The catalog file fills an empty catalog once; from then on the database has the word (contract §1). */
function firstFilling(c: PrepareDatabase, counted: ReadonlySet<string>): Write[] {
  const beans = c.beans.map((product, position) =>
    insert("beans", {
      product_id: product.product_id,
      position,
      published: JSON.stringify(product),
      on_sale: 1,
      draft: null,
      changed_at: c.now,
    }),
  );
  const stock = c.beans
    .filter(({ product_id }) => !counted.has(product_id))
    .map(({ product_id, opening_stock }) => insert("stock", newStock(product_id, opening_stock)));
  return [insert("settings", { name: CATALOG_VERSION_SETTING, value: "1" }), ...beans, ...stock];
}

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
  { mode, now }: { mode: PaymentMode; now: number },
): Promise<Installation> {
  const installation = await store.run(prepare, {
    installationId: randomBytes(9).toString("base64url"),
    secret: randomBytes(32).toString("base64url"),
    webhookSecret: `whsec_${randomBytes(24).toString("base64url")}`,
    mode,
    now,
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
