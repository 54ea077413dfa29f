import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import type { CatalogBean } from "../catalog/admin-catalog.ts";
import { Email } from "../core/email.ts";
import { MerchantError } from "../core/errors.ts";
import { display, sum } from "../core/money.ts";
import { FIRST_ORDER } from "../core/policy.ts";
import { days } from "../core/time.ts";
import {
  AUDIT_COLUMNS,
  INCIDENT_COLUMNS,
  KEY_COLUMNS,
  ORDER_COLUMNS,
  STOCK_COLUMNS,
  WAITLIST_COLUMNS,
} from "../merchant/list-columns.ts";
import type { Admin } from "../merchant/merchant.ts";
import { SHIPMENT_STEPS, type ShipmentStep } from "../orders/order-steps.ts";
import { EXPORTS, Month } from "../orders/sales-verbs.ts";
import { type Commands, list, onOrder, onOrders, over, own, type RowOf, rows } from "./command.ts";
import { askedBy, type Columns, orderText, table } from "./text.ts";

const MOVES: Record<Exclude<ShipmentStep, "SHIPPED">, string> = {
  IN_TRANSIT: "Mark as in transit; also after a failed try.",
  OUT_FOR_DELIVERY: "Mark as out for delivery.",
  DELIVERED: "Mark as delivered.",
  FAILED: "Mark a delivery as failed; it can be in transit again, or returned.",
  RETURNED: "Mark as returned; it can be sent again or refunded.",
};

const moves = (Object.entries(MOVES) as [keyof typeof MOVES, string][]).map(([to, does]) => [
  `shipments ${SHIPMENT_STEPS[to].act} <shipment_id>`,
  onOrder(does, (admin) => admin.shipments.move, { to }),
]);

const STOCK: Columns<RowOf<"stock">> = [...STOCK_COLUMNS, "low_at"];
const stocked = (row: RowOf<"stock">): string => table([row], STOCK, "");
const ENTRIES: Columns<RowOf<"waitlist">> = ["id", ...WAITLIST_COLUMNS];

const beans = (found: readonly CatalogBean[]): string =>
  table(
    found,
    [
      "product_id",
      ["Name", ({ published, draft }) => (published ?? draft?.product)?.name_to_use_with_humans],
      ["Price", ({ published }) => published && display(published.price_minor)],
      ["On sale", (bean) => (bean.on_sale ? "yes" : "no")],
      ["Draft", (bean) => (bean.draft ? "yes" : null)],
    ],
    "No beans yet.",
  );

/** Acts on an order, which is shown afterwards, by the usage that names the verb. */
const ACTS = {
  "orders roast <order_id>": "Start roasting an order: its shipments become ROASTING.",
  "orders cancel <order_id>": "Cancel an order before anything has shipped.",
  "orders note <order_id>": "Add an internal note to an order; no agent and no buyer reads it.",
  "orders refund <order_id>":
    "Refund an order, in full or in part. The service sends it after ten minutes.",
  "refunds undo <refund_id>": "Undo a refund that was not sent yet, within ten minutes.",
  "shipments ship <shipment_id>": "Mark a roasted or returned shipment as shipped.",
  "shipments refund <shipment_id>":
    "Refund what was paid for a returned shipment. The service sends it after ten minutes.",
  "shipments undo <shipment_id>":
    "Undo a shipment's last step within ten minutes; roasting for the whole order.",
  "shipments correct <shipment_id>":
    "Correct the carrier and tracking number of a shipped shipment.",
  "shipments cancel <shipment_ids...>": "Cancel unshipped shipments of one order; the rest stays.",
  "cancellations accept <request_id>": "Accept a request and cancel its shipments.",
  "cancellations decline <request_id>": "Decline a request; the order goes on.",
};

