import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStore } from "../../src/app/compose.ts";
import type { CliEnvironment } from "../../src/cli/command.ts";
import { runCli } from "../../src/cli/run.ts";
import type { Letter } from "../../src/core/letter.ts";
import { unavailable } from "../../src/db/store.ts";
import { smtpMailer } from "../../src/mail/smtp.ts";
import { CATALOG, WAITLISTED } from "../support/catalog.ts";
import { CHILD_ENV, COMMAND, cli, runCommand } from "../support/command.ts";
import { lastingDatabase } from "../support/lasting-database.ts";
import { scratchFolder } from "../support/scratch-folder.ts";
import { REAL_CLOCK, startService } from "../support/service.ts";
import { intent, newAgent, openShop, paidOrder, quoteFor, type Shop } from "../support/shop.ts";
import { usualStore } from "../support/stores.ts";

async function shopWithCli(url?: string, settings: Parameters<typeof openShop>[2] = {}) {
  const store = url === undefined ? (await usualStore()).store : await openStore(url);
  onTestFinished(() => store.close());
  const shop = await openShop(store, undefined, settings);
  const agentId = await newAgent(shop);
  return { shop, agentId, run: (...words: string[]) => run(shop, words) };
}

const run = ({ merchant }: Shop, words: string[]) => runOn((act) => act(merchant), words);

