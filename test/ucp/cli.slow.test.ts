/** Shopify's client `@shopify/ucp-cli` buys over JSON-RPC. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { RELEASES } from "../../src/ucp/envelope.ts";
import { INHERITED } from "../support/command.ts";
import { catalogWith, form, newEmail } from "../support/purchase.ts";
import { scratchFolder } from "../support/scratch-folder.ts";
import { startService, type TestService } from "../support/service.ts";
import { ADDRESS, eventually, payAsBuyer, send } from "../support/shopper.ts";

const CLI = fileURLToPath(import.meta.resolve("@shopify/ucp-cli")).replace("index.js", "bin.js");
const SOLD_OUT = "peru-cajamarca-decaf";

let service: TestService;
let folder: string;
beforeAll(async () => {
  folder = await scratchFolder("ucp");
  service = await startService({
    CATALOG_FILE: await catalogWith(folder, { [SOLD_OUT]: 0 }),
  });
});
afterAll(async () => {
  await service.stop();
});

/** Output of a command, also if the client exits with an error because the shop refused. */
const ucp = (...words: string[]) =>
  cli(...words, "--business", service.baseUrl, "--format", "json");

async function cli(...words: string[]) {
  const all = [CLI, ...words];
  const env = {
    ...INHERITED,
    UCP_TEST_ALLOW_INSECURE_LOCALHOST: "true",
    UCP_HOME: join(folder, "ucp"),
  };
  const stdout = await new Promise<string>((resolve) => {
    execFile(process.execPath, all, { env }, (_error, out) => resolve(out));
  });
  return JSON.parse(stdout);
}

const lines = (id: string, quantity: number) =>
  JSON.stringify({ line_items: [{ item: { id }, quantity }] });

/** Makes this client speak one release only. */
async function speak(version: string): Promise<void> {
  const words = ["--name", version, "--version", version, "--activate", "--format", "json"];
  await cli("profile", "init", ...words);
}

it.each(RELEASES)("buys on $version, and follows the order to the refund", async ({ version }) => {
  await speak(version);
  const { result: found } = await ucp("discover");
  expect(found.profile.ucp.version).toBe(version);
  expect(JSON.stringify(found)).toContain("dev.ucp.shopping.checkout");
  const { result: search } = await ucp("catalog", "search", "--set", "/query=kenya");
  const { id: bean } = search.products[0].variants[0];
  const { result: one } = await ucp("catalog", "get_product", bean);
  expect(one.product.id).toBe("kenya-nyeri");

  const { result: cart } = await ucp("cart", "create", "--input", lines(bean, 1));
  const { result: updated } = await ucp("cart", "update", cart.id, "--input", lines(bean, 3));
  expect([updated.id, updated.line_items[0].quantity]).toEqual([cart.id, 3]);

  const hooked = join(folder, "hooked.json");
  const { result: checkout } = await ucp(
    ...["checkout", "create", "--input", `{"cart_id":"${cart.id}","line_items":[]}`],
    ...["--on-escalation", `cat > ${hooked}`],
  );
  expect(checkout).toMatchObject({ status: "requires_escalation", totals: updated.totals });
  const handed = JSON.parse(await readFile(hooked, "utf8"));
  expect(handed.url).toBe(checkout.continue_url);

  const sent = await send(service.baseUrl, handed.url, form({ email: newEmail(), ...ADDRESS }));
  await payAsBuyer(service.baseUrl, sent.headers.get("location")!);
  const done = await eventually(async () => {
    const { result } = await ucp("checkout", "get", checkout.id);
    return result.status === "completed" && result;
  });
  expect(done.order.label).toMatch(/^\d+$/);
  expect(done.totals).toEqual(checkout.totals);

  const { orders, shipments } = service.service.merchant.admin("cli");
  const { id, label: order_id } = done.order;
  const shown = await orders.show({ order_id });
  const number = "9400111899223197428404";
  await orders.roast({ order_id });
  const tracking = { carrier: "USPS", number };
  await shipments.ship({ shipment_id: shown.shipments[0]!.id, tracking });
  await orders.refund({ order_id, amount_minor: 1500 });
  const read = await ucp("order", "get", id);
  expect(read.ucp.version).toBe(version);
  expect(read.result).toMatchObject({
    ...{ id, label: order_id },
    line_items: [{ quantity: { original: 3, total: 3, fulfilled: 3 }, status: "fulfilled" }],
    fulfillment: { events: [{ type: "processing" }, { type: "shipped", tracking_number: number }] },
    adjustments: [{ type: "refund", totals: [{ amount: -1500 }] }],
  });
});
