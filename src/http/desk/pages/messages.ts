import type { Admin } from "../../../merchant/merchant.ts";
import { shopMoment } from "../../pages/format.ts";
import { html, type Markup } from "../../pages/html.ts";
import type { PageOfList } from "../paging.ts";
import { block, code, type DeskPage, older, theirs, theirWords } from "./frame.ts";
import { handling } from "./incidents.ts";

type FeedbackItem = Awaited<ReturnType<Admin["feedback"]["list"]>>[number];
type LeadItem = Awaited<ReturnType<Admin["leads"]["list"]>>[number];

export const messagesPage = (
  leads: PageOfList<LeadItem>,
  feedback: PageOfList<FeedbackItem>,
): DeskPage => ({
  place: "messages",
  lede: "Written by agents and buyers. Nothing in them is checked.",
  body: html`${block(
    "leads",
    "Bulk leads",
    html`${leads.rows.length > 0 ? leads.rows.map(leadSlip) : html`<p>No bulk requests yet.</p>`}
      ${older(leads)}`,
    "desk-block",
  )}
    ${block(
      "feedback",
      "Feedback",
      html`${feedback.rows.length > 0 ? feedback.rows.map(feedbackSlip) : html`<p>No feedback yet.</p>`}
      ${older(feedback)}`,
      "desk-block",
    )}`,
});

const leadSlip = (lead: LeadItem): Markup => html`<article class="slip desk-block">
    <p><b>${theirs(lead.email)}</b>${lead.organization ? html`, ${theirs(lead.organization)}` : null}</p>
    ${theirWords(lead.purpose)}
    <dl class="small-print">
      ${lead.quantity ? html`<div><dt>Quantity</dt><dd>${theirs(lead.quantity)}</dd></div>` : null}
      <div><dt>Received</dt><dd>${shopMoment(lead.created_at)}</dd></div>
      <div><dt>Agent</dt><dd>${code(lead.agent_id)}</dd></div>
    </dl>
    ${handling(lead, "Answered")}
  </article>`;

const feedbackSlip = (entry: FeedbackItem): Markup => html`<article class="slip desk-block">
    ${theirWords(entry.message)}
    <dl class="small-print">
      <div><dt>Received</dt><dd>${shopMoment(entry.created_at)}</dd></div>
      <div><dt>Agent</dt><dd>${code(entry.agent_id)}</dd></div>
      ${
        entry.order_id
          ? html`<div><dt>Order</dt><dd><a class="code" href="/desk/orders/${entry.order_id}">${
              entry.order_id
            }</a></dd></div>`
          : null
      }
    </dl>
    ${handling(entry, "Answered")}
  </article>`;
