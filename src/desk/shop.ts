import { versionOf } from "../core/admin-verb.ts";
import { MerchantError } from "../core/errors.ts";
import { typedDollars } from "../core/money.ts";
import { FIRST_ORDER } from "../core/policy.ts";
import { pauseWords, type Shop } from "../core/shop.ts";
import type { Merchant } from "../merchant/merchant.ts";
import { settingsOf } from "../merchant/shop-settings.ts";
import { calendarDay } from "../web/format.ts";
import { html, type Markup } from "../web/html.ts";
import { actForm, fieldOf, filledForm, type RefusedAction } from "./forms.ts";
import { block } from "./frame.ts";
import type { DeskRoute } from "./route.ts";

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
    ${settingsBlock(formValues(settings), merchant, refused && keptFrom(refused, formValues(settings)))}
    ${offerSlip(offer)}`,
    };
  },
  acts: {
    "shop.pause": { done: "The shop is paused. Orders and stock stay as they are." },
    "shop.reopen": { done: "The shop is open again." },
    "shop.change": { done: "The settings are saved." },
    "courtesy.firstOrder": {
      done: (fields) =>
        fields("on") === "on"
          ? `${FIRST_ORDER.code} is on for new quotes.`
          : `${FIRST_ORDER.code} is off for new quotes. Quotes made with it keep it.`,
    },
  },
};

type Values = Record<string, string>;

/** Settings as their form shows them. */
function formValues(shop: Shop): Values {
  const { shipping_per_address_minor, free_shipping_from_minor, ...rest } = settingsOf(shop);
  const texts = Object.entries(rest).map(([name, value]) => [name, String(value ?? "")]);
  return {
    ...Object.fromEntries(texts),
    shipping_per_address: typedDollars(shipping_per_address_minor),
    free_shipping_from: typedDollars(free_shipping_from_minor),
  };
}

/** A refused form: what was typed stays, other fields are as they are now. */
function keptFrom(refused: RefusedAction, now: Values): RefusedAction {
  if (refused.act !== "shop.change") return refused;
  const { error, fields } = refused;
  const kept = (name: string) =>
    Object.hasOwn(now, name) && fields(name) === fields(`was.${name}`) ? now[name]! : fields(name);
  const problems = error.problems.map((problem) => ({
    ...problem,
    ...(problem.code === "CHANGED" && {
      detail: `It is “${now[fieldOf(problem)]}” now.`,
    }),
  }));
  return {
    ...refused,
    fields: Object.assign(kept, { all: fields.all }),
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
      act: "shop.pause",
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
      ${actForm("shop.reopen", { seen }, html`<button type="submit">Reopen today</button>`)}
      ${form}`
    : html`<p>Going away? Buyers and agents read when you\u2019re back. Orders and stock stay as they are, and
        delivery dates count from the day you reopen.</p>
      ${form}`;
  return block("pause", pause ? "Paused" : "Pause", body);
}

/** The values that the page shows, as its form sends them back. */
const was = (shown: Values): Values =>
  Object.fromEntries(Object.entries(shown).map(([name, value]) => [`was.${name}`, value]));

/** Hint of an empty setting whose value comes from the environment. */
const given = (setting: string, name: string, value: string | undefined): string | null =>
  setting === "" && value !== undefined ? `Empty: ${value}, from ${name}.` : null;

const settingsBlock = (
  shown: Values,
  {
    supportEmail,
    privacyUrl,
    termsUrl,
  }: Pick<Merchant, "supportEmail" | "privacyUrl" | "termsUrl">,
  refused: RefusedAction | undefined,
): Markup =>
  block(
    "settings",
    "Settings",
    filledForm(
      { act: "shop.change", seen: null, with: was(shown) },
      refused,
      (
        show,
      ) => html`${show({ name: "name", label: "Name of the shop", maxlength: 60, value: shown.name })}
      ${show({
        name: "contact_email",
        label: "Email for buyers",
        hint: [
          "On pages and in emails.",
          given(shown.contact_email!, "SUPPORT_EMAIL", supportEmail),
        ]
          .filter(Boolean)
          .join(" "),
        type: "email",
        optional: true,
        maxlength: 254,
        value: shown.contact_email,
      })}
      <div class="pair tiles">${show({
        name: "shipping_per_address",
        label: "Shipping per address, in dollars",
        inputmode: "decimal",
        maxlength: 10,
        value: shown.shipping_per_address,
      })}
      ${show({
        name: "free_shipping_from",
        label: "Ships free from, in dollars",
        inputmode: "decimal",
        maxlength: 10,
        value: shown.free_shipping_from,
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
        hint: given(shown.privacy_url!, "PRIVACY_URL", privacyUrl) ?? "Empty: the shop’s own page.",
        optional: true,
        value: shown.privacy_url,
      })}
      ${show({
        name: "terms_url",
        label: "Address of your terms",
        hint: given(shown.terms_url!, "TERMS_URL", termsUrl) ?? undefined,
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
      "courtesy.firstOrder",
      { of: { on: offer ? "off" : "on" }, seen: null },
      html`<button class="quiet" type="submit">Switch ${FIRST_ORDER.code} ${offer ? "off" : "on"}</button>`,
    )}`,
  );
