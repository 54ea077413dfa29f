import { cents, typedDollars } from "../core/money.ts";
import { pauseWords, type Shop } from "../core/shop.ts";
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
    const settings = await admin.shop.settings();
    return {
      lede: "Changes apply to new quotes at once. Open quotes keep their terms.",
      body: html`${pauseBlock(merchant.pause, refused)}
    ${settingsBlock(settings, refused)}`,
    };
  },
  acts: {
    pause: {
      do: (admin, fields) =>
        admin.shop.pause({ until: fields("until"), message: fields("message") || null }),
      done: "The shop is paused. Orders and stock stay as they are.",
    },
    reopen: {
      do: (admin) => admin.shop.reopen(),
      done: "The shop is open again.",
    },
    settings: {
      do: (admin, fields) => admin.shop.change(typed(fields)),
      done: "The settings are saved.",
    },
  },
};

const typed = (fields: Fields) => ({
  name: fields("name"),
  contact_email: fields("contact_email") || null,
  shipping_per_address_minor: cents(fields("shipping_per_address_minor")) ?? Number.NaN,
  free_shipping_from_minor: cents(fields("free_shipping_from_minor")) ?? Number.NaN,
  earliest_days: whole(fields("earliest_days")),
  latest_days: whole(fields("latest_days")),
  privacy_url: fields("privacy_url") || null,
  terms_url: fields("terms_url") || null,
  ...(fields("order_mail") && { order_mail: fields("order_mail") as Shop["order_mail"] }),
});

function pauseBlock(pause: Shop["pause"], refused: RefusedAction | undefined): Markup {
  const form = filledForm(
    {
      act: "pause",
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
      ${actForm("reopen", {}, html`<button type="submit">Reopen today</button>`)}
      ${form}`
    : html`<p>Going away? Buyers and agents read when you\u2019re back. Orders and stock stay as they are, and
        delivery dates count from the day you reopen.</p>
      ${form}`;
  return block("pause", pause ? "Paused" : "Pause", body);
}

const settingsBlock = (shop: Shop, refused: RefusedAction | undefined): Markup =>
  block(
    "settings",
    "Settings",
    filledForm(
      { act: "settings" },
      refused,
      (
        show,
      ) => html`${show({ name: "name", label: "Name of the shop", maxlength: 60, value: shop.name })}
      ${show({
        name: "contact_email",
        label: "Email for buyers",
        hint: "On pages and in emails. Empty: SUPPORT_EMAIL, if it is set.",
        type: "email",
        optional: true,
        maxlength: 254,
        value: shop.contact_email ?? "",
      })}
      <div class="field-row stack">${show({
        name: "shipping_per_address_minor",
        label: "Shipping per address, in dollars",
        inputmode: "decimal",
        maxlength: 10,
        value: typedDollars(shop.shipping_per_address_minor),
      })}
      ${show({
        name: "free_shipping_from_minor",
        label: "Ships free from, in dollars",
        inputmode: "decimal",
        maxlength: 10,
        value: typedDollars(shop.free_shipping_from_minor),
      })}</div>
      <div class="field-row stack">${show({
        name: "earliest_days",
        label: "Arrives after days, at the earliest",
        inputmode: "numeric",
        maxlength: 3,
        value: String(shop.delivery_days[0]),
      })}
      ${show({
        name: "latest_days",
        label: "At the latest",
        inputmode: "numeric",
        maxlength: 3,
        value: String(shop.delivery_days[1]),
      })}</div>
      ${show({
        name: "privacy_url",
        label: "Address of your privacy policy",
        hint: "Empty: our page, or PRIVACY_URL.",
        optional: true,
        value: shop.privacy_url ?? "",
      })}
      ${show({
        name: "terms_url",
        label: "Address of your terms",
        hint: "Empty: none, or TERMS_URL.",
        optional: true,
        value: shop.terms_url ?? "",
      })}
      ${show({
        name: "order_mail",
        label: "Email me about new orders",
        choices: [
          { value: "each", label: "Each order at once" },
          { value: "daily", label: "Once a day, in the morning" },
        ],
        value: shop.order_mail,
      })}
      <button type="submit">Save settings</button>`,
    ),
  );
