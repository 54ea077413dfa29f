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
  verb(program, world, {
    usage: "backup",
    argument: new Argument("<file>", "where to; it must not exist"),
    does: "Copy the database into one file, while the service runs (SQLite).",
    act: async (_admin, [file = ""], _options, { database }) => {
      if (existsSync(file)) throw new MerchantError("ILLEGAL_STEP", `${file} is there already.`);
      await database.backup(file);
      return { file };
    },
    text: ({ file }) => `Copied to ${file}\n`,
  });
}

function stockCommands(program: Command, world: CliEnvironment): void {
  const stock = program.command("stock").description("See and set the bags in stock.");
  const columns: Columns<Awaited<ReturnType<Admin["stock"]["list"]>>[number]> = {
    PRODUCT: "product_id",
    "ON HAND": "on_hand",
    HELD: "held",
    FREE: "free",
    "LOW BELOW": "low_at",
  };
  verb(stock, world, {
    usage: "list",
    does: "Bags per bean: on hand, held by payments and waitlist offers, free.",
    act: (admin) => admin.stock.list(),
    text: (found) => table(found, columns, "No stock."),
  });
  verb(stock, world, {
    usage: "set <product> <n>",
    does: "N bags are on hand. What is free then is offered to those who wait.",
    act: (admin, [product, n]) => admin.stock.set(product!, whole(n!, "N")),
    text: (row) => table([row], columns, ""),
  });
  verb(stock, world, {
    usage: "receive <product> <n>",
    does: "N bags came in: they are added to what is there.",
    act: (admin, [product, n]) => admin.stock.receive(product!, whole(n!, "N")),
    text: (row) => table([row], columns, ""),
  });
  verb(stock, world, {
    usage: "low <product> <n>",
    does: "With fewer than N free bags the bean stands on the desk's first page.",
    act: (admin, [product, n]) => admin.stock.setLow(product!, whole(n!, "N")),
    text: (row) => table([row], columns, ""),
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
    rows: (admin: Admin) => admin.waitlist.history,
    columns: ENTRY_COLUMNS,
    none: "There are no entries yet.",
  });
}

const ENTRY_COLUMNS: Columns<Awaited<ReturnType<Admin["waitlist"]["list"]>>[number]> = {
  ENTRY: "id",
  PRODUCT: "product_id",
  POSITION: "position",
  BAGS: "quantity",
  STATUS: "status",
  "OFFER ENDS": "offer_expires_at",
  BUYER: (r) => r.buyer.email,
};

function keyCommands(program: Command, world: CliEnvironment): void {
  const keys = program.command("keys").description("See agents' keys and take them back.");
  list(keys, world, {
    does: "All agents, newest first.",
    rows: (admin: Admin) => admin.keys.list,
    columns: {
      AGENT: "id",
      KEY: (r) => `${r.key_prefix}…`,
      NAME: "name",
      CONTACT: "contact_email",
      SINCE: "created_at",
      REVOKED: "revoked_at",
    },
    none: "No keys yet.",
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
  verb(courtesy, world, {
    usage: "first-order",
    argument: new Argument("<state>").choices(["on", "off"]),
    does: `Switch the first-order code ${FIRST_ORDER.code} on or off for new quotes.`,
    act: (admin, [state]) => admin.courtesy.firstOrder(state === "on"),
    text: ({ first_order }) => `${FIRST_ORDER.code} is ${first_order}\n`,
  });
}
