import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { adminVerb } from "../core/admin-verb.ts";
import { Email } from "../core/email.ts";
import { MerchantError } from "../core/errors.ts";
import { FIRST_ORDER } from "../core/policy.ts";
import type { ShipmentStep } from "../orders/order-steps.ts";
import { EXPORTS, Month } from "../orders/sales-verbs.ts";
import { type Command, commandOf } from "./command.ts";
import { customerText, erasedText, tasksText } from "./views.ts";

/**
 * Commands by usage. A description alone stands for the verb of that noun and name. The words in brackets
 * are fields of the verb that are typed as arguments; its other fields are options.
 */
export const COMMANDS: Record<string, string | Command> = {
  "orders list": "All orders, newest first.",
  "orders show <order_id>": "One order with its shipments, notes, payment and refunds.",
  "orders roast <order_id>": "Start roasting an order: its shipments become ROASTING.",
  "orders cancel <order_id>": "Cancel an order before anything has shipped.",
  "orders write <order_id>": "Send the buyer a letter, which is kept as a note.",
  "orders note <order_id>": "Add an internal note to an order; no agent and no buyer reads it.",
  "orders refund <order_id>": "Refund an order, in full or in part.",

  "shipments ship <shipment_id>": "Mark a roasted or returned shipment as shipped.",
  "shipments transit <shipment_id>": move(
    "IN_TRANSIT",
    "Mark as in transit; also after a failed try.",
  ),
  "shipments out-for-delivery <shipment_id>": move("OUT_FOR_DELIVERY", "Mark as out for delivery."),
  "shipments deliver <shipment_id>": move("DELIVERED", "Mark as delivered."),
  "shipments fail <shipment_id>": move(
    "FAILED",
    "Mark a delivery as failed; it can be in transit again, arrive, or be returned.",
  ),
  "shipments return <shipment_id>": move(
    "RETURNED",
    "Mark as returned; it can be sent again or refunded.",
  ),
  "shipments refund <shipment_id>": "Refund what was paid for a returned shipment.",
  "shipments undo <shipment_id>":
    "Undo a shipment's last step within ten minutes; roasting for the whole order.",
  "shipments correct <shipment_id>":
    "Correct the carrier and tracking number of a shipped shipment.",
  "shipments address <shipment_id>": commandOf(
    "Change the address of an unshipped or returned shipment. The price stays.",
    (admin) => admin.shipments.changeAddress,
  ),
  "shipments cancel <shipment_ids...>": "Cancel unshipped shipments of one order; the rest stays.",

  "refunds list": commandOf(
    "Refunds that the provider has not taken yet.",
    (admin) => admin.refunds.waiting,
  ),
  "refunds retry <refund_id>": "Send a waiting refund again, without waiting for its next try.",

  "cancellations list": "All cancel requests, newest first.",
  "cancellations accept <request_id>": "Accept a request and cancel its shipments.",
  "cancellations accept-refund <request_id>": commandOf(
    "Accept a request, cancel its shipments and refund them.",
    (admin) => admin.cancellations.accept,
    { fixed: { refund: true } },
  ),
  "cancellations decline <request_id>": "Decline a request; the order goes on.",

  "stock list": "Bags per bean: on hand, held by payments and waitlist offers, free.",
  "stock set <product_id> <on_hand>":
    "Set the bags on hand. Free bags are offered to the waitlist.",
  "stock receive <product_id> <bags>": "Add bags that came in.",
  "stock low <product_id> <low_at>": commandOf(
    "Warn on the desk's first page when fewer bags than this are free.",
    (admin) => admin.stock.setLow,
  ),

  "waitlist list": "Live entries in turn, with offers.",
  "waitlist remove <entry_id>":
    "Remove an entry; its offered bags go to the next. Cannot be undone.",
  "waitlist history": "All entries, ended ones too, newest first.",

  "keys list": "All agents, newest first.",
  "keys revoke <agent_id>": "Revoke a key, its finder keys and its waitlist entries. Orders stay.",

  "customers show <email>": commandOf(
    "Orders and messages of an email.",
    (admin) => admin.customers.show,
    { text: customerText },
  ),
  "customers export <email>":
    "Everything that an erasure would cover, as JSON, to answer a person who asks.",
  "customers erase <email>": commandOf(
    "Erase a person's email, names, addresses, notes and messages for good, and take tracking numbers off their orders. Amounts, bags and dates stay, and so do events and the audit log. Backups and the payment provider keep their copies.",
    (admin) => admin.customers.erase,
    { text: erasedText },
  ),

  "links renew": commandOf(
    "Replace the secret behind review and waitlist links, after a leak of the database or a backup. Then restart every instance: old links end, and agents, letters and the desk have new ones.",
    (admin) => admin.links.renew,
    { text: () => "Renewed. Restart every instance now: until then old links work.\n" },
  ),

  "courtesy first-order <on>": commandOf(
    `Switch the first-order code ${FIRST_ORDER.code} on or off for new quotes.`,
    (admin) => admin.courtesy.firstOrder,
    { text: ({ first_order }) => `${FIRST_ORDER.code} is ${first_order}\n` },
  ),

  "shop address <address>": commandOf(
    "Set the return address on packing slips, with line breaks.",
    (admin) => admin.shop.setAddress,
    { text: ({ address }) => `${address}\n` },
  ),

  "mail test": commandOf(
    "Send a test letter and report the mail server's answer.",
    (_, { mail }) =>
      adminVerb({ to: Email.describe("The address to send it to.") }, (input) => mail.test(input)),
    { text: ({ to }) => `The mail server accepted a test letter to ${to}.\n` },
  ),

  "desk link": commandOf(
    "Print a sign-in link that works once, for 15 minutes.",
    (_, { desk }) => adminVerb({}, () => desk.link()),
    { text: ({ sign_in }) => `${sign_in}\n` },
  ),
  "desk sign-out": commandOf(
    "End all sessions.",
    (_, { desk }) =>
      adminVerb({}, async () => {
        await desk.signOut("everywhere", "cli");
        return { signed_out: true };
      }),
    { text: () => "All sessions ended.\n" },
  ),
  "desk renew": commandOf(
    "Replace a leaked secret and print a link. Ends all sessions.",
    (_, { desk }) => adminVerb({}, () => desk.renew()),
    { text: ({ sign_in }) => `${sign_in}\n` },
  ),

  "catalog list": "Every bean, for sale or not.",
  "catalog move <product_id> <place>": "Move a bean to another place in the shop, counted from 1.",
  "catalog export": "Print the beans on sale as a catalog file.",
  "catalog import <file>": commandOf(
    "Sell what a catalog file has. Beans that it lacks are taken off sale.",
    ({ catalog }) =>
      adminVerb({ file: z.string() }, ({ file }) => catalog.import({ file: readText(file) })),
    {
      text: ({ version, changed }) =>
        changed.length === 0
          ? "Nothing has changed.\n"
          : `Catalog ${version}: ${changed.join(", ")} changed.\n`,
    },
  ),

  "feedback list": "Feedback, newest first.",
  "leads list": "Bulk leads, newest first.",
  "incidents list": "Incidents, newest first.",

  "tasks list": commandOf(
    "Cancel requests, overdue orders, refunds, failed and returned shipments, disputes, messages and incidents, longest waiting first.",
    ({ views, tasks }) =>
      adminVerb({}, async () => {
        const [{ asking, requests, late }, others] = await Promise.all([
          views.waiting(),
          tasks.waiting(),
        ]);
        return { ...others, late, requests: { count: asking, rows: requests } };
      }),
    { text: tasksText },
  ),
  "tasks handled <task_id>": commandOf(
    "Mark a task as handled. A refund task then means that no money goes back.",
    (admin) => admin.tasks.handle,
  ),

  "audit list": "Every act, newest first.",

  "export <what>": commandOf(
    "Orders, bean lines, shipments, states or refunds as CSV on stdout, oldest first.",
    (_, { sales }) =>
      adminVerb(
        {
          what: z.enum(EXPORTS).describe("which book"),
          month: Month.optional().describe("only this month, such as 2026-03"),
        },
        ({ what, month }) => sales.csv(what, month),
      ),
  ),
  "backup <file>": commandOf(
    "Copy the database into one file, while the service runs (SQLite).",
    (_, { database }) =>
      adminVerb({ file: z.string().describe("the new file") }, async ({ file }) => {
        if (existsSync(file))
          throw new MerchantError("ILLEGAL_STEP", `${file} exists already. Choose another name.`);
        await database.backup(file);
        return { file };
      }),
    { text: ({ file }) => `Copied to ${file}\n` },
  ),
};

/** Moves a shipment to a step. */
function move(to: Exclude<ShipmentStep, "SHIPPED">, does: string): Command {
  return commandOf(does, (admin) => admin.shipments.move, { fixed: { to } });
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new MerchantError("VALIDATION_FAILED", `${file}: ${(error as Error).message}`);
  }
}
