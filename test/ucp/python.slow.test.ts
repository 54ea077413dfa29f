/**
 * Third-party tools in Python: the checks of `spck-conformance`, and the official models of `ucp-sdk`. Pip
 * installs them into their own folders. If that fails, these tests are skipped.
 */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RELEASES, type Release } from "../../src/ucp/envelope.ts";
import { catalogWith, form, newEmail } from "../support/purchase.ts";
import { scratchFolder } from "../support/scratch-folder.ts";
import { startService, type TestService } from "../support/service.ts";
import { ADDRESS, eventually, payAsBuyer, send } from "../support/shopper.ts";

const run = promisify(execFile);
const scratch = await scratchFolder("ucp");

/** Folder of the Python commands with this package, or the reason why it is missing. */
async function installed(name: string): Promise<{ bin: string } | { missing: string }> {
  const folder = join(scratch, name);
  try {
    await run(process.env.PYTHON ?? "python3", ["-m", "venv", folder]);
    await run(join(folder, "bin/pip"), ["install", "--quiet", name], { timeout: 180_000 });
    return { bin: join(folder, "bin") };
  } catch (error) {
    return { missing: `: pip could not install it (${(error as Error).message.slice(0, 120)})` };
  }
}

const SDKS = ["ucp-sdk==0.4.6", "ucp-sdk==0.5.0"];
const [spck, ...sdks] = await Promise.all(["spck-conformance==0.4.0", ...SDKS].map(installed));

const SOLD_OUT = "peru-cajamarca-decaf";

let service: TestService;
beforeAll(async () => {
  const CATALOG_FILE = await catalogWith(scratch, { [SOLD_OUT]: 0 });
  service = await startService({ CATALOG_FILE });
});
afterAll(async () => {
  await service.stop();
});

const why = (one: typeof spck) => ("missing" in one! ? one.missing : "");
const bin = (one: typeof spck) => (one as { bin: string }).bin;

/** Configuration without keys for agents that pay, sign or log in. */
const SHOP = {
  product_id: "kenya-nyeri",
  out_of_stock_id: SOLD_OUT,
  currency: "USD",
  payment: { escalation_payment: { payment: { instruments: [] } } },
  cart: { second_product_id: "rwanda-huye" },
  discount: {
    valid_code: "FIRSTBAG",
    invalid_code: "NOT_A_REAL_CODE",
    case_insensitive: true,
    rejected_messages: true,
  },
  negotiation: { validates_profile_url: true },
  discovery: { supported_versions: true },
  catalog: { variant_id: "kenya-nyeri", max_batch: 50 },
};

/** Checks that must pass. The tool has more of them for one release. */
const PASSES = ["catalog.search_requires_input", "checkout.create_requires_line_items"];
const CHECKS = {
  "2026-04-08": {
    passes: [...PASSES, "cart.conversion_idempotent", "cart.conversion_carries_codes"],
    // This shop on loopback uses http.
    deviates: ["checkout.escalation_continue_url_https"],
  },
  "2026-08-25": { passes: PASSES, deviates: [] },
};

describe.skipIf("missing" in spck!)(`spck-conformance${why(spck)}`, () => {
  it.each(RELEASES)("deviates only in https on $version", async (release) => {
    const config = join(scratch, "merchant.json");
    await writeFile(config, JSON.stringify(SHOP));
    await using leaf = await serveLeaf(release);
    const server = release === RELEASES[0] ? service.baseUrl : leaf.url;
    const words = ["--server", server, "--config", config, "--json"];
    const stdout = await new Promise<string>((resolve) => {
      const options = { maxBuffer: 64 * 1024 * 1024 };
      execFile(join(bin(spck), "spck-conformance"), words, options, (_, out) => resolve(out));
    });
    const { passes, deviates } = CHECKS[release.version];
    const { checks, checks_summary: summary, spec_version } = JSON.parse(stdout);
    expect(spec_version).toBe(release.version);
    const having = (status: string) =>
      (checks as { id: string; status: string }[])
        .filter((one) => one.status === status)
        .map(({ id }) => id);
    expect(having("deviation")).toEqual(deviates);
    expect(having("clean-pass")).toEqual(expect.arrayContaining(passes));
    expect(summary.inconclusive).toBe(0);
  });
});

