/** The contract's endpoints and fields (contract §4), written independently of the code. */
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { resources } from "../../resources/index.ts";
import { cardsOf } from "../../src/api/resource.ts";
import { ERRORS } from "../../src/core/errors.ts";
import { ENDPOINTS } from "../../src/core/next-step.ts";
import { toolsOf } from "../../src/mcp/schemas.ts";
import { operations } from "../../tools/index.ts";
import { startService, type TestService } from "../support/service.ts";
import { send } from "../support/shopper.ts";

let service: TestService;
// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document, read as a reader would.
let openapi: any;
beforeAll(async () => {
  service = await startService();
  openapi = (await send(service.baseUrl, "/openapi.json")).body;
});
afterAll(() => service.stop());

/** Method, path, whether it needs a key (B) or is public (P), and its MCP counterpart. */
const ENDPOINTS_OF_CONTRACT: [string, string, "B" | "P", string | null][] = [
  ["GET", "/agent-info", "P", "coffee://agent-info"],
  ["GET", "/openapi.json", "P", null],
  ["GET", "/v1/catalog", "P", "get_catalog"],
  ["POST", "/v1/agents/register", "P", "register_agent"],
  ["POST", "/v1/quote-requests", "B", "request_quote"],
  ["POST", "/v1/waitlist", "B", "join_waitlist"],
  ["GET", "/v1/waitlist/{id}", "B", "get_waitlist_entry"],
  ["DELETE", "/v1/waitlist/{id}", "B", "leave_waitlist"],
  ["GET", "/v1/quotes/{id}", "B", "get_quote"],
  ["POST", "/v1/quotes/{id}/checkout", "B", "create_checkout"],
  ["GET", "/v1/quotes/{id}/order", "B", "get_quote_order"],
  ["GET", "/v1/orders", "B", "list_orders"],
  ["GET", "/v1/orders/{id}", "B", "get_order"],
  ["GET", "/v1/orders/{id}/events", "B", "list_order_events"],
  ["POST", "/v1/orders/{id}/cancel-requests", "B", "request_cancellation"],
  ["DELETE", "/v1/orders/{id}/cancel-requests", "B", "withdraw_cancellation"],
  ["POST", "/v1/feedback", "B", "send_feedback"],
  ["POST", "/v1/bulk-leads", "B", "send_bulk_lead"],
  ["GET", "/v1/ask", "P", "ask"],
  ["GET", "/v1/quick-checkout", "P", "build_quick_checkout_link"],
];

const anyName = (path: string) => path.replace(/\{\w+\}/g, "{}");

describe.each(ENDPOINTS_OF_CONTRACT)("%s %s", (method, path, access, counterpart) => {
  it("requires a key if it needs one, and only then", async () => {
    const body = method === "POST" ? { body: {} } : {};
    const answer = await send(service.baseUrl, path.replace("{id}", "none"), { method, ...body });
    if (access === "B") expect([answer.status, answer.body.code]).toEqual([401, "UNAUTHENTICATED"]);
    else expect([200, 422]).toContain(answer.status);
  });

  it("is described in /openapi.json", () => {
    const known = Object.keys(openapi.paths).find((one) => anyName(one) === anyName(path)) ?? "";
    const entry = openapi.paths[known]?.[method.toLowerCase()];
    expect(entry).toMatchObject({ operationId: expect.any(String), responses: expect.any(Object) });
    const ways: object[] = entry.security ?? openapi.security;
    const required = ways.every((one) => Object.keys(one).length > 0);
    expect(required && ways.length > 0).toBe(access === "B");
  });

  it("has its counterpart over MCP", () => {
    if (counterpart === null) return;
    const tools = toolsOf(operations, true, cardsOf(resources)).map(({ name }) => name);
    const known = JSON.stringify([tools, resources]);
    expect(known).toContain(JSON.stringify(counterpart));
  });
});

