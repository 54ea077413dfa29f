import { soldRow } from "../catalog/bean-rows.ts";
import type { Product } from "../catalog/catalog.ts";
import { insert, lock, type Rule, type State, setSetting, type Write } from "../core/command.ts";
import { CATALOG_VERSION_SETTING } from "../core/policy.ts";

export const INSTALLATION_ID = "installation.id";

/** What says which database this is; each is kept under its name from the first start on. */
const SETTINGS = {
  id: INSTALLATION_ID,
  secret: "installation.secret",
  webhookSecret: "installation.webhook_secret",
  mode: "payment_mode",
} as const;

type SettingName = keyof typeof SETTINGS;

export interface PrepareDatabase extends Record<SettingName, string> {
  now: number;
  /** The address of the service that starts; undefined where none is served, as by the command line. */
  servedAt?: string | undefined;
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
  /** The payment mode that this database was first started with: "live", "test" or "sandbox". */
  mode: string;
  /** The address that the service was started with last; undefined where it never was. */
  servedAt: string | undefined;
  /** There was no shop in this database before. */
  isNew: boolean;
}

/** Links that the command line prints lead there. */
export const SERVED_AT = "service.base_url";

/** What a database needs before its first request. Done by every start; the first one's word stays. */
export const prepareInstallation: Rule<PrepareDatabase, Installation> = {
  reads: (c) => [
    lock("settings", { name: [...Object.values(SETTINGS), SERVED_AT, CATALOG_VERSION_SETTING] }),
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
        webhookSecret: value("webhookSecret"),
        mode: value("mode"),
        servedAt: c.servedAt ?? known.get(SERVED_AT),
        isNew: !known.has(INSTALLATION_ID),
      },
      writes: [
        ...(c.servedAt && c.servedAt !== known.get(SERVED_AT)
          ? [setSetting(s, SERVED_AT, c.servedAt)]
          : []),
        ...missing.map((name) => insert("settings", { name: SETTINGS[name], value: c[name] })),
        ...(known.has(CATALOG_VERSION_SETTING) ? [] : firstFilling(c, s)),
      ],
    };
  },
};

/** The catalog file fills an empty catalog once; from then on the database has the word (contract §1). */
function firstFilling(c: PrepareDatabase, { stock: counted }: Pick<State, "stock">): Write[] {
  const beans = c.beans.map((product, position) =>
    insert("beans", { ...soldRow(product, position), changed_at: c.now }),
  );
  const stock = c.beans
    .filter((bean) => !counted.some(({ product_id }) => product_id === bean.product_id))
    .map(({ product_id, opening_stock: on_hand }) =>
      insert("stock", { product_id, on_hand, held: 0 }),
    );
  return [insert("settings", { name: CATALOG_VERSION_SETTING, value: "1" }), ...beans, ...stock];
}
