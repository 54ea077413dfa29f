import { existsSync } from "node:fs";
import { Argument, type Command } from "commander";
import { MerchantError } from "../domain/shared/errors.ts";
import { FIRST_ORDER } from "../domain/shared/policy.ts";
import type { Admin } from "../merchant/merchant.ts";
import { EXPORTS, type ExportName } from "../merchant/sales.ts";
import { type CliEnvironment, LIMIT_OPTION, list, verb, whole } from "./command.ts";
import { type Columns, table } from "./text.ts";

/** Stock, waitlist, keys, customers and courtesies. */
export function shopCommands(program: Command, world: CliEnvironment): void {
  stockCommands(program, world);
  keyCommands(program, world);
  customerCommands(program, world);
  courtesyCommands(program, world);
  const shop = program.command("shop").description("What the shop says of itself.");
  verb(shop, world, {
    usage: "address <text>",
    does: "Set the return address on packing slips; lines are parted by line breaks.",
    act: (admin, [address]) => admin.shop.setAddress(address!),
    text: ({ address }) => `${address}\n`,
  });
  const desk = program.command("desk").description("The merchant's pages at /desk.");
  verb(desk, world, {
    usage: "link",
    does: "Print a link to sign in with: good once, for 15 minutes.",
    act: (_admin, _words, _options, merchant) => merchant.desk.link("cli"),
    text: ({ sign_in }) => `${sign_in}\n`,
  });
  verb(desk, world, {
    usage: "sign-out",
    does: "End all sessions, everywhere.",
    act: async (_admin, _words, _options, merchant) => {
      await merchant.desk.signOut("everywhere", "cli");
      return { signed_out: true };
    },
    text: () => "Everybody is signed out.\n",
  });
  verb(desk, world, {
    usage: "renew",
    does: "Make a new secret for one that was seen, and print a link. Ends all sessions.",
    act: (_admin, _words, _options, merchant) => merchant.desk.renew("cli"),
    text: ({ sign_in }) => `${sign_in}\n`,
  });
  program
    .command("export")
    .addArgument(new Argument("<what>", "which book").choices(EXPORTS))
    .description("Orders, shipments or refunds as CSV on stdout, oldest first.")
    .action(async (what: ExportName) => {
      await world.withMerchant(async (merchant) => {
        for await (const part of merchant.sales.csv(what)) world.out(part);
      });
    });
  program
    .command("backup")
    .argument("<file>", "where to; it must not exist")
    .description("Copy the database into one file, while the service runs (SQLite).")
    .action(async (file: string) => {
      if (existsSync(file)) throw new MerchantError("ILLEGAL_STEP", `${file} is there already.`);
      await world.withMerchant((merchant) => merchant.database.backup(file));
      const json = program.opts<{ json?: boolean }>().json;
      world.out(json ? `${JSON.stringify({ file })}\n` : `Copied to ${file}\n`);
    });
}

