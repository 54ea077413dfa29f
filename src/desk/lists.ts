import { bags } from "../core/bags.ts";
import { span, TIMES } from "../core/policy.ts";
import type { Admin, Merchant } from "../merchant/merchant.ts";
import { beanCell } from "../web/bean-view.ts";
import { disclosure } from "../web/form-parts.ts";
import { humanStatus, money, shopMoment } from "../web/format.ts";
import { html, type Renderable } from "../web/html.ts";
import { actForm } from "./forms.ts";
import { code, theirs, theirWords } from "./frame.ts";
import { subject } from "./incidents.ts";
import { firstInTurn, listPage, newestFirst } from "./list-page.ts";
import { statusChip } from "./order-parts.ts";
import type { DeskRoute } from "./route.ts";

/** What is looked up now and then: agents, the waitlist, letters, and what the merchant did. */

type AgentKey = Awaited<ReturnType<Admin["keys"]["list"]>>[number];

export const agents: DeskRoute = {
  place: "agents",
  show: async ({ req, admin }) =>
    listPage(await newestFirst(req, admin.keys.list), {
      lede: "Who has a key. Names and addresses are what they gave themselves.",
      caption: "Agents and their keys",
      empty: "No agent has registered yet.",
      columns: [
        { name: "Name", cell: (row) => html`${theirs(row.name)}<br>${code(row.id)}` },
        { name: "Contact", cell: (row) => theirs(row.contact_email) },
        { name: "Key", cell: (row) => code(`${row.key_prefix}…`) },
        { name: "Since", cell: (row) => shopMoment(row.created_at) },
        { name: "Status", cell: revoke },
      ],
    }),
  acts: {
    revoke: {
      do: (admin, fields) => admin.keys.revoke({ agent_id: fields("agent") }),
      done: "The key is revoked. Its orders stay.",
    },
  },
};

function revoke({ id, name, revoked_at }: AgentKey): Renderable {
  if (revoked_at !== null) return html`${statusChip("REVOKED")} ${shopMoment(revoked_at)}`;
  return disclosure(
    "Revoke…",
    actForm(
      "revoke",
      { agent: id },
      html`<p>The key stops at once, for good, with its finder keys and its places on the waitlist. Quotes
      that are not paid can no longer be. Orders stay.</p>
      <button class="danger small" type="submit" aria-label="${`Revoke the key of ${name}`}">Revoke
        the key</button>`,
    ),
  );
}

export const waitlist: DeskRoute = {
  place: "waitlist",
  show: async ({ req, admin }) =>
    listPage(await firstInTurn(req, admin.waitlist.list), {
      lede: html`First come, first served per bean. <a href="/desk/stock">Set the stock</a>, and free bags
      are offered to the next in turn for ${span(TIMES.waitlist_offer_ms)}.`,
      caption: "Who waits, in turn",
      empty: "The waitlist is empty.",
      columns: [
        { name: "Bean", cell: beanCell },
        { name: "Place", number: true, cell: (row) => row.position ?? "–" },
        { name: "Wants", cell: (row) => bags(row.quantity) },
        {
          name: "Status",
          cell: (row) => html`${statusChip(row.status)}
    ${row.offer_expires_at && html`until ${shopMoment(row.offer_expires_at)}`}`,
        },
        { name: "Buyer", cell: (row) => theirs(row.buyer.email) },
        { name: "Since", cell: (row) => shopMoment(row.created_at) },
        {
          name: "",
          cell: ({ id, buyer }) =>
            disclosure(
              "Remove…",
              actForm(
                "remove",
                { entry: id },
                html`<button class="danger small" type="submit"
                  aria-label="${`Remove ${buyer.email} from the waitlist`}">Remove</button>`,
              ),
            ),
        },
      ],
      rest: "Next",
    }),
  acts: {
    remove: {
      do: (admin, fields) => admin.waitlist.remove({ entry_id: fields("entry") }),
      done: "The place is removed.",
    },
  },
};

type DeskLetter = Awaited<ReturnType<Merchant["mail"]["list"]>>[number];

export const mail: DeskRoute = {
  place: "mail",
  async show({ req, merchant }) {
    const { list, sending } = merchant.mail;
    return listPage(await newestFirst(req, list), {
      lede: sending
        ? "Letters to buyers and to you, newest first."
        : "No mail server is set up (SMTP_URL), so nothing is sent. This is what would have gone out: to buyers, and to you where MERCHANT_EMAIL is set.",
      caption: "Letters, newest first",
      empty: "No letters yet.",
      columns: [
        { name: "Letter", cell: (row) => row.letter?.subject ?? humanStatus(row.kind) },
        { name: "To", cell: (row) => (row.letter ? theirs(row.letter.to) : "no recipient") },
        { name: "When", cell: (row) => shopMoment(row.created_at) },
        { name: "State", cell: (row) => sent(row, sending) },
        {
          name: "Text",
          cell: (row) => row.letter && disclosure("Read", theirWords(row.letter.text)),
        },
      ],
    });
  },
};

function sent(row: DeskLetter, sending: boolean): string {
  if (row.sent_at) return `Sent ${shopMoment(row.sent_at)}`;
  if (row.try_at === null) return `Not sent. ${row.error ?? ""}`;
  if (!row.letter) return "Not sent: it has no recipient";
  if (row.error) return `Will be tried again ${shopMoment(row.try_at)}: ${row.error}`;
  return sending ? "Waiting to be sent" : "Would have been sent";
}

type LogEntry = Awaited<ReturnType<Admin["audit"]["list"]>>[number];

export const log: DeskRoute = {
  place: "log",
  show: async ({ req, admin }) =>
    listPage(await newestFirst(req, admin.audit.list), {
      lede: "Every act of the merchant, here and on the command line, newest first.",
      caption: "Acts, newest first",
      empty: "Nothing done yet.",
      columns: [
        { name: "Act", cell: (row) => code(row.act) },
        { name: "When", cell: (row) => shopMoment(row.at) },
        { name: "By", cell: (row) => (row.actor === "cli" ? "command line" : row.actor) },
        { name: "About", cell: (row) => subject(row.subject) },
        { name: "Detail", cell: (row) => detail(row.detail) },
      ],
      short: true,
      foot: html`<form class="cluster" method="post" action="/desk/sign-out">
      <input type="hidden" name="everywhere" value="yes">
      <button class="quiet" type="submit">Sign out everywhere</button>
    </form>`,
    }),
};

const detail = (of: LogEntry["detail"]): Renderable =>
  Object.entries(of).map(([name, value]) => {
    const amount = name.endsWith("_minor") && typeof value === "number";
    const said = amount ? money(value) : subjectOrText(String(value));
    const called = name.replace(/_minor$/, "").replaceAll("_", " ");
    return html`<span class="breakable">${called}: ${said}</span><br>`;
  });

/** Ids of ours lead to what they are of. */
const subjectOrText = (value: string): Renderable =>
  /^[a-z]{2,4}_[0-9a-f]{32}$/.test(value) ? subject(value) : value;