async function runOn(withMerchant: CliEnvironment["withMerchant"], words: string[]) {
  let out = "";
  let err = "";
  const code = await runCli(words, {
    command: "npm run --silent merchant --",
    withMerchant,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  return { code, out, err };
}

const json = (answer: { out: string }) => JSON.parse(answer.out);

it("an unreachable database is reported with the reason, as text and as JSON", async () => {
  const closed = async () => {
    throw unavailable(new Error("connect ECONNREFUSED 127.0.0.1:5432"));
  };
  for (const words of [
    ["orders", "list"],
    ["orders", "list", "--json"],
  ]) {
    const { code, err } = await runOn(closed, words);
    expect([code, err]).toEqual([1, expect.stringContaining("ECONNREFUSED 127.0.0.1:5432")]);
  }
});

describe("mail test", () => {
  it("sends one letter to the address and keeps nothing of it", async () => {
    const sent: Letter[] = [];
    const mailer = { send: async (letter: Letter) => void sent.push(letter), close: () => {} };
    const { run, shop } = await shopWithCli(undefined, { mailer });
    const { code, out } = await run("mail", "test", "--to", "owner@example.com");
    expect([code, out]).toEqual([
      0,
      "The mail server accepted a test letter to owner@example.com.\n",
    ]);
    expect(sent).toMatchObject([
      { to: "owner@example.com", subject: expect.stringMatching(/^Test from /) },
    ]);
    expect(await shop.merchant.mail.list()).toEqual([]);
  });

  it("reports the mail server's answer", async () => {
    const mailer = smtpMailer({ url: "smtp://127.0.0.1:1", from: "shop@example.com" });
    onTestFinished(() => mailer.close());
    const { run } = await shopWithCli(undefined, { mailer });
    const { code, err } = await run("mail", "test", "--to", "owner@example.com");
    expect(code).toBe(1);
    expect(err).toBe("Nothing was sent to owner@example.com: connect ECONNREFUSED 127.0.0.1:1.\n");
  });

  it("refuses in one line without a mail server, or without an address", async () => {
    const { run } = await shopWithCli();
    const unset = await run("mail", "test", "--to", "owner@example.com");
    expect([unset.code, unset.err]).toEqual([1, expect.stringMatching(/^.*SMTP_URL.*\n$/)]);
    const typo = await run("mail", "test", "--to", "owner");
    expect([typo.code, typo.err]).toEqual([1, expect.stringContaining("Not an email address")]);
  });
});

describe("the merchant's command line", () => {
  it("takes an order from the list to its delivery", async () => {
    const { shop, agentId, run } = await shopWithCli();
    const id = await paidOrder(shop, { agentId });
    expect(json(await run("orders", "list", "--json"))).toMatchObject([
      { id, status: "CONFIRMED", agent_id: agentId },
    ]);
    const roasted = json(await run("orders", "roast", id, "--json"));
    const shipment = roasted.shipments[0].id;
    await run("shipments", "ship", shipment, "--carrier", "USPS", "--number", "9400");
    await run("shipments", "transit", shipment);
    await run("shipments", "out-for-delivery", shipment);
    const done = await run("shipments", "deliver", shipment);
    expect(done).toMatchObject({ code: 0, err: "" });
    expect(done.out).toContain(`Order ${id}  COMPLETED`);
    expect(json(await run("orders", "show", id, "--json"))).toMatchObject({
      status: "COMPLETED",
      shipments: [{ tracking: { carrier: "USPS", number: "9400", url: null } }],
    });
    const acts = json(await run("audit", "list", "--json")) as { act: string; actor: string }[];
    expect(new Set(acts.map(({ actor }) => actor))).toEqual(new Set(["cli"]));
    expect(acts.map(({ act }) => act).sort()).toEqual([
      "orders.roast",
      "shipments.deliver",
      "shipments.out-for-delivery",
      "shipments.ship",
      "shipments.transit",
    ]);
  });

  it("decides cancel requests and refunds money", async () => {
    const { shop, agentId, run } = await shopWithCli();
    const id = await paidOrder(shop, { agentId });
    const wish = { reason_code: "OTHER" as const, message: "two\nlines \u001b[31mred" };
    const { body } = await shop.merchant.cancellations.request(id, wish, agentId, intent());
    for (const shown of [await run("cancellations", "list"), await run("orders", "show", id)])
      expect(shown.out).toContain("two / lines ?[31mred");
    expect((await run("tasks", "list")).out).toContain(`CANCEL REQUEST  ${body.id}`);
    expect((await run("tasks", "handled", body.id)).err).toContain("accepted or declined");
    expect((await run("cancellations", "decline", body.id)).code).toBe(1);
    await run("cancellations", "decline", body.id, "--reason", "No.");
    expect((await run("tasks", "list")).out).toContain("Nothing waits.");
    const asked = await shop.merchant.cancellations.request(id, wish, agentId, intent());
    expect(json(await run("cancellations", "accept", asked.body.id, "--json")).status).toBe(
      "CANCELED",
    );
    const some = ["orders", "refund", id, "--amount", "12.50", "--json"];
    const refunded = async (...args: string[]) => json(await run(...args)).payment.refunded_minor;
    expect(await refunded(...some)).toBe(1250);
    expect(JSON.parse((await run(...some)).err)).toMatchObject({ code: "ILLEGAL_STEP" });
    expect(await refunded(...some, "--again")).toBe(2500);
    shop.provider.up = false;
    const { refunds } = json(await run("orders", "refund", id, "--amount", "5", "--json"));
    const waiting = refunds.find(({ status }: { status: string }) => status === "PENDING").id;
    expect(json(await run("refunds", "list", "--json"))).toMatchObject([{ id: waiting }]);
    shop.provider.up = true;
    expect(await refunded("refunds", "retry", waiting, "--json")).toBe(3000);
    const again = JSON.parse((await run("refunds", "retry", waiting, "--json")).err);
    expect(again).toMatchObject({ code: "ILLEGAL_STEP" });
  });

  it("lists what agents wrote with the agent, its address and the number of the order", async () => {
    const { shop, agentId, run } = await shopWithCli();
    const order_id = await paidOrder(shop, { agentId });
    const { messages } = shop.merchant;
    await messages.feedback({ message: "Ring twice.", order_id }, agentId, intent());
    const lead = { email: "office@example.com", purpose: "400 guests" };
    await messages.lead(lead, agentId, intent());
    expect((await run("feedback", "list")).out).toMatch(new RegExp(` 1001 +${order_id} +Ring`));
    expect((await run("leads", "list")).out).toMatch(new RegExp(` ${agentId} .*@.* +office@`));
  });

  it("says which beans an imported catalog file changes, and nothing of them the second time", async () => {
    const { run } = await shopWithCli();
    const { products } = json(await run("catalog", "export"));
    products[0].price_minor += 100;
    const file = join(await scratchFolder("catalog"), "catalog.json");
    await writeFile(file, JSON.stringify({ products }));
    const named = async () => {
      const { out } = await run("catalog", "import", file);
      return CATALOG.products.flatMap(({ product_id: id }) => (out.includes(id) ? id : []));
    };
    expect([await named(), await named()]).toEqual([[products[0].product_id], []]);
  });

  it("says how many more tasks a long list has", async () => {
    const { shop, agentId, run } = await shopWithCli();
    for (let i = 0; i < 12; i++) {
      await shop.merchant.messages.feedback({ message: `word ${i}` }, agentId, intent());
    }
    const { out } = await run("tasks", "list");
    expect(out.match(/^MESSAGE /gm)).toHaveLength(10);
    expect(out).toContain("And 2 more, once some of these are handled.");
  });

  it("cuts a long message in every list, and prints it whole as JSON", async () => {
    const { shop, agentId, run } = await shopWithCli();
    const order_id = await paidOrder(shop, { agentId, email: "ada@example.com" });
    const long = "Do you grind? ".repeat(140).trim();
    await shop.merchant.messages.feedback({ message: long, order_id }, agentId, intent());
    await shop.merchant.messages.lead(
      { email: "office@example.com", purpose: long },
      agentId,
      intent(),
    );
    await shop.merchant.cancellations.request(
      order_id,
      { reason_code: "OTHER", message: long.slice(0, 500) },
      agentId,
      intent(),
    );
    for (const list of ["feedback list", "leads list", "cancellations list", "tasks list"]) {
      const { out } = await run(...list.split(" "));
      expect(out).toContain(list === "tasks list" ? "MESSAGE" : "Do you grind? Do you");
      expect(Math.max(...out.split("\n").map(({ length }) => length)), list).toBeLessThan(450);
    }
    expect(json(await run("feedback", "list", "--json"))[0].message).toBe(long);
    const { out } = await run("customers", "show", "ada@example.com");
    expect(out).toMatch(
      /^NUMBER +CREATED AT .*\n1001 .*\$32\.00 +ord_.*\n\nCREATED AT +MESSAGE .*\n.*Do you grind\?.*… +fb_/,
    );
    expect((await run("customers", "show", "nobody@example.com")).out).toBe(
      "No orders.\n\nNo messages.\n",
    );
  });

  it("says what was erased, and that a mistyped email finds nothing", async () => {
    const { shop, agentId, run } = await shopWithCli();
    await quoteFor(shop, { agentId, email: "ada@example.com" });
    const erased = async (email: string) => (await run("customers", "erase", email)).out;
    expect(await erased("adda@example.com")).toBe("No data found for this email.\n");
    expect(await erased("ada@example.com")).toBe("Erased: quotes 1.\n");
    await paidOrder(shop, { agentId, email: "grace@example.com" });
    expect(await erased("grace@example.com")).toBe("Erased once they end: order #1001.\n");
  });

  it("lists keys without their hashes, and revokes one", async () => {
    const { agentId, run } = await shopWithCli();
    const [key] = json(await run("keys", "list", "--json"));
    expect(key).toMatchObject({ id: agentId, revoked_at: null });
    expect(JSON.stringify(key)).not.toMatch(/hash/);
    await run("keys", "revoke", agentId);
    expect(json(await run("keys", "list", "--json"))[0].revoked_at).not.toBeNull();
  });

  it("has a sentence for every empty list", async () => {
    const { run } = await shopWithCli();
    for (const noun of ["orders", "cancellations", "waitlist", "feedback", "leads", "incidents"]) {
      expect(json(await run(noun, "list", "--json"))).toEqual([]);
      const people = await run(noun, "list");
      expect(people).toMatchObject({ code: 0, out: expect.stringMatching(/\.\n$/) });
    }
    expect(json(await run("stock", "list", "--json"))).toHaveLength(4);
  });

  it("refuses on stderr with exit code 1, as a JSON problem with --json", async () => {
    const { run } = await shopWithCli();
    expect(await run("orders", "roast", "ord_none")).toEqual({
      code: 1,
      out: "",
      err: "NOT_FOUND: There is no such order.\n",
    });
    const refused = await run("orders", "roast", "ord_none", "--json");
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(JSON.parse(refused.err)).toMatchObject({ code: "NOT_FOUND", status: 404 });
    const misspelt = await run("orders", "rost", "ord_none", "--json");
    expect(JSON.parse(misspelt.err)).toMatchObject({ code: "USAGE" });
    for (const words of [["--json"], ["orders", "--json"]]) {
      const { code, out, err } = await run(...words);
      expect([code, out]).toEqual([1, ""]);
      expect(JSON.parse(err).detail).toBe("Name a command; --help lists them.");
    }
    const book = await run("export", "orders", "--json");
    expect([book.code, book.out, JSON.parse(book.err).code]).toEqual([1, "", "VALIDATION_FAILED"]);
    for (const words of [["nope"], ["orders", "--month", "March"]]) {
      const { code, out, err } = await run("export", ...words);
      expect([code, out, err]).toEqual([1, "", expect.stringMatching(/orders, beans|2026-03/)]);
    }
    for (const typed of ["many", "007", "+7"]) {
      expect([typed, (await run("stock", "set", WAITLISTED, typed)).code]).toEqual([typed, 1]);
    }
  });

  it("prints help", async () => {
    const { run } = await shopWithCli();
    const help = await run("--help");
    expect(help).toMatchObject({ code: 0, err: "" });
    for (const noun of ["orders", "shipments", "cancellations", "stock", "waitlist", "backup"])
      expect(help.out).toContain(noun);
    const ship = (await run("shipments", "ship", "--help")).out;
    expect(ship).toContain("--carrier");
    // The command as typed here, in a clone or from the package.
    expect(ship).toContain("Usage: npm run --silent merchant -- shipments ship");
    expect(help.out).toContain("  npm run --silent merchant -- orders list\n");
  });
});

it("names the wrong field, and says at a list's end that it is the end", async () => {
  const { shop, agentId, run } = await shopWithCli();
  expect((await run("orders", "list", "--limit", "0")).err).toBe(
    "VALIDATION_FAILED: limit: At least 1.\n",
  );
  const id = await paidOrder(shop, { agentId });
  const [shipment] = json(await run("orders", "show", id, "--json")).shipments;
  const street = ["--line1", "x".repeat(121), "--city", "Austin"];
  const where = ["--name", "Ada", ...street, "--region", "TX", "--zip", "787"];
  const { err } = await run("shipments", "address", shipment.id, ...where);
  expect(err).toMatch(/^VALIDATION_FAILED:\n {2}- line1: At most .*\n {2}- postal_code: .*\n$/);
  const [, place = ""] = /--before (\S+)/.exec((await run("orders", "list", "--limit", "1")).out)!;
  expect((await run("orders", "list", "--before", place)).out).toBe("No more rows.\n");
  expect((await run("orders", "list", "--limit", "1", "--json")).err).toBe(
    `Older: --before ${place}\n`,
  );
  expect((await run("orders", "list", "--json")).err).toBe("");
});

it("an order is found by its number as well as by its id", async () => {
  const { shop, agentId, run } = await shopWithCli();
  const id = await paidOrder(shop, { agentId });
  expect((await run("orders", "list")).out).toMatch(/^ORDER.*\n1001 .* ord_/);
  expect(json(await run("orders", "roast", "#1001", "--json"))).toMatchObject({ id });
  await run("orders", "note", "1001", "--text", "Called the buyer.");
  await run("orders", "refund", "1001", "--amount", "1");
  expect(await shop.store.queries.notesOfOrder(id)).toHaveLength(1);
  const shown = await run("orders", "show", "1001");
  expect(shown.out).toMatch(/number +1001.*\$1\.00 refunded/s);
  expect((await run("orders", "show", "1002")).err).toContain("NOT_FOUND");
  await run("orders", "cancel", "1001", "--reason", "No beans.");
  expect((await shop.merchant.orders.get(id, agentId)).status).toBe("CANCELED");
  const acts = json(await run("audit", "list", "--json")) as { subject: string }[];
  expect(new Set(acts.map(({ subject }) => subject))).toEqual(new Set([id]));
});

it("a new database is announced once, since a typo would look like an empty shop", async () => {
  const { url } = await lastingDatabase();
  const first = await cli(url, "stock", "list", "--json");
  const says =
    /^There was no shop in (sqlite|postgres)[^@]+: this is a new one \(DATABASE_URL\)\.\n$/;
  expect(first.stderr).toMatch(says);
  expect(JSON.parse(first.stdout)).toHaveLength(4);
  expect((await cli(url, "stock", "list")).stderr).toBe("");
});

it.each<[string, Record<string, string>, RegExp]>([
  [
    "merchant stock list",
    { DATABASE_URL: "sqlite:/proc/x/y/a.db" },
    /^DATABASE_URL: there is no folder \/proc\/x\/y\..*\n$/,
  ],
  [
    "verify-stripe",
    { PAYMENT_METHODS: "Card" },
    /^Invalid configuration:\n {2}- PAYMENT_METHODS .*\n$/,
  ],
])("%s names the setting that is wrong, and ends without a stack", async (command, env, says) => {
  const failed = { code: 1, stderr: expect.stringMatching(says) };
  await expect(runCommand(command.split(" "), env)).rejects.toMatchObject(failed);
});

it("prints links to the address of the last start, or to BASE_URL", async () => {
  const { url } = await lastingDatabase();
  const linkOf = async (env?: Record<string, string>) =>
    /http\S+(?=\/desk\/sign-in)/.exec(
      (await runCommand(["merchant", "desk", "link"], { DATABASE_URL: url, ...env })).stdout,
    )?.[0];
  expect(await linkOf()).toBe("http://127.0.0.1:3000");
  const served = await startService({ DATABASE_URL: url }, REAL_CLOCK);
  await served.stop();
  expect(await linkOf()).toBe(served.baseUrl);
  expect(await linkOf({ BASE_URL: "http://localhost:7" })).toBe("http://localhost:7");
});

it("a database that can't be opened is reported with the setting that names it", async () => {
  const listed = cli("postgres://owner:secret@127.0.0.1:1/shop", "orders", "list");
  await expect(listed).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("DATABASE_URL"),
  });
});

it("ends silently if its reader closes the pipe", async () => {
  const { url } = await lastingDatabase();
  await openStore(url).then((store) => store.close());
  const listed = cli(url, "catalog", "export");
  listed.child.stdout?.destroy();
  expect((await listed).stderr).not.toContain("EPIPE");
});

it.each(["merchant catalog export", "--help"])(
  "%s reports in one line that its output could not be written",
  async (words) => {
    const { url } = await lastingDatabase();
    await openShop(await openStore(url)).then(({ store }) => store.close());
    // A read-only file refuses each line, as a full disk does.
    const refusing = openSync(COMMAND, "r");
    onTestFinished(() => closeSync(refusing));
    const { status, stderr } = spawnSync(process.execPath, [COMMAND, ...words.split(" ")], {
      stdio: ["ignore", refusing, "pipe"],
      env: { ...CHILD_ENV, DATABASE_URL: url },
      encoding: "utf8",
    });
    expect(stderr).toMatch(/^The output could not be written: EBADF.*\n$/);
    expect(status).toBe(1);
  },
);
