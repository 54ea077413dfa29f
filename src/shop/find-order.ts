import type { Express } from "express";
import type { Api } from "../api/api.ts";
import { customerOf, Email } from "../core/email.ts";
import { LIMITS } from "../core/policy.ts";
import { fieldIn } from "../web/body.ts";
import { EMAIL, formField, problemSummary } from "../web/form-parts.ts";
import { html } from "../web/html.ts";
import type { Page } from "../web/layout.ts";
import { sendFormAgain, sendPage } from "../web/page-answers.ts";
import { callerAddress } from "../web/request-context.ts";
import { mountForm } from "../web/routes.ts";

const FIND_ORDER_PATH = "/find-order";

/** A page for buyers who lost the link: number and email of an order lead to it. */
export function mountFindOrder(app: Express, { service, edge }: Api): void {
  const { merchant, limits } = service;
  mountForm(app, edge, FIND_ORDER_PATH, {
    get: (_req, res) => sendPage(res, findOrderPage()),
    async post(req, res) {
      const typed = {
        number: fieldIn(req.body, "number", LIMITS.id_characters),
        email: fieldIn(req.body, "email", LIMITS.email_characters),
      };
      const { success, data: email } = Email.safeParse(typed.email);
      if (success) {
        const who = { own: customerOf(email), address: callerAddress(req) };
        limits.charge({ find_order: 1 }, who);
        const page = await merchant.reviews.pageOf(typed.number.trim(), email);
        if (page !== null) return res.redirect(303, page);
      }
      sendFormAgain(res, findOrderPage(typed, true), 422);
    },
  });
}

/** A wrong number reads like a wrong email: nobody learns which orders exist. */
function findOrderPage(
  typed: { number: string; email: string } = { number: "", email: "" },
  isWrong = false,
): Page {
  const problems = isWrong
    ? [{ field: "number", message: "We found no order with this number and email." }]
    : [];
  const form = html`<form class="slip form" method="post" action="${FIND_ORDER_PATH}" novalidate>
      ${formField(
        {
          name: "number",
          label: "Order number",
          hint: "Such as 1042. It’s on your receipt.",
          value: typed.number,
          inputmode: "numeric",
          autocomplete: "off",
          maxlength: 20,
        },
        problems,
      )}
      ${formField({ ...EMAIL, label: "Email of the order", value: typed.email })}
      <button type="submit">Find my order</button>
    </form>`;
  return {
    title: isWrong ? "Please check number and email" : "Find my order",
    heading: "Find my order",
    lede: "See where your coffee is, ask to cancel, or order it again.",
    top: problemSummary(problems, form),
    body: form,
  };
}
