import { z } from "zod";
import { catalogReads, nextVersion } from "../catalog/catalog-version.ts";
import { type Act, adminVerb, Seen, versionOf } from "../core/admin-verb.ts";
import { audited, type MerchantAct, refuseIfChangedSince } from "../core/audit.ts";
import { lock, setSetting, settingIn, writeRule } from "../core/command.ts";
import { MerchantError } from "../core/errors.ts";
import { invalid } from "../core/input-problems.ts";
import { PauseFields, SHOP_SETTING, type Shop, ShopFields, storedShop } from "../core/shop.ts";
import { dayIn } from "../core/time.ts";
import type { Context } from "../payments/provider.ts";

const { shape } = ShopFields;
const [earliest_days, latest_days] = shape.delivery_days.unwrap().def.items;

const SettingFields = z
  .strictObject({
    name: shape.name.unwrap(),
    contact_email: shape.contact_email.unwrap(),
    shipping_per_address_minor: shape.shipping_per_address_minor.unwrap(),
    free_shipping_from_minor: shape.free_shipping_from_minor.unwrap(),
    earliest_days,
    latest_days,
    privacy_url: shape.privacy_url.unwrap(),
    terms_url: shape.terms_url.unwrap(),
    order_mail: shape.order_mail.unwrap(),
  })
  .partial();

export type ShopSettings = z.infer<typeof SettingFields>;

/** Settings by the names of the form's fields. */
export const settingsOf = ({ pause: _, delivery_days: [first, last], ...shop }: Shop) => ({
  ...shop,
  earliest_days: first,
  latest_days: last,
});

/** The owner's settings (contract §1). They apply to new quotes on every instance at once. */
export function shopSettings({ store, catalog, clock, timeZone }: Context, act: Act) {
  const today = () => dayIn(timeZone)(clock());

  async function change(kind: string, changed: (shop: Shop) => Partial<Shop>): Promise<Shop> {
    const beans = await store.queries.beans();
    const productIds = beans.map(({ product_id }) => product_id);
    await store.run(changeShop, { ...act(), kind, changed, productIds });
    await catalog.refresh();
    return catalog.shop;
  }

  return {
    /** Name, contact, shipping, delivery, addresses and the last break. */
    settings: adminVerb({}, async () => {
      await catalog.refresh();
      return catalog.shop;
    }),

    /**
     * Changes the given settings. `was`: their values on the page, so that those left alone keep a colleague's
     * change, and others are refused after one.
     */
    change: adminVerb(
      { ...SettingFields.shape, was: SettingFields.optional() },
      async ({ was = {}, ...given }) =>
        change("shop.settings", (shop) => {
          const now = settingsOf(shop);
          const names = Object.keys(given) as (keyof ShopSettings)[];
          const typed = names.filter((name) => given[name] !== was[name]);
          const wanted = Object.fromEntries(typed.map((name) => [name, given[name]]));
          refuseIfChanged(typed, was, now);
          const all = { ...now, ...wanted } as typeof now;
          const { earliest_days: first, latest_days: last, ...rest } = all;
          if (first > last) throw refused("latest_days", "Must not be below the earliest.");
          return { ...rest, delivery_days: [first, last] };
        }),
    ),

    /** Takes no orders until a day. Sent again it changes day and message. */
    pause: adminVerb(
      { until: PauseFields.shape.until, message: PauseFields.shape.message, seen: Seen },
      async ({ until, message, seen }) => {
        const now = today();
        if (until <= now) throw refused("until", "Choose a day after today.");
        return change("shop.pause", ({ pause }) => {
          refuseIfChangedSince(seen, versionOf(pause), "The break");
          const from = pause && now < pause.until ? pause.from : now;
          return { pause: { from, until, message } };
        });
      },
    ),

    /** Ends a break today. */
    reopen: adminVerb({ seen: Seen }, async ({ seen }) => {
      const now = today();
      return change("shop.reopen", ({ pause }) => {
        refuseIfChangedSince(seen, versionOf(pause), "The break");
        return pause && now < pause.until ? { pause: { ...pause, until: now } } : {};
      });
    }),
  };
}

/** Refuses to overwrite a setting that is not as the page showed it. */
function refuseIfChanged(
  names: readonly (keyof ShopSettings)[],
  was: ShopSettings,
  now: ShopSettings,
): void {
  const stale = names.filter((name) => was[name] !== undefined && was[name] !== now[name]);
  if (stale.length === 0) return;
  const detail = "It has changed since you opened this page.";
  throw new MerchantError("ILLEGAL_STEP", `${detail} Check it, then send the form again.`, {
    problems: stale.map((name) => ({ pointer: `/${name}`, code: "CHANGED", detail })),
  });
}

const refused = (field: string, detail: string) =>
  invalid({ problems: [{ pointer: `/${field}`, code: "INVALID", detail }] });

interface ChangeShop extends MerchantAct {
  /** Name of the act in the audit log. */
  kind: string;
  changed(shop: Shop): Partial<Shop>;
  /** Every bean there is: their stock tells other instances of the change. */
  productIds: readonly string[];
}

const changeShop = writeRule<ChangeShop>({
  reads: (c) => [lock("settings", { name: SHOP_SETTING }), ...catalogReads(c.productIds)],
  writes(c, s) {
    const before = storedShop(settingIn(s, SHOP_SETTING));
    const after = { ...before, ...c.changed(before) };
    const fields = (Object.keys(after) as (keyof Shop)[]).filter(
      (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
    );
    if (fields.length === 0) return [];
    return [
      setSetting(s, SHOP_SETTING, JSON.stringify(after)),
      ...nextVersion(s, c.productIds).writes,
      audited(c, c.kind, SHOP_SETTING, { fields, until: after.pause?.until ?? null }),
    ];
  },
});