describe("the fields of the specification", () => {
  // biome-ignore lint/suspicious/noExplicitAny: JSON Schema, read as a reader would.
  type Schema = any;
  const resolve = (schema: Schema): Schema =>
    schema?.$ref ? openapi.components.schemas[schema.$ref.split("/").at(-1)] : schema;
  const at = (schema: Schema, path: string): Schema =>
    path.split(".").reduce((here, name) => {
      const found = resolve(here);
      return name === "[]" ? resolve(found?.items) : resolve(found?.properties?.[name]);
    }, schema);
  const entry = (path: string, method: string) =>
    openapi.paths[Object.keys(openapi.paths).find((p) => anyName(p) === path) ?? ""]?.[method];
  const bodyOf = (path: string) =>
    resolve(entry(path, "post")?.requestBody.content["application/json"].schema);
  const answerOf = (path: string, method: string, status: string) =>
    resolve(entry(path, method)?.responses[status].content["application/json"].schema);

  test.each<[string, string[], string[]]>([
    ["/v1/agents/register", ["name", "contact_email"], []],
    ["/v1/quote-requests", ["buyer", "shipments"], ["preferences", "discount_code", "replaces"]],
    ["/v1/quotes/{}/checkout", ["quote_hash"], []],
    ["/v1/waitlist", ["product_id", "quantity", "buyer"], []],
    ["/v1/feedback", ["message"], ["order_id"]],
    ["/v1/bulk-leads", ["email", "purpose"], ["quantity", "organization"]],
  ])("%s requires %j and allows %j, and nothing else", (path, required, optional) => {
    const body = bodyOf(path);
    expect(Object.keys(body.properties).sort()).toEqual([...required, ...optional].sort());
    expect([...body.required].sort()).toEqual([...required].sort());
    expect(body.additionalProperties).toBe(false);
  });

  it("a shipment takes a reference, an address, items and gift notes", () => {
    const shipment = at(bodyOf("/v1/quote-requests"), "shipments.[]");
    expect([...shipment.required].sort()).toEqual(["address", "items", "recipient_ref"]);
    expect(Object.keys(shipment.properties).sort()).toEqual([
      "address",
      "gift_notes",
      "items",
      "recipient_ref",
    ]);
    const address = resolve(shipment.properties.address);
    expect([...address.required].sort()).toEqual([
      "city",
      "country",
      "line1",
      "name",
      "postal_code",
      "region",
    ]);
    expect(Object.keys(address.properties)).toContain("line2");
    expect(resolve(address.properties.country)).toMatchObject({ type: "string" });
  });

  test.each<[string, string, string, string[]]>([
    ["/v1/agents/register", "post", "201", ["api_key"]],
    ["/v1/quote-requests", "post", "201", ["status", "quote_hash", "terms.shipments"]],
    ["/v1/quotes/{}/checkout", "post", "200", ["review_url"]],
    ["/v1/waitlist", "post", "201", ["position", "status", "product_id", "quantity", "buyer"]],
    ["/v1/orders", "get", "200", ["orders", "next_before"]],
    [
      "/v1/orders/{}",
      "get",
      "200",
      [
        ...["id", "buyer_email", "created_at", "items", "pricing", "payment"],
        ...["status", "tracking", "address", "gift_notes"].map((name) => `shipments.[].${name}`),
      ],
    ],
    [
      "/v1/catalog",
      "get",
      "200",
      [
        ...["product_id", "name", "name_to_use_with_humans", "price_minor", "roast_level"],
        ...["summary", "choose_if", "image_url"],
      ].map((name) => `products.[].${name}`),
    ],
  ])("%s %s %s answers with %j", (path, method, status, fields) => {
    const schema = answerOf(path, method, status);
    expect(fields.filter((field) => at(schema, field) === undefined)).toEqual([]);
  });
});

describe("operations", () => {
  it("have next steps with their own method and path", () => {
    const byHand = operations.map((op) => [op.name, `${op.http.method} ${op.http.path}`]);
    expect(ENDPOINTS).toEqual(Object.fromEntries(byHand));
  });

  it("return known codes only, and every code has a title and help", () => {
    const used = operations.flatMap((op) => op.errors);
    expect(used.filter((code) => !Object.hasOwn(ERRORS, code))).toEqual([]);
    for (const kind of Object.values(ERRORS)) {
      expect(kind.title).toMatch(/\S/);
      expect(kind.help).toMatch(/\S/);
      expect(kind.status).toBeGreaterThanOrEqual(400);
    }
  });

  it("require an Idempotency-Key for writes, and take none for reads", () => {
    for (const op of operations) {
      const entry = openapi.paths[op.http.path]?.[op.http.method.toLowerCase()];
      const text = JSON.stringify(entry?.parameters ?? []);
      expect([op.name, text.includes("IdempotencyKey")]).toEqual([op.name, op.effect === "write"]);
    }
  });
});
