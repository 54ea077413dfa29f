import type { Admin } from "../merchant/merchant.ts";
import { shopMoment } from "../web/format.ts";
import { html, type Markup } from "../web/html.ts";
import { HANDLE, handling } from "./forms.ts";
import { block, theirs, theirWords } from "./frame.ts";
import { newestFirst, older, type PageOfList } from "./list-page.ts";
import { orderLink } from "./order-parts.ts";
import type { DeskRoute } from "./route.ts";

/** Mail programs and browsers cut longer links. */
const MOST_QUOTED = 1200;

/** Opens a letter in the merchant's mail program. */
export function letterLink(
  words: string,
  to: string | null,
  subject: string,
  text: string,
): Markup | null {
  if (!to?.includes("@")) return null;
  const part = (value: string) => encodeURIComponent(value.replaceAll("\n", "\r\n"));
  const address = part(to).replaceAll("%40", "@");
  return html`<a class="button small" href="mailto:${address}?subject=${part(subject)}&body=${part(text)}">${words}</a>`;
}

/** Opens a letter to the sender that quotes the message. */
export function replyLink(to: string | null, subject: string, text: string): Markup | null {
  const quote = text.slice(0, MOST_QUOTED).toWellFormed().replace(/^/gm, "> ");
  return letterLink("Reply", to, `Re: ${subject}`, `\n\n${quote}`);
}

/** Leads to the order's own form for letters; without an order or a mail server, to a mail program. */
export const answerLink = (
  {
    id,
    email,
    order_id,
    number,
    text,
  }: {
    id: string;
    email: string | null;
    order_id: string | null;
    number?: number | undefined;
    text: string;
  },
  sending: boolean,
): Markup | null =>
  sending && order_id
    ? html`<a class="button small" href="/desk/orders/${order_id}?answer=${id}#messages">Answer…</a>`
    : replyLink(email, number ? `Order #${number}` : "Your message", text);

type FeedbackItem = Awaited<ReturnType<Admin["feedback"]["list"]>>[number];
type LeadItem = Awaited<ReturnType<Admin["leads"]["list"]>>[number];

/** Bulk leads and feedback, each in its own list. */
export const messages: DeskRoute = {
  place: "messages",
  async show({ req, admin, merchant }) {
    const leads = await newestFirst(req, admin.leads.list, "leads");
    const feedback = await newestFirst(req, admin.feedback.list, "feedback");
    return {
      body: html`${leads.rows.length > 0 && messageList(["leads", "Bulk requests"], leads, leadSlip)}
    ${feedback.rows.length > 0 ? messageList(["feedback", "From agents and buyers"], feedback, (row) => feedbackSlip(row, merchant.mail.sending)) : html`<p>No messages yet.</p>`}`,
    };
  },
  acts: HANDLE,
};

const messageList = <R>(
  [id, title]: readonly [id: string, title: string],
  list: PageOfList<R>,
  slip: (row: R) => Markup,
): Markup => block(id, title, html`${list.rows.map(slip)} ${older(list)}`, "desk-block");

const agentRow = ({ agent_name, agent_email }: FeedbackItem | LeadItem): Markup =>
  html`<div><dt>${agent_name === null ? "From" : "Agent"}</dt><dd>${agent_name && theirs(agent_name)} ${agent_email && theirs(agent_email)}</dd></div>`;

const leadSlip = (lead: LeadItem): Markup => html`<article class="slip desk-block">
    <p><b>${theirs(lead.email)}</b>${lead.organization && html`, ${theirs(lead.organization)}`}</p>
    ${theirWords(lead.purpose)}
    <dl class="small-print">
      ${lead.quantity && html`<div><dt>Quantity</dt><dd>${theirs(lead.quantity)}</dd></div>`}
      <div><dt>Received</dt><dd>${shopMoment(lead.created_at)}</dd></div>
      ${agentRow(lead)}
    </dl>
    <div class="cluster">${replyLink(lead.email, "Your request", lead.purpose)} ${handling(lead, "Answered")}</div>
  </article>`;

function feedbackSlip(entry: FeedbackItem, sending: boolean): Markup {
  const { order_id, number } = entry;
  return html`<article class="slip desk-block">
    ${theirWords(entry.message)}
    <dl class="small-print">
      <div><dt>Received</dt><dd>${shopMoment(entry.created_at)}</dd></div>
      ${agentRow(entry)}
      ${order_id && html`<div><dt>Order</dt><dd>${orderLink({ order_id, number })}</dd></div>`}
    </dl>
    <div class="cluster">${answerLink({ ...entry, email: entry.buyer_email ?? entry.agent_email, text: entry.message }, sending)} ${handling(entry, "Answered")}</div>
  </article>`;
}