function stockCommands(program: Command, world: CliEnvironment): void {
  const stock = program.command("stock").description("See and set the bags in stock.");
  const rows = [
    ["PRODUCT", (r: Stock) => r.product_id],
    ["ON HAND", (r: Stock) => r.on_hand],
    ["HELD", (r: Stock) => r.held],
    ["FREE", (r: Stock) => r.free],
    ["LOW BELOW", (r: Stock) => r.low_at],
  ] as const;
  type Stock = { product_id: string; on_hand: number; held: number; free: number; low_at: number };
  verb(stock, world, {
    usage: "list",
    does: "Bags per bean: on hand, held by payments and waitlist offers, free.",
    act: (admin) => admin.stock.list(),
    text: (found) => table(found, rows, "No stock."),
  });
  verb(stock, world, {
    usage: "set <product> <n>",
    does: "N bags are on hand. What is free then is offered to those who wait.",
    act: (admin, [product, n]) => admin.stock.set(product!, whole(n!, "N")),
    text: (row) => table([row], rows, ""),
  });
  verb(stock, world, {
    usage: "receive <product> <n>",
    does: "N bags came in: they are added to what is there.",
    act: (admin, [product, n]) => admin.stock.receive(product!, whole(n!, "N")),
    text: (row) => table([row], rows, ""),
  });
  verb(stock, world, {
    usage: "low <product> <n>",
    does: "With fewer than N free bags the bean stands on the desk's first page.",
    act: (admin, [product, n]) => admin.stock.setLow(product!, whole(n!, "N")),
    text: (row) => table([row], rows, ""),
  });
  const waitlist = program.command("waitlist").description("See who waits.");
  verb(waitlist, world, {
    usage: "list",
    does: "Who waits and who was offered bags, in turn.",
    options: { ...LIMIT_OPTION, "--after <id>": "behind that entry" },
    act: (admin, _words, { limit, after }) =>
      admin.waitlist.list({
        ...(after !== undefined && { after }),
        ...(limit !== undefined && { limit: whole(limit, "--limit") }),
      }),
    text: (found) => table(found, ENTRY_COLUMNS, "The waitlist is empty."),
  });
  list(waitlist, world, {
    usage: "history",
    does: "Every entry, those that have ended too, newest first.",
    rows: (admin, page) => admin.waitlist.history(page),
    columns: ENTRY_COLUMNS,
    none: "There are no entries yet.",
    at: (row) => row.created_at,
  });
}

const ENTRY_COLUMNS = [
  ["ENTRY", (r) => r.id],
  ["PRODUCT", (r) => r.product_id],
  ["POSITION", (r) => r.position],
  ["BAGS", (r) => r.quantity],
  ["STATUS", (r) => r.status],
  ["OFFER ENDS", (r) => r.offer_expires_at],
  ["BUYER", (r) => r.buyer.email],
] as const satisfies Columns<Awaited<ReturnType<Admin["waitlist"]["list"]>>[number]>;

function keyCommands(program: Command, world: CliEnvironment): void {
  const keys = program.command("keys").description("See agents' keys and take them back.");
  list(keys, world, {
    does: "All agents, newest first.",
    rows: (admin, page) => admin.keys.list(page),
    columns: [
      ["AGENT", (r) => r.id],
      ["KEY", (r) => `${r.key_prefix}…`],
      ["NAME", (r) => r.name],
      ["CONTACT", (r) => r.contact_email],
      ["SINCE", (r) => r.created_at],
      ["REVOKED", (r) => r.revoked_at],
    ],
    none: "No keys yet.",
    at: (row) => row.created_at,
  });
  verb(keys, world, {
    usage: "revoke <agent>",
    does: "Take a key back, with its finder keys and its places on waitlists. Orders stay.",
    act: (admin, [agent]) => admin.keys.revoke(agent!),
    text: (agent) => `Revoked ${agent.id} at ${agent.revoked_at}\n`,
  });
}

function customerCommands(program: Command, world: CliEnvironment): void {
  const customers = program.command("customers").description("Erase a person's data.");
  verb(customers, world, {
    usage: "erase <email>",
    does:
      "Erase a person's email, names, addresses, notes and messages for good. Amounts, bags and dates " +
      "stay. Backups and the payment provider have copies of their own.",
    act: (admin, [email]) => admin.customers.erase(email!),
    text: (erased) =>
      `Erased from ${Object.entries(erased)
        .map(([what, count]) => `${count} ${what.replaceAll("_", " ")}`)
        .join(", ")}.\n`,
  });
}

function courtesyCommands(program: Command, world: CliEnvironment): void {
  const courtesy = program.command("courtesy").description("Switch courtesies.");
  const command = courtesy
    .command("first-order")
    .addArgument(new Argument("<state>").choices(["on", "off"]))
    .description(`Switch the first-order code ${FIRST_ORDER.code} on or off for new quotes.`);
  command.action(async (state: string) => {
    const set = await world.withMerchant((merchant) =>
      merchant.admin("cli").courtesy.firstOrder(state === "on"),
    );
    const json = program.opts<{ json?: boolean }>().json;
    world.out(json ? `${JSON.stringify(set)}\n` : `${FIRST_ORDER.code} is ${set.first_order}\n`);
  });
}
