/**
 * Third-party tools in Python: the checks of `spck-conformance`, and the official models of `ucp-sdk`. Pip
 * installs them into their own folders. If that fails, these tests are skipped.
 */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { catalogWith, form, newEmail, scratch } from "../support/purchase.ts";
import { startService, type TestService } from "../support/service.ts";
import { ADDRESS, eventually, payAsBuyer, send } from "../support/shopper.ts";

const run = promisify(execFile);
const files = await scratch();

/** Folder of the Python commands with this package, or the reason why it is missing. */
async function installed(name: string): Promise<{ bin: string } | { missing: string }> {
  const folder = join(files.folder, name);
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
  const CATALOG_FILE = await catalogWith(files.folder, { [SOLD_OUT]: 0 });
  service = await startService({ CATALOG_FILE });
});
afterAll(async () => {
  await service.stop();
  await files.remove();
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
  catalog: { variant_id: "kenya-nyeri", max_batch: 50 },
};

/** The only deviation: this shop on loopback uses http. */
const DEVIATES = ["checkout.escalation_continue_url_https"];

describe.skipIf("missing" in spck!)(`spck-conformance${why(spck)}`, () => {
  it("deviates only in https", async () => {
    const config = join(files.folder, "merchant.json");
    await writeFile(config, JSON.stringify(SHOP));
    const words = ["--server", service.baseUrl, "--config", config, "--json"];
    const stdout = await new Promise<string>((resolve) => {
      const options = { maxBuffer: 64 * 1024 * 1024 };
      execFile(join(bin(spck), "spck-conformance"), words, options, (_, out) => resolve(out));
    });
    const { checks, checks_summary: summary } = JSON.parse(stdout);
    const having = (status: string) =>
      (checks as { id: string; status: string }[])
        .filter((one) => one.status === status)
        .map(({ id }) => id);
    expect(having("deviation")).toEqual(DEVIATES);
    expect(having("clean-pass")).toEqual(
      expect.arrayContaining([
        "catalog.search_requires_input",
        "checkout.create_requires_line_items",
        "cart.conversion_idempotent",
        "cart.conversion_carries_codes",
      ]),
    );
    expect(summary.inconclusive).toBe(0);
  });
});

const HEADERS = { "ucp-agent": 'profile="https://agent.example/profile"' };

/** A response for each model. */
async function answers(): Promise<[model: string, body: unknown][]> {
  const ask = async (path: string, body?: unknown, method?: string) =>
    (
      await send(service.baseUrl, `/ucp${path}`, {
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
  const sent = await send(
    service.baseUrl,
    checkout.continue_url,
    form({ email: newEmail(), ...ADDRESS }),
  );
  await payAsBuyer(service.baseUrl, sent.headers.get("location")!);
  const path = `/checkout-sessions/${checkout.id}`;
  const completed = await eventually(async () => {
    const body = await ask(path);
    return body.status === "completed" && body;
  });
  const spend = await ask("/checkout-sessions", lines(50));
  return [
    ["profile", (await send(service.baseUrl, "/.well-known/ucp")).body.ucp],
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
  ];
}

describe.each(SDKS.map((name, i) => ({ name, sdk: sdks[i]! })))("$name", ({ name, sdk }) => {
  it.skipIf("missing" in sdk)(`reads every answer${why(sdk)}`, async () => {
    const file = join(files.folder, `${name}.json`);
    const all = await answers();
    await writeFile(file, JSON.stringify(all));
    const script = fileURLToPath(new URL("models.py", import.meta.url));
    const { stdout } = await run(join(bin(sdk), "python"), [script, file]);
    expect(JSON.parse(stdout)).toEqual({ read: all.length, wrong: [] });
  });
});
