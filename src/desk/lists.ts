import { span, TIMES } from "../core/policy.ts";
import {
  AUDIT_COLUMNS,
  INCIDENT_COLUMNS,
  KEY_COLUMNS,
  WAITLIST_COLUMNS,
} from "../merchant/list-columns.ts";
import type { Admin, Merchant } from "../merchant/merchant.ts";
import { disclosure } from "../web/form-parts.ts";
import { shopMoment } from "../web/format.ts";
import { html, type Renderable } from "../web/html.ts";
import { actForm, HANDLE, handling } from "./forms.ts";
import { theirs, theirWords } from "./frame.ts";
import { firstInTurn, listPage, newestFirst, shared } from "./list-page.ts";
import { statusChip } from "./order-parts.ts";
import type { DeskRoute } from "./route.ts";

/** Pages that are lists: agents, the waitlist, letters, the log and incidents. */

type AgentKey = Awaited<ReturnType<Admin["keys"]["list"]>>[number];

export const agents: DeskRoute = {
  place: "agents",
  show: async ({ req, admin }) =>
    listPage(await newestFirst(req, admin.keys.list), {
      lede: "Agents with a key. They chose these names and addresses themselves.",
      short: true,
      caption: "Agents and their keys",
      empty: "No agent has registered yet.",
      columns: [
        ...shared(KEY_COLUMNS.filter(({ kind }) => kind !== "id")),
        { name: "Status", cell: revoke },
      ],
    }),
  acts: {
    "keys.revoke": { done: "The key is revoked. Its orders stay." },
  },
};

function revoke({ id, name, revoked_at }: AgentKey): Renderable {
  if (revoked_at !== null) return html`${statusChip("REVOKED")} ${shopMoment(revoked_at)}`;
  return disclosure(
    "Revoke…",
    actForm(
      "keys.revoke",
      { of: { agent_id: id }, seen: null },
      html`<p>Ends the key at once and for good, with its finder keys and waitlist entries. Unpaid orders
      can’t be paid any more. Orders stay.</p>
      <button class="danger small" type="submit" aria-label="${`Revoke the key of ${name}`}">Revoke
        the key</button>`,
    ),
  );
}

export const waitlist: DeskRoute = {
  place: "waitlist",
  show: async ({ req, admin, merchant }) =>
    listPage(await firstInTurn(req, admin.waitlist.list), {
      lede: merchant.mail.sending
        ? html`First come, first served per bean. <a href="/desk/stock">Set the stock</a>, and free bags
      are offered to the next in turn for ${span(TIMES.waitlist_offer_ms)}.`
        : "Without a mail server (SMTP_URL) nobody gets an offer and no bags are held: the first to pay gets them.",
      caption: "Waitlist entries in turn",
      empty: "The waitlist is empty.",
      columns: [
        ...shared(WAITLIST_COLUMNS),
        {
          name: "Remove",
          cell: ({ id, buyer }) =>
            disclosure(
              "Remove…",
              actForm(
                "waitlist.remove",
                { of: { entry_id: id }, seen: null },
                html`<button class="danger small" type="submit"
                  aria-label="${`Remove ${buyer.email} from the waitlist`}">Remove</button>`,
              ),
            ),
        },
      ],
      rest: "Next",
    }),
  acts: { "waitlist.remove": { done: "The place is removed." } },
};

type DeskLetter = Awaited<ReturnType<Merchant["mail"]["list"]>>[number];

export const mail: DeskRoute = {
  place: "mail",
  async show({ req, merchant }) {
    const { list, sending } = merchant.mail;
    return listPage(await newestFirst(req, list), {
      lede: sending
        ? "Letters to buyers and to you, newest first."
        : `No mail server is set up (SMTP_URL). Letters of the last ${span(TIMES.mail_news_ms)} to buyers, and to you if MERCHANT_EMAIL is set, go out once one is.`,
      short: true,
      caption: "Letters, newest first",
      empty: "No letters yet.",
      columns: [
        { name: "Letter", cell: (row) => row.letter.subject },
        { name: "To", cell: (row) => theirs(row.letter.to) },
        { name: "When", cell: (row) => shopMoment(row.created_at) },
        { name: "State", cell: (row) => sent(row, sending) },
        {
          name: "Text",
          cell: (row) =>
            disclosure(
              "Read",
              html`${row.sent_at && !row.as_sent && html`<p class="hint">As it would read now.</p>`}
              ${theirWords(row.letter.text)}`,
            ),
        },
      ],
    });
  },
};

function sent(row: DeskLetter, sending: boolean): string {
  if (row.sent_at) return `Sent ${shopMoment(row.sent_at)}`;
  if (row.try_at === null) return `Not sent. ${row.error ?? ""}`;
  if (row.error) return `Will be tried again ${shopMoment(row.try_at)}: ${row.error}`;
  return sending ? "Waiting to be sent" : "Waits for a mail server";
}

export const log: DeskRoute = {
  place: "log",
  show: async ({ req, admin }) =>
    listPage(await newestFirst(req, admin.audit.list), {
      lede: "Every act of the merchant, here and on the command line, newest first.",
      caption: "Acts, newest first",
      empty: "Nothing done yet.",
      columns: shared(AUDIT_COLUMNS),
      short: true,
      foot: html`<form class="cluster" method="post" action="/desk/sign-out">
      <input type="hidden" name="everywhere" value="yes">
      <button class="quiet" type="submit">Sign out everywhere</button>
    </form>`,
    }),
};

export const incidents: DeskRoute = {
  place: "incidents",
  show: async ({ req, admin }) =>
    listPage(await newestFirst(req, admin.incidents.list), {
      lede: "Problems with money or stock that need a look.",
      caption: "Incidents, newest first",
      empty: "Nothing has gone wrong.",
      columns: [
        ...shared(INCIDENT_COLUMNS),
        { name: "Handled", cell: (row) => handling(row, "Handled") },
      ],
    }),
  acts: HANDLE,
};
