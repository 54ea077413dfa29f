import { versionOf } from "../core/admin-verb.ts";
import { MerchantError } from "../core/errors.ts";
import { cents, typedDollars } from "../core/money.ts";
import { FIRST_ORDER } from "../core/policy.ts";
import { DEFAULT_SHOP, pauseWords, type Shop } from "../core/shop.ts";
import { type ShopSettings, settingsOf } from "../merchant/shop-settings.ts";
import { whole } from "../web/body.ts";
import { calendarDay } from "../web/format.ts";
import { html, type Markup } from "../web/html.ts";
import { actForm, filledForm } from "./forms.ts";
import { block } from "./frame.ts";
import type { DeskRoute, Fields, RefusedAction } from "./route.ts";

/** The owner's settings, and a break. */
export const shop: DeskRoute = {
  place: "shop",
  async show({ merchant, admin, refused }) {
    const [settings, offer] = await Promise.all([
      admin.shop.settings(),
      merchant.information.firstOrderRuns(),
    ]);
    return {
      lede: "Changes apply to new orders at once. Unpaid orders keep their terms.",
      body: html`${pauseBlock(merchant.pause, versionOf(settings.pause), refused)}
    ${settingsBlock(formValues(settings), refused && keptFrom(refused, formValues(settings)))}
    ${offerSlip(offer)}`,
    };
  },
  acts: {
    pause: {
      do: (admin, fields) =>
        admin.shop.pause({
          until: fields("until"),
          message: fields("message") || null,
          seen: fields.seen,
        }),
      done: "The shop is paused. Orders and stock stay as they are.",
    },
    reopen: {
      do: (admin, fields) => admin.shop.reopen({ seen: fields.seen }),
      done: "The shop is open again.",
    },
    settings: {
      do: (admin, fields) => admin.shop.change(changesIn(fields)),
      done: "The settings are saved.",
    },
    "offer-on": {
      do: (admin) => admin.courtesy.firstOrder({ on: true }),
      done: `${FIRST_ORDER.code} is on for new quotes.`,
    },
    "offer-off": {
      do: (admin) => admin.courtesy.firstOrder({ on: false }),
      done: `${FIRST_ORDER.code} is off for new quotes. Quotes made with it keep it.`,
    },
  },
};

type Values = Record<keyof ShopSettings, string>;

/** Settings as their form shows them. */
function formValues(shop: Shop): Values {
  const { shipping_per_address_minor, free_shipping_from_minor, ...rest } = settingsOf(shop);
  const { earliest_days, latest_days, contact_email, privacy_url, terms_url } = rest;
  return {
    ...rest,
    contact_email: contact_email ?? "",
    privacy_url: privacy_url ?? "",
    terms_url: terms_url ?? "",
    earliest_days: String(earliest_days),
    latest_days: String(latest_days),
    shipping_per_address_minor: typedDollars(shipping_per_address_minor),
    free_shipping_from_minor: typedDollars(free_shipping_from_minor),
  };
}

/** The settings in a form's values, which the verb validates. */
const settingsIn = (values: (name: keyof Values) => string): Required<ShopSettings> => ({
  name: values("name"),
  contact_email: values("contact_email") || null,
  shipping_per_address_minor: cents(values("shipping_per_address_minor")) ?? Number.NaN,
  free_shipping_from_minor: cents(values("free_shipping_from_minor")) ?? Number.NaN,
  earliest_days: whole(values("earliest_days")),
  latest_days: whole(values("latest_days")),
  privacy_url: values("privacy_url") || null,
  terms_url: values("terms_url") || null,
  order_mail: values("order_mail") as Shop["order_mail"],
});

/** Values that the page showed, as the form sends them back; null for a form made by hand. */
function shownIn(fields: Fields): Values | null {
  try {
    const shown = JSON.parse(fields("was"));
    return typeof shown === "object" ? (shown as Values | null) : null;
  } catch {
    return null;
  }
}

/** Names of the fields in which something else was typed than the page showed. */
function changedIn(fields: Fields): (keyof Values)[] {
  const shown = shownIn(fields);
  const names = Object.keys(formValues(DEFAULT_SHOP)) as (keyof Values)[];
  return names.filter(
    (name) => fields(name) !== shown?.[name] && (name !== "order_mail" || fields(name) !== ""),
  );
}

/** Only what was changed on the page, so that a colleague's other changes stay. */
function changesIn(fields: Fields) {
  const shown = shownIn(fields);
  const pick = (settings: Required<ShopSettings>): ShopSettings =>
    Object.fromEntries(changedIn(fields).map((name) => [name, settings[name]]));
  const was = shown && pick(settingsIn((name) => String(shown[name] ?? "")));
  return { ...pick(settingsIn(fields)), ...(was && { was }) };
}

