import type { Express } from "express";
import type { Api } from "../api/api.ts";
import { underWayText } from "../merchant/erase.ts";
import type { Admin } from "../merchant/merchant.ts";
import { statusText } from "../orders/status-words.ts";
import { fieldIn } from "../web/body.ts";
import { money, shopMoment } from "../web/format.ts";
import { html } from "../web/html.ts";
import { mountForm } from "../web/routes.ts";
import { actForm } from "./forms.ts";
import { block, theirs, theirWords } from "./frame.ts";
import { records } from "./list-page.ts";
import { orderLink, statusChip } from "./order-parts.ts";
import { actorIn, type DeskRoute } from "./route.ts";

/** Page of a customer, whom the shop knows by an email alone. */
export const customerPage = (email: string): string =>
  `/desk/customers?${new URLSearchParams({ email })}`;

const EXPORT = "/desk/export/customer.json";

/** Orders and messages of an email, with the two things that a person may ask for by law. */
export const customer: DeskRoute = {
  place: "orders",
  path: "/desk/customers",
  async show({ req, admin }) {
    const email = fieldIn(req.query, "email");
    const { orders, messages } = await admin.customers.show({ email });
    return {
      title: "Customer",
      lede: html`<a href="mailto:${email}">${theirs(email)}</a>`,
      body: html`${
        orders.length === 0
          ? html`<p>No orders.</p>`
          : records(
              "Orders, newest first",
              orders,
              [
                { name: "Order", cell: orderLink },
                { name: "Ordered", cell: (row) => shopMoment(row.created_at) },
                { name: "Status", cell: ({ status }) => statusChip(status, statusText(status)) },
                { name: "Paid", number: true, cell: (row) => money(row.amount_minor) },
              ],
              "short",
            )
      }
    ${
      messages.length > 0 &&
      block(
        "messages",
        "Messages",
        messages.map(
          (row) => html`${theirWords(row.message)}
          <p class="hint">${shopMoment(row.created_at)}</p>`,
        ),
      )
    }
    ${block(
      "data",
      "Personal data",
      html`<form class="form" method="post" action="${EXPORT}">
        <input type="hidden" name="email" value="${email}">
        <p>A person may ask for a copy of what you know about them.</p>
        <button class="quiet" type="submit">Download the data</button></form>
      ${actForm(
        "customers.erase",
        { of: { email }, seen: null },
        html`<p>Or to be forgotten: email, names, addresses, notes and messages. Amounts, bags, dates and what happened stay for the books.</p>
        <button class="danger" type="submit">Erase this customer…</button>`,
      )}`,
    )}`,
    };
  },
  acts: {
    "customers.erase": {
      async confirm(_request, fields) {
        if (fields("confirmed") !== "") return null;
        const email = fields("email");
        return {
          title: "Erase a customer",
          lede: "This can’t be undone. Orders and payments under way are erased when they end.",
          body: html`<p>${theirs(email)}</p>
          <div class="cluster">${actForm(
            "customers.erase",
            { of: { email }, seen: null, with: { confirmed: "on" } },
            html`<button class="danger" type="submit">Erase for good</button>`,
          )} <a class="button quiet" href="${customerPage(email)}">Back</a></div>`,
        };
      },
      done: (_fields, { result }) => {
        const erased = result as Awaited<ReturnType<Admin["customers"]["erase"]>> | undefined;
        return erased && erased.under_way > 0
          ? `Erased, except what is erased once it ends: ${underWayText(erased)}.`
          : "The customer is erased.";
      },
      to: () => "/desk/orders",
    },
  },
};

/** Sent as a form, because the log keeps that the data were given away. */
export function mountCustomerExport(app: Express, { service, edge }: Api): void {
  mountForm(app, edge, EXPORT, {
    post: async (req, res) => {
      const admin = service.merchant.admin(actorIn(res));
      const data = await admin.customers.export({ email: fieldIn(req.body, "email").trim() });
      res.attachment("customer.json").json(data);
    },
  });
}
