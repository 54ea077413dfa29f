import type { Admin } from "../../merchant/merchant.ts";
import { shopMoment } from "../pages/format.ts";
import { html, type Renderable } from "../pages/html.ts";
import { actForm, disclosure } from "./forms.ts";
import { code, theirs } from "./frame.ts";
import { listPage, newestFirst } from "./list.ts";
import type { DeskRoute } from "./route.ts";

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
      do: (admin, fields) => admin.keys.revoke(fields("agent")),
      done: "The key is revoked. Its orders stay.",
    },
  },
};

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
