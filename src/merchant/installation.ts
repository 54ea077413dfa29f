import { randomBytes } from "node:crypto";
import { beanRow } from "../catalog/bean-rows.ts";
import type { Catalog, Product } from "../catalog/catalog.ts";
import { type Act, adminVerb } from "../core/admin-verb.ts";
import { audited, type MerchantAct } from "../core/audit.ts";
import {
  insert,
  lock,
  type Rule,
  type State,
  setSetting,
  type Write,
  writeRule,
} from "../core/command.ts";
import { CATALOG_VERSION_SETTING } from "../core/policy.ts";
import { DEFAULT_SHOP, SHOP_SETTING, type Shop } from "../core/shop.ts";
import type { Store } from "../db/store.ts";
import type { PaymentMode } from "../payments/provider.ts";

export const INSTALLATION_ID = "installation.id";

/** Settings that identify a database, kept from the first start on. */
const SETTINGS = {
  id: INSTALLATION_ID,
  secret: "installation.secret",
  // The name is from 0.3.0, where it also signed webhooks.
  sandboxSecret: "installation.webhook_secret",
  mode: "payment_mode",
} as const;

type SettingName = keyof typeof SETTINGS;

export interface PrepareDatabase extends Record<SettingName, string> {
  now: number;
  /** Address of the starting service; undefined on the command line. */
  servedAt?: string | undefined;
  /** Beans for a database without a catalog. */
  beans: readonly Product[];
  /** Settings for a database without them. */
  shop: Shop;
}

export interface Installation {
  /** Lets two processes tell whether they share a database. */
  id: string;
  /** Key of review links and cart links. */
  secret: Buffer;
  /** Makes the sandbox's ids. */
  sandboxSecret: string;
  /** Payment mode of the first start: "live", "test" or "sandbox". */
  mode: string;
  /** Address of the last started service, if any. */
  servedAt: string | undefined;
  /** True if the database held no shop before. */
  isNew: boolean;
}

/** Base of the links that the command line prints. */
export const SERVED_AT = "service.base_url";

/** Fills in missing settings and the first catalog. Every start runs it; first values stay. */
const prepareInstallation: Rule<PrepareDatabase, Installation> = {
  reads: (c) => [
    lock("settings", {
      name: [...Object.values(SETTINGS), SERVED_AT, CATALOG_VERSION_SETTING, SHOP_SETTING],
    }),
    lock("stock", { product_id: c.beans.map((bean) => bean.product_id) }),
  ],
  decide(c, s) {
    const known = new Map(s.settings.map((row) => [row.name, row.value]));
    const value = (name: SettingName) => known.get(SETTINGS[name]) ?? c[name];
    const missing = (Object.keys(SETTINGS) as SettingName[]).filter(
      (name) => !known.has(SETTINGS[name]),
    );
    return {
      reply: {
        id: value("id"),
        secret: Buffer.from(value("secret"), "base64url"),
        sandboxSecret: value("sandboxSecret"),
        mode: value("mode"),
        servedAt: c.servedAt ?? known.get(SERVED_AT),
        isNew: !known.has(INSTALLATION_ID),
      },
      writes: [
        ...(c.servedAt && c.servedAt !== known.get(SERVED_AT)
          ? [setSetting(s, SERVED_AT, c.servedAt)]
          : []),
        ...missing.map((name) => insert("settings", { name: SETTINGS[name], value: c[name] })),
        ...(known.has(SHOP_SETTING)
          ? []
          : [insert("settings", { name: SHOP_SETTING, value: JSON.stringify(c.shop) })]),
        ...(known.has(CATALOG_VERSION_SETTING) ? [] : firstFilling(c, s)),
      ],
    };
  },
};

/** The catalog file fills an empty database once (contract §1). */
function firstFilling(c: PrepareDatabase, { stock: counted }: Pick<State, "stock">): Write[] {
  const beans = c.beans.map((product, position) =>
    insert("beans", { ...beanRow(product, position), changed_at: c.now }),
  );
  const stock = c.beans
    .filter((bean) => !counted.some(({ product_id }) => product_id === bean.product_id))
    .map(({ product_id, opening_stock: on_hand }) =>
      insert("stock", { product_id, on_hand, held: 0 }),
    );
  return [insert("settings", { name: CATALOG_VERSION_SETTING, value: "1" }), ...beans, ...stock];
}

/** Replaces the key of all links, which processes read when they start. */
const renewSecret = writeRule<MerchantAct & { secret: string }>({
  reads: () => [lock("settings", { name: SETTINGS.secret })],
  writes: (c, s) => [setSetting(s, SETTINGS.secret, c.secret), audited(c, "links.renew", "")],
});

/** The merchant's answer to a leaked database or backup: old links end with the next restart (contract §15). */
export const linkVerbs = (store: Store, act: Act) => ({
  renew: adminVerb({}, async () => {
    await store.run(renewSecret, { ...act(), secret: randomBytes(32).toString("base64url") });
    return { renewed: true };
  }),
});

/** Sandbox and real orders must not share a database. */
export class PaymentModeError extends Error {
  override name = "PaymentModeError";
}

/** Prepares a database at a start. The catalog file fills only an empty one. */
export async function prepareDatabase(
  store: Store,
  readFile: () => Catalog & { shop?: Shop },
  { mode, now, servedAt }: { mode: PaymentMode; now: number; servedAt?: string | undefined },
): Promise<Installation> {
  const filled = (await store.queries.setting(CATALOG_VERSION_SETTING)) !== undefined;
  const { products, shop = DEFAULT_SHOP } = readFile();
  const installation = await store.run(prepareInstallation, {
    id: randomBytes(9).toString("base64url"),
    secret: randomBytes(32).toString("base64url"),
    sandboxSecret: `whsec_${randomBytes(24).toString("base64url")}`,
    mode,
    now,
    servedAt,
    beans: filled ? [] : products,
    shop,
  });
  if (installation.mode !== mode) {
    throw new PaymentModeError(
      `This database holds "${installation.mode}" payments, and the settings are for "${mode}". Set ` +
        "PAYMENT_PROVIDER and STRIPE_SECRET_KEY as before, or another DATABASE_URL.",
    );
  }
  return installation;
}