export const COMMANDS: Commands = {
  "orders list": list("orders", "All orders, newest first.", [
    ...ORDER_COLUMNS,
    ["Shipments", (order) => order.shipments.length],
    "id",
  ]),
  "orders show <order_id>": over(
    "One order with its shipments, notes, payment and refunds.",
    (admin) => admin.orders.show,
    orderText,
  ),
  "refunds list": rows(
    "Refunds that the provider has not taken yet, with the end of their undo time.",
    (admin: Admin) => admin.refunds.waiting,
    [
      "id",
      ["Order", ({ number, order_id }) => number ?? order_id],
      ["Amount", ({ amount_minor }) => display(amount_minor)],
      "undo_until",
      "problem",
    ],
  ),
  ...Object.fromEntries([...onOrders(ACTS), ...moves]),
  "shipments address <shipment_id>": onOrder(
    "Change the address of an unshipped or returned shipment. The price stays.",
    (admin) => admin.shipments.changeAddress,
  ),
  "cancellations list": list("cancellations", "All cancel requests, newest first.", [
    "id",
    "status",
    "order_id",
    "created_at",
    "asked_by",
    ["Shipments", (request) => request.shipment_ids.length || "all"],
    "reason_code",
    "message",
  ]),
  "cancellations accept-refund <request_id>": onOrder(
    "Accept a request, cancel its shipments and refund them at once.",
    (admin) => admin.cancellations.accept,
    { refund: true },
  ),
  "stock list": list(
    "stock",
    "Bags per bean: on hand, held by payments and waitlist offers, free.",
    STOCK,
  ),
  "stock set <product_id> <on_hand>": over(
    "Set the bags on hand. Free bags are offered to the waitlist.",
    (admin) => admin.stock.set,
    stocked,
  ),
  "stock receive <product_id> <bags>": over(
    "Add bags that came in.",
    (admin) => admin.stock.receive,
    stocked,
  ),
  "stock low <product_id> <low_at>": over(
    "Warn on the desk's first page when fewer bags than this are free.",
    (admin) => admin.stock.setLow,
    stocked,
  ),
  "waitlist list": list("waitlist", "Live entries in turn, with offers.", ENTRIES),
  "waitlist remove <entry_id>": over(
    "Remove an entry; its offered bags go to the next. Cannot be undone.",
    (admin) => admin.waitlist.remove,
    ({ id }) => `Removed ${id}\n`,
  ),
  "waitlist history": rows(
    "All entries, ended ones too, newest first.",
    (admin: Admin) => admin.waitlist.history,
    ENTRIES,
  ),
  "keys list": list("keys", "All agents, newest first.", [...KEY_COLUMNS, "revoked_at"]),
  "keys revoke <agent_id>": over(
    "Revoke a key, its finder keys and its waitlist entries. Orders stay.",
    (admin) => admin.keys.revoke,
    (agent) => `Revoked ${agent.id} at ${agent.revoked_at}\n`,
  ),
  "customers export <email>": over(
    "Everything that an erasure would cover, as JSON, to answer a person who asks.",
    (admin) => admin.customers.export,
    (data) => `${JSON.stringify(data, null, 2)}\n`,
  ),
  "customers erase <email>": over(
    "Erase a person's email, names, addresses, notes and messages for good. Amounts, bags and dates stay. Backups and the payment provider keep their copies.",
    (admin) => admin.customers.erase,
    (erased) => {
      const counts = Object.entries(erased).filter(([, count]) => count > 0);
      const where = counts.map(([what, count]) => `${what.replaceAll("_", " ")} ${count}`);
      return where.length === 0
        ? "No data found for this email.\n"
        : `Erased: ${where.join(", ")}.\n`;
    },
  ),
  "links renew": over(
    "Replace the secret behind review, cart and waitlist links, after a leak of the database or a backup. Then restart every instance: old links end, and agents, letters and the desk have new ones.",
    (admin) => admin.links.renew,
    () => "Renewed. Restart every instance now: until then old links work.\n",
  ),
  "courtesy first-order <on>": over(
    `Switch the first-order code ${FIRST_ORDER.code} on or off for new quotes.`,
    (admin) => admin.courtesy.firstOrder,
    ({ first_order }) => `${FIRST_ORDER.code} is ${first_order}\n`,
  ),
  "shop address <address>": over(
    "Set the return address on packing slips, with line breaks.",
    (admin) => admin.shop.setAddress,
    ({ address }) => `${address}\n`,
  ),
  "mail test": own(
    "Send a test letter and report the mail server's answer.",
    { to: Email.describe("The address to send it to.") },
    ({ mail }, input) => mail.test(input),
    ({ to }) => `The mail server accepted a test letter to ${to}.\n`,
  ),
  "desk link": own(
    "Print a sign-in link that works once, for 15 minutes.",
    {},
    ({ desk }) => desk.link(),
    ({ sign_in }) => `${sign_in}\n`,
  ),
  "desk sign-out": own(
    "End all sessions.",
    {},
    async ({ desk }) => {
      await desk.signOut("everywhere", "cli");
      return { signed_out: true };
    },
    () => "All sessions ended.\n",
  ),
  "desk renew": own(
    "Replace a leaked secret and print a link. Ends all sessions.",
    {},
    ({ desk }) => desk.renew(),
    ({ sign_in }) => `${sign_in}\n`,
  ),
  "catalog list": over(
    "Every bean, on sale or not, with unpublished drafts.",
    (admin) => admin.catalog.list,
    beans,
  ),
  "catalog move <product_id> <place>": over(
    "Move a bean to another place in the shop, counted from 1.",
    (admin) => admin.catalog.move,
    beans,
  ),
  "catalog export": over(
    "Print the beans on sale as a catalog file.",
    (admin) => admin.catalog.export,
    (file) => `${JSON.stringify(file, null, 2)}\n`,
  ),
  "catalog import <file>": own(
    "Publish a catalog file. Beans that it lacks are taken off sale.",
    { file: z.string() },
    (merchant, { file }) => merchant.admin("cli").catalog.import({ file: readText(file) }),
    ({ version, changed }) =>
      changed.length === 0
        ? "Nothing has changed.\n"
        : `Catalog ${version}: ${changed.join(", ")} changed.\n`,
  ),
  "feedback list": list("feedback", "Feedback, newest first.", [
    "created_at",
    "agent_id",
    "agent_email",
    "number",
    "order_id",
    "message",
    "handled_at",
  ]),
  "leads list": list("leads", "Bulk leads, newest first.", [
    "created_at",
    "agent_id",
    "agent_email",
    "email",
    "quantity",
    "organization",
    "purpose",
    "handled_at",
  ]),
  "incidents list": list("incidents", "Incidents, newest first.", [
    ...INCIDENT_COLUMNS,
    "handled_at",
  ]),
  "tasks list": own(
    "Cancel requests, overdue orders, refunds, failed and returned shipments, disputes, messages and incidents, longest waiting first.",
    {},
    async (merchant) => {
      const admin = merchant.admin("cli");
      const waiting = [admin.views.waiting(), admin.tasks.waiting()] as const;
      const [{ asking, requests, late }, tasks] = await Promise.all(waiting);
      return { ...tasks, late, requests: { count: asking, rows: requests } };
    },
    tasksText,
  ),
  "tasks handled <task_id>": over(
    "Mark a task as handled. A refund task then means that no money goes back.",
    (admin) => admin.tasks.handle,
    ({ handled_at }) => `Handled at ${handled_at}\n`,
  ),
  "audit list": list("audit", "Every act, newest first.", AUDIT_COLUMNS),
  "export <what>": {
    does: "Orders, bean lines, shipments or refunds as CSV on stdout, oldest first.",
    fields: z.object({
      what: z.enum(EXPORTS).describe("which book"),
      month: Month.optional().describe("only this month, such as 2026-03"),
    }),
    run: ({ sales }, input, json) => {
      if (json) throw new MerchantError("VALIDATION_FAILED", "This is CSV, not JSON.");
      const { what, month } = input as { what: (typeof EXPORTS)[number]; month?: string };
      return sales.csv(what, month);
    },
  },
  "backup <file>": own(
    "Copy the database into one file, while the service runs (SQLite).",
    { file: z.string().describe("the new file") },
    async ({ database }, { file }) => {
      if (existsSync(file))
        throw new MerchantError("ILLEGAL_STEP", `${file} exists already. Choose another name.`);
      await database.backup(file);
      return { file };
    },
    ({ file }) => `Copied to ${file}\n`,
  ),
};

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new MerchantError("VALIDATION_FAILED", `${file}: ${(error as Error).message}`);
  }
}

