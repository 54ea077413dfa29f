import { existsSync } from "node:fs";
import { Argument } from "commander";
import { MerchantError } from "../core/errors.ts";
import { FIRST_ORDER } from "../core/policy.ts";
import { KEY_COLUMNS, STOCK_COLUMNS, WAITLIST_COLUMNS } from "../merchant/list-columns.ts";
import type { Admin } from "../merchant/merchant.ts";
import { EXPORTS, type ExportName } from "../orders/sales-verbs.ts";
import { type Commands, further, LIMIT_OPTION, list, verb, whole } from "./command.ts";
import { type Columns, table } from "./text.ts";

type StockItem = Awaited<ReturnType<Admin["stock"]["list"]>>[number];

const STOCK: Columns<StockItem> = [...STOCK_COLUMNS, "low_at"];

/** Of one bean, which is shown as it is afterwards. */
const onStock = (
  does: string,
  act: (stock: Admin["stock"], product: string, bags: number) => Promise<StockItem>,
) =>
  verb({
    does,
    act: ({ stock }, [product, n]) => act(stock, product, whole(n, "N")),
    text: (row) => table([row], STOCK, ""),
  });

const ENTRIES: Columns<Awaited<ReturnType<Admin["waitlist"]["list"]>>[number]> = [
  "id",
  ...WAITLIST_COLUMNS,
];

/** Stock, waitlist, keys, customers and courtesies; what the shop is and keeps. */
export const SHOP: Commands = {
  "stock list": verb({
    does: "Bags per bean: on hand, held by payments and waitlist offers, free.",
    act: (admin) => admin.stock.list(),
    text: (found) => table(found, STOCK, "No stock."),
  }),
  "stock set <product> <n>": onStock(
    "N bags are on hand. What is free then is offered to those who wait.",
    (stock, product, bags) => stock.set({ product_id: product, on_hand: bags }),
  ),
  "stock receive <product> <n>": onStock(
    "N bags came in: they are added to what is there.",
    (stock, product, bags) => stock.receive({ product_id: product, bags }),
  ),
  "stock low <product> <n>": onStock(
    "With fewer than N free bags the bean stands on the desk's first page.",
    (stock, product, bags) => stock.setLow({ product_id: product, low_at: bags }),
  ),
  "waitlist list": verb({
    does: "Who waits and who was offered bags, in turn.",
    options: { ...LIMIT_OPTION, "--after <id>": "behind that entry" },
    act: (admin, _words, { limit, after }) =>
      admin.waitlist.list({
        ...(after !== undefined && { after }),
        ...(limit !== undefined && { limit: whole(limit, "--limit") }),
      }),
    text: (found, { limit, after }) =>
      table(found, ENTRIES, after === undefined ? "The waitlist is empty." : "Nothing further.") +
      further(found, limit, ({ id }) => `Further: --after ${id}`),
  }),
  "waitlist remove <id>": verb({
    does: "Take a place away, with the bags that it was offered. It cannot be undone.",
    act: (admin, [id]) => admin.waitlist.remove({ entry_id: id }),
    text: ({ id }) => `Removed ${id}\n`,
  }),
  "waitlist history": list({
    does: "Every entry, those that have ended too, newest first.",
    rows: (admin: Admin) => admin.waitlist.history,
    columns: ENTRIES,
    none: "There are no entries yet.",
  }),
  "keys list": list({
    does: "All agents, newest first.",
    rows: (admin: Admin) => admin.keys.list,
    columns: [...KEY_COLUMNS, "revoked_at"],
    none: "No keys yet.",
  }),
  "keys revoke <agent>": verb({
    does: "Take a key back, with its finder keys and its places on waitlists. Orders stay.",
    act: (admin, [agent]) => admin.keys.revoke({ agent_id: agent }),
    text: (agent) => `Revoked ${agent.id} at ${agent.revoked_at}\n`,
  }),
  "customers erase <email>": verb({
    does:
      "Erase a person's email, names, addresses, notes and messages for good. Amounts, bags and " +
      "dates stay. Backups and the payment provider have copies of their own.",
    act: (admin, [email]) => admin.customers.erase({ email }),
    text: (erased) => {
      const counts = Object.entries(erased).filter(([, count]) => count > 0);
      const where = counts.map(([what, count]) => `${what.replaceAll("_", " ")} ${count}`);
      return where.length === 0
        ? "Nothing is known of this email.\n"
        : `Erased: ${where.join(", ")}.\n`;
    },
  }),
  "courtesy first-order": verb({
    argument: new Argument("<state>").choices(["on", "off"]),
    does: `Switch the first-order code ${FIRST_ORDER.code} on or off for new quotes.`,
    act: (admin, [state]) => admin.courtesy.firstOrder({ on: state === "on" }),
    text: ({ first_order }) => `${FIRST_ORDER.code} is ${first_order}\n`,
  }),
  "shop address <text>": verb({
    does: "Set the return address on packing slips; lines are parted by line breaks.",
    act: (admin, [address]) => admin.shop.setAddress({ address }),
    text: ({ address }) => `${address}\n`,
  }),
  "mail test": verb({
    does: "Send a test letter and report the mail server's answer.",
    required: { "--to <email>": "the address to send it to" },
    act: (_admin, _words, { to = "" }, { mail }) => mail.test({ to }),
    text: ({ to }) => `The mail server accepted a test letter to ${to}.\n`,
  }),
  "desk link": verb({
    does: "Print a link to sign in with: good once, for 15 minutes.",
    act: (_admin, _words, _options, merchant) => merchant.desk.link(),
    text: ({ sign_in }) => `${sign_in}\n`,
  }),
  "desk sign-out": verb({
    does: "End all sessions, everywhere.",
    act: async (_admin, _words, _options, merchant) => {
      await merchant.desk.signOut("everywhere", "cli");
      return { signed_out: true };
    },
    text: () => "Everybody is signed out.\n",
  }),
  "desk renew": verb({
    does: "Replace a leaked secret and print a link. Ends all sessions.",
    act: (_admin, _words, _options, merchant) => merchant.desk.renew(),
    text: ({ sign_in }) => `${sign_in}\n`,
  }),
  export: {
    argument: new Argument("<what>", "which book").choices(EXPORTS),
    does: "Orders, shipments or refunds as CSV on stdout, oldest first.",
    parts: ({ sales }, [what]) => sales.csv(what as ExportName),
  },
  backup: verb({
    argument: new Argument("<file>", "where to; it must not exist"),
    does: "Copy the database into one file, while the service runs (SQLite).",
    act: async (_admin, [file], _options, { database }) => {
      if (existsSync(file)) throw new MerchantError("ILLEGAL_STEP", `${file} is there already.`);
      await database.backup(file);
      return { file };
    },
    text: ({ file }) => `Copied to ${file}\n`,
  }),
};
