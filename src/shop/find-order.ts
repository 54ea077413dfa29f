import type { Express, Response } from "express";
import { z } from "zod";
import type { Api } from "../api/api.ts";
import { ZipCode } from "../core/address.ts";
import { Email } from "../core/email.ts";
import { inOneLine, text } from "../core/fields.ts";
import { LIMITS } from "../core/policy.ts";
import { parseInput } from "../core/read-input.ts";
import { buyerStatus } from "../orders/buyer-words.ts";
import type { PageOrder } from "../orders/checkout-page.ts";
import { fieldIn } from "../web/body.ts";
import {
  EMAIL,
  type Field,
  type FieldProblem,
  formField,
  problemSummary,
} from "../web/form-parts.ts";
import { html, type Markup } from "../web/html.ts";
import type { Page } from "../web/layout.ts";
import { sendFormAgain, sendPage } from "../web/page-answers.ts";
import { callerAddress } from "../web/request-context.ts";
import { mountForm } from "../web/routes.ts";

const FIND_ORDER_PATH = "/find-order";

/** A page for buyers who lost the link of their order. */
export function mountFindOrder(app: Express, api: Api): void {
  mountForm(app, api.edge, FIND_ORDER_PATH, {
    get: (_req, res) => sendPage(res, findOrderPage(api, null)),
    post: (_req, res) => findOrder(api, null, res),
  });
}

/** The paid order of a checkout's page, in a browser that did not pay: its number, state and this form. */
export const sendPaidOrder = (api: Api, order: PageOrder, res: Response): void =>
  sendPage(res, findOrderPage(api, order));

const NUMBER: Field = {
  name: "number",
  label: "Order number",
  hint: "Such as 1042. The link that you paid by shows it, too.",
  inputmode: "numeric",
  autocomplete: "off",
  maxlength: 20,
};
const ORDER_EMAIL: Field = { ...EMAIL, label: "Email of the order" };
const ZIP: Field = {
  name: "postal_code",
  label: "ZIP code",
  hint: "Of the delivery. For several addresses, any of them.",
  autocomplete: "off",
  maxlength: 10,
};

/** What the form asks. Null is the page for any order. A link goes to the order's own email only. */
function fieldsOf({ service }: Api, known: PageOrder | null): Field[] {
  if (!service.merchant.mail.sending) return [...(known ? [] : [NUMBER]), ORDER_EMAIL, ZIP];
  return known ? [] : [ORDER_EMAIL, { ...NUMBER, optional: true }];
}

const READERS = {
  number: text({ what: "The order number", most: LIMITS.email_characters, rules: [inOneLine] }),
  email: Email,
  postal_code: ZipCode,
};
const SoughtForm = z.strictObject(READERS).partial();

const missingText = (name: string): string =>
  READERS[name as keyof typeof READERS].safeParse("").error!.issues[0]!.message;

/** Opens the order's page or mails its link. The answer tells nobody which orders exist. */
export async function findOrder(api: Api, known: PageOrder | null, res: Response): Promise<void> {
  const { merchant, limits } = api.service;
  const fields = fieldsOf(api, known);
  const most = LIMITS.email_characters;
  const typed = fields.map(({ name }) => [name, fieldIn(res.req.body, name, most).trim()] as const);
  const values = Object.fromEntries(typed);
  const again = (problems: FieldProblem[]) =>
    sendFormAgain(res, findOrderPage(api, known, values, problems), 422);
  const missing = fields.filter(({ name, optional }) => !optional && values[name] === "");
  const read = parseInput(SoughtForm, Object.fromEntries(typed.filter(([, text]) => text !== "")));
  if (missing.length > 0 || !read.success) {
    return again([
      ...missing.map(({ name }) => ({ field: name, message: missingText(name) })),
      ...(read.success ? [] : read.issues).map(({ path: [field], message }) => ({
        field: String(field),
        message,
      })),
    ]);
  }
  limits.charge({ find_order: 1 }, { address: callerAddress(res.req) });
  const { number, email = null, postal_code: zip = null } = read.data;
  const page = await merchant.orders.find({ called: known?.quoteId ?? number ?? null, email, zip });
  if (page !== null) return res.redirect(303, page);
  if (merchant.mail.sending) return sendPage(res, SENT);
  const message = known
    ? "This order has another email or ZIP code."
    : "We found no order with this number, email and ZIP code.";
  again([{ field: fields[0]!.name, message }]);
}

const SENT: Page = {
  title: "Check your email",
  lede: "If there is such an order, its link is on the way to the email that it was ordered with.",
  body: html`<p>It can take some minutes. Nothing there? Look into your spam folder, or
    <a href="${FIND_ORDER_PATH}">try again</a>.</p>`,
};

function findOrderPage(
  api: Api,
  known: PageOrder | null,
  values: Record<string, string> = {},
  problems: FieldProblem[] = [],
): Page {
  const { sending } = api.service.merchant.mail;
  const fields = fieldsOf(api, known);
  const action = known ? `/checkout/${known.token}` : FIND_ORDER_PATH;
  const button = sending ? "Email me the link" : known ? "Show my order" : "Find my order";
  const form = html`<form class="slip form" method="post" action="${action}" novalidate>
    ${fields.map((field) => formField({ ...field, value: values[field.name] }, problems))}
    <button type="submit">${button}</button>
  </form>`;
  const shown = {
    ...(problems.length > 0 && { title: "Please check your details" }),
    top: problemSummary(problems, form),
  };
  if (!known) {
    const heading = "Find my order";
    const lede = "See where your coffee is, ask to cancel, or order it again.";
    return { title: heading, heading, lede, body: form, ...shown };
  }
  const heading = `Order ${known.number}`;
  const lede = `Paid. Status: ${buyerStatus(known.status)}.`;
  return { title: heading, heading, lede, body: html`${howTo(sending)} ${form} ${MORE}`, ...shown };
}

const howTo = (sending: boolean): Markup =>
  html`<p>The order’s page opens in the browser where you paid. ${
    sending
      ? "To open it here, let us email its link to the address you ordered with."
      : "To open it here, tell us the email and a ZIP code of the order."
  }</p>`;

const MORE = html`<p><a class="quiet-link" href="/#beans">Order more coffee</a></p>`;