type Tasks = Awaited<ReturnType<Admin["tasks"]["waiting"]>>;
type Views = Awaited<ReturnType<Admin["views"]["waiting"]>>;

function tasksText({
  requests,
  late,
  refunds,
  failures,
  returns,
  disputes,
  messages,
  incidents,
}: Tasks & Pick<Views, "late"> & { requests: { count: number; rows: Views["requests"] } }): string {
  const row = (
    kind: string,
    task: string,
    since_or_until: string | null,
    about: string | null,
  ) => ({
    kind,
    task,
    since_or_until,
    about,
  });
  const stopped = (kind: string, { rows }: Tasks["returns"]) =>
    rows.map((r) => row(kind, r.id, r.since, `${r.order_id}, ${r.shipment_id}`));
  const shown = table(
    [
      ...requests.rows.map((r) =>
        row("CANCEL REQUEST", r.id, r.created_at, `${r.order_id}, ${askedBy(r)}`),
      ),
      ...late.rows.map((o) =>
        row("LATE", o.id, o.latest, `${days(o.days_late)} past its estimate`),
      ),
      ...refunds.rows.map((r) => row("REFUND", r.id, r.since, r.order_id)),
      ...stopped("NOT DELIVERED", failures),
      ...stopped("CAME BACK", returns),
      ...disputes.map((d) => row("DISPUTE", d.id, d.respond_by, d.order_id)),
      ...messages.rows.map((m) => row("MESSAGE", m.id, m.created_at, m.text)),
      ...incidents.rows.map((i) => row("INCIDENT", i.id, i.created_at, i.detail)),
    ],
    ["kind", "task", "since_or_until", "about"],
    "Nothing waits.",
  );
  const lists = [requests, late, refunds, failures, returns, messages, incidents];
  const more = sum(lists.map(({ count, rows }) => count - rows.length));
  return more > 0 ? `${shown}And ${more} more, once some of these are handled.\n` : shown;
}
