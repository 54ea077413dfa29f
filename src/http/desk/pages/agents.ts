import type { Admin } from "../../../merchant/merchant.ts";
import { shopMoment } from "../../pages/format.ts";
import { html, type Renderable } from "../../pages/html.ts";
import type { PaymentMode } from "../../pages/layout.ts";
import type { PageOfList } from "../paging.ts";
import {
  type ActionResult,
  actForm,
  code,
  deskPage,
  disclosure,
  head,
  older,
  records,
  theirs,
} from "./frame.ts";

type AgentKey = Awaited<ReturnType<Admin["keys"]["list"]>>[number];

export interface AgentsView {
  mode: PaymentMode;
  list: PageOfList<AgentKey>;
  said: ActionResult | undefined;
}

export function agentsPage({ mode, list, said }: AgentsView): string {
  return deskPage({
    mode,
    title: "Agents",
    place: "agents",
    said,
    body: html`${head("Agents", "Who has a key. Names and addresses are what they gave themselves.")}
    ${
      list.rows.length === 0
        ? html`<p>No agent has registered yet.</p>`
        : records("Agents and their keys", list.rows, [
            { name: "Name", cell: (row) => html`${theirs(row.name)}<br>${code(row.id)}` },
            { name: "Contact", cell: (row) => theirs(row.contact_email) },
            { name: "Key", cell: (row) => code(`${row.key_prefix}…`) },
            { name: "Since", cell: (row) => shopMoment(row.created_at) },
            { name: "Status", cell: revoke },
          ])
    }
    ${older(list)}`,
  });
}

function revoke({ id, name, revoked_at }: AgentKey): Renderable {
  if (revoked_at !== null)
    return html`<span class="chip chip-warn">Revoked</span> ${shopMoment(revoked_at)}`;
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
