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

/** An act on one bean's stock, which is shown afterwards. */
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

/** Stock, waitlist, keys, customers, settings and exports. */
export const SHOP: Commands = {
  "stock list": verb({
    does: "Bags per bean: on hand, held by payments and waitlist offers, free.",
    act: (admin) => admin.stock.list(),
    text: (found) => table(found, STOCK, "No stock."),
  }),
  "stock set <product> <n>": onStock(
    "Set the bags on hand to N. Free bags are offered to the waitlist.",
    (stock, product, bags) => stock.set({ product_id: product, on_hand: bags }),
  ),
  "stock receive <product> <n>": onStock("Add N bags that came in.", (stock, product, bags) =>
    stock.receive({ product_id: product, bags }),
  ),
  "stock low <product> <n>": onStock(
    "Warn on the desk's first page when fewer than N bags are free.",
    (stock, product, bags) => stock.setLow({ product_id: product, low_at: bags }),
  ),
  "waitlist list": verb({
    does: "Live entries in turn, with offers.",
    options: { ...LIMIT_OPTION, "--after <id>": "entries after this one" },
    act: (admin, _words, { limit, after }) =>
      admin.waitlist.list({
        ...(after !== undefined && { after }),
        ...(limit !== undefined && { limit: whole(limit, "--limit") }),
      }),
    text: (found, { limit, after }) =>
      table(found, ENTRIES, after === undefined ? "The waitlist is empty." : "No more entries.") +
      further(found, limit, ({ id }) => `More: --after ${id}`),
  }),
  "waitlist remove <id>": verb({
    does: "Remove an entry; its offered bags go to the next. Cannot be undone.",
    act: (admin, [id]) => admin.waitlist.remove({ entry_id: id }),
    text: ({ id }) => `Removed ${id}\n`,
  }),
  "waitlist history": list({
    does: "All entries, ended ones too, newest first.",
    rows: (admin: Admin) => admin.waitlist.history,
    columns: ENTRIES,
    none: "No entries yet.",
  }),
  "keys list": list({
    does: "All agents, newest first.",
    rows: (admin: Admin) => admin.keys.list,
    columns: [...KEY_COLUMNS, "revoked_at"],
    none: "No keys yet.",
  }),
  "keys revoke <agent>": verb({
    does: "Revoke a key, its finder keys and its waitlist entries. Orders stay.",
    act: (admin, [agent]) => admin.keys.revoke({ agent_id: agent }),
    text: (agent) => `Revoked ${agent.id} at ${agent.revoked_at}\n`,
  }),
  "customers erase <email>": verb({
    does:
      "Erase a person's email, names, addresses, notes and messages for good. Amounts, bags and " +
      "dates stay. Backups and the payment provider keep their copies.",
    act: (admin, [email]) => admin.customers.erase({ email }),
    text: (erased) => {
      const counts = Object.entries(erased).filter(([, count]) => count > 0);
      const where = counts.map(([what, count]) => `${what.replaceAll("_", " ")} ${count}`);
      return where.length === 0
        ? "No data found for this email.\n"
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
    does: "Set the return address on packing slips, with line breaks.",
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
    does: "Print a sign-in link that works once, for 15 minutes.",
    act: (_admin, _words, _options, merchant) => merchant.desk.link(),
    text: ({ sign_in }) => `${sign_in}\n`,
  }),
  "desk sign-out": verb({
    does: "End all sessions.",
    act: async (_admin, _words, _options, merchant) => {
      await merchant.desk.signOut("everywhere", "cli");
      return { signed_out: true };
    },
    text: () => "All sessions ended.\n",
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
    argument: new Argument("<file>", "the new file"),
    does: "Copy the database into one file, while the service runs (SQLite).",
    act: async (_admin, [file], _options, { database }) => {
      if (existsSync(file))
        throw new MerchantError("ILLEGAL_STEP", `${file} exists already. Choose another name.`);
      await database.backup(file);
      return { file };
    },
    text: ({ file }) => `Copied to ${file}\n`,
  }),
};
