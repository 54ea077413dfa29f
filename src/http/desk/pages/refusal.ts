import type { MerchantError } from "../../../domain/shared/errors.ts";
import { html } from "../../pages/html.ts";
import type { DeskPage } from "./frame.ts";

/** A refusal that belongs to no form: an address that is none, a page of another time. */
export const refusalPage = ({ code, message, problems }: MerchantError): DeskPage => ({
  title: code === "NOT_FOUND" ? "There is nothing here" : "Nothing was changed",
  lede: message,
  body: html`${problems.length > 1 ? html`<ul>${problems.map(({ detail }) => html`<li>${detail}</li>`)}</ul>` : null}
    <p class="cluster"><a class="button" href="/desk">To what waits today</a>
      <a class="button quiet" href="/desk/orders">Look for an order</a></p>`,
});