/** A refused form: what was typed stays, other fields are as they are now. */
function keptFrom(refused: RefusedAction, now: Values): RefusedAction {
  if (refused.act !== "settings") return refused;
  const changed: readonly string[] = changedIn(refused.fields);
  const kept = (name: string) =>
    Object.hasOwn(now, name) && !changed.includes(name)
      ? now[name as keyof Values]
      : refused.fields(name);
  const { error } = refused;
  const problems = error.problems.map((problem) => ({
    ...problem,
    ...(problem.code === "CHANGED" && {
      detail: `It is “${now[problem.pointer.slice(1) as keyof Values]}” now.`,
    }),
  }));
  return {
    ...refused,
    fields: Object.assign(kept, { all: refused.fields.all, seen: refused.fields.seen }),
    error: new MerchantError(error.code, error.message, { problems }),
  };
}

function pauseBlock(
  pause: Shop["pause"],
  seen: number,
  refused: RefusedAction | undefined,
): Markup {
  const form = filledForm(
    {
      act: "pause",
      seen,
      ...(pause && { summary: "Change day or message\u2026" }),
    },
    refused,
    (show) => html`${show({
      name: "until",
      label: "Open again on",
      type: "date",
      value: pause?.until,
    })}
      ${show({
        name: "message",
        label: "Message for buyers and agents",
        hint: "Such as: We\u2019re at the harvest in Honduras.",
        optional: true,
        maxlength: 200,
        value: pause?.message ?? "",
      })}
      <button class="quiet" type="submit">${pause ? "Save" : "Pause the shop"}</button>`,
  );
  const body = pause
    ? html`<p>Buyers read: <q>${pauseWords(pause)}</q> No quote and no payment until ${calendarDay(pause.until)}.</p>
      ${actForm("reopen", { seen }, html`<button type="submit">Reopen today</button>`)}
      ${form}`
    : html`<p>Going away? Buyers and agents read when you\u2019re back. Orders and stock stay as they are, and
        delivery dates count from the day you reopen.</p>
      ${form}`;
  return block("pause", pause ? "Paused" : "Pause", body);
}

const settingsBlock = (shown: Values, refused: RefusedAction | undefined): Markup =>
  block(
    "settings",
    "Settings",
    filledForm(
      { act: "settings", seen: null, with: { was: JSON.stringify(shown) } },
      refused,
      (
        show,
      ) => html`${show({ name: "name", label: "Name of the shop", maxlength: 60, value: shown.name })}
      ${show({
        name: "contact_email",
        label: "Email for buyers",
        hint: "On pages and in emails.",
        type: "email",
        optional: true,
        maxlength: 254,
        value: shown.contact_email,
      })}
      <div class="pair tiles">${show({
        name: "shipping_per_address_minor",
        label: "Shipping per address, in dollars",
        inputmode: "decimal",
        maxlength: 10,
        value: shown.shipping_per_address_minor,
      })}
      ${show({
        name: "free_shipping_from_minor",
        label: "Ships free from, in dollars",
        inputmode: "decimal",
        maxlength: 10,
        value: shown.free_shipping_from_minor,
      })}</div>
      <div class="pair tiles">${show({
        name: "earliest_days",
        label: "Arrives after days, at the earliest",
        inputmode: "numeric",
        maxlength: 3,
        value: shown.earliest_days,
      })}
      ${show({
        name: "latest_days",
        label: "At the latest",
        inputmode: "numeric",
        maxlength: 3,
        value: shown.latest_days,
      })}</div>
      ${show({
        name: "privacy_url",
        label: "Address of your privacy policy",
        hint: "Empty: the shop’s own page.",
        optional: true,
        value: shown.privacy_url,
      })}
      ${show({
        name: "terms_url",
        label: "Address of your terms",
        optional: true,
        value: shown.terms_url,
      })}
      ${show({
        name: "order_mail",
        label: "Email me about new orders",
        choices: [
          { value: "each", label: "Each order at once" },
          { value: "daily", label: "Once a day, in the morning" },
        ],
        value: shown.order_mail,
      })}
      <button type="submit">Save settings</button>`,
    ),
  );

const offerSlip = (offer: boolean): Markup =>
  block(
    "offer",
    "First-order discount",
    html`<p>${FIRST_ORDER.code} is <b>${offer ? "on" : "off"}</b> for new orders.</p>
    ${actForm(
      offer ? "offer-off" : "offer-on",
      { seen: null },
      html`<button class="quiet" type="submit">Switch ${FIRST_ORDER.code} ${offer ? "off" : "on"}</button>`,
    )}`,
  );