/** An address whose root profile is this release's: the tool reads no other. */
async function serveLeaf({ profile }: Release) {
  const { text } = await send(service.baseUrl, profile);
  const server = createServer((request, response) => {
    response.statusCode = request.url === RELEASES[0].profile ? 200 : 404;
    response.setHeader("Content-Type", "application/json").end(text);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const HEADERS = { "ucp-agent": 'profile="https://agent.example/profile"' };

/** A response for each model. */
async function answers({ endpoint, profile }: Release): Promise<[model: string, body: unknown][]> {
  const ask = async (path: string, body?: unknown, method?: string) =>
    (
      await send(service.baseUrl, `${endpoint}${path}`, {
        headers: HEADERS,
        ...(body !== undefined && { body }),
        ...(method && { method }),
      })
    ).body;
  const lines = (quantity: number, id = "kenya-nyeri") => ({
    line_items: [{ item: { id }, quantity }],
    buyer: { email: newEmail() },
    discounts: { codes: ["FIRSTBAG", "NOPE"] },
  });
  const cart = await ask("/carts", lines(2));
  const refused = await ask(`/carts/${cart.id}`, lines(1, SOLD_OUT), "PUT");
  const checkout = await ask("/checkout-sessions", { cart_id: cart.id });
  const pay = async (checkout: Checkout, status: string, method?: "bank_debit") => {
    const email = newEmail();
    const sent = await send(service.baseUrl, checkout.continue_url, form({ email, ...ADDRESS }));
    await payAsBuyer(service.baseUrl, sent.headers.get("location")!, method);
    return eventually(async () => {
      const body = await ask(`/checkout-sessions/${checkout.id}`);
      return body.status === status && body;
    });
  };
  const path = `/checkout-sessions/${checkout.id}`;
  const completed = await pay(checkout, "completed");
  const settling = await ask("/checkout-sessions", lines(1));
  const order = `/orders/${completed.order.id}`;
  const ordered = await ask(order);
  const { orders, shipments } = service.service.merchant.admin("cli");
  const { label: order_id } = completed.order;
  const [shipment] = (await orders.show({ order_id })).shipments;
  await orders.roast({ order_id });
  const tracking = { carrier: "USPS", number: "9400111899223197428404" };
  await shipments.ship({ shipment_id: shipment!.id, tracking });
  await orders.refund({ order_id, amount_minor: 1500 });
  const canceled = await pay(await ask("/checkout-sessions", lines(3)), "completed");
  await orders.cancel({ order_id: canceled.order.label, reason: "Roaster down", refund: true });
  const unit = { id: "kenya-nyeri", quantity_unit: { unit: "LBR", scale: 2 } };
  const byWeight = { line_items: [{ item: unit, quantity: 1 }] };
  const spend = await ask("/checkout-sessions", lines(50));
  return [
    ["profile", (await send(service.baseUrl, profile)).body.ucp],
    ["search", await ask("/catalog/search", { query: "*", pagination: { limit: 2 } })],
    ["search", await ask("/catalog/search", { query: "none", filters: { color: "blue" } })],
    ["lookup", await ask("/catalog/lookup", { ids: ["kenya-nyeri", "none"] })],
    ["product", await ask("/catalog/product", { id: "yemen-haraz" })],
    ["error", await ask("/catalog/product", { id: "none" })],
    ["cart", cart],
    ["cart", refused],
    ["cart", await ask(`/carts/${cart.id}`)],
    ["error", await ask("/carts", lines(101))],
    ["error", await ask("/carts/crt_none")],
    ["checkout", checkout],
    ["checkout", completed],
    ["checkout", await ask(path, lines(1), "PUT")],
    ["checkout", spend],
    ["checkout", await ask(`/checkout-sessions/${spend.id}/complete`, {})],
    ["checkout", await ask(`/checkout-sessions/${spend.id}/cancel`, {})],
    ["checkout", await ask(`/checkout-sessions/${spend.id}/complete`, {})],
    ["checkout", await pay(settling, "complete_in_progress", "bank_debit")],
    ["order", ordered],
    ["order", await ask(order)],
    ["order", await ask(`/orders/${canceled.order.id}`)],
    ["error", await ask(`/orders/${spend.id}`)],
    ["error", await ask("/carts", byWeight)],
  ];
}

interface Checkout {
  id: string;
  continue_url: string;
}

const SDK_OF_RELEASE = SDKS.map((name, i) => ({ name, sdk: sdks[i]! })).flatMap((one) =>
  RELEASES.map((release) => ({ ...one, ...release })),
);

describe.each(SDK_OF_RELEASE)("$name", ({ name, sdk, ...release }) => {
  it.skipIf("missing" in sdk)(`reads every answer of ${release.version}${why(sdk)}`, async () => {
    const file = join(scratch, `${name}-${release.version}.json`);
    const all = await answers(release);
    await writeFile(file, JSON.stringify(all));
    const script = fileURLToPath(new URL("models.py", import.meta.url));
    const { stdout } = await run(join(bin(sdk), "python"), [script, file]);
    expect(JSON.parse(stdout)).toEqual({ read: all.length, wrong: [] });
  });
});
