import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Ajv2020 } from "ajv/dist/2020.js";
import canonicalize from "canonicalize";
import { expect, onTestFinished, test } from "vitest";
import { openapi } from "../../src/api/openapi/openapi.ts";
import { contents } from "../../src/app/registry.ts";
import { toolLists } from "../../src/mcp/schemas.ts";
import { startService } from "../support/service.ts";
import { quoteRequest, register, send } from "../support/shopper.ts";

// biome-ignore lint/suspicious/noExplicitAny: the document is read as any client reads it.
const description = openapi(contents.operations, "http://127.0.0.1:3000") as any;

interface Route {
  operationId: string;
  requestBody?: { content: { "application/json": Media } };
  responses: Record<
    string,
    { content?: { "application/json"?: Media }; links?: Record<string, object> }
  >;
}
interface Media {
  schema: object;
  example?: unknown;
}

const routes = (Object.values(description.paths) as Record<string, Route>[]).flatMap((path) =>
  Object.values(path),
);

const formats = { date: true, "date-time": true } as const;
const ajv = new Ajv2020({ strict: false, allErrors: true, formats });
ajv.addSchema({ $id: "doc", components: description.components });

/** Validates a value by a schema whose references point into the document. */
function problems(schema: object, value: unknown): string[] {
  const rooted = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"doc#/components'));
  const validate = ajv.compile(rooted);
  validate(value);
  return (validate.errors ?? []).map((e) => `${e.instancePath} ${e.message}`);
}

test("the linter accepts the OpenAPI document", async () => {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const cli = fileURLToPath(import.meta.resolve("@redocly/cli/bin/cli.js"));
  const run = promisify(execFile)(process.execPath, [cli, "lint", "merchant"], { cwd: root, env });
  await expect(run).resolves.toMatchObject({ stderr: expect.stringMatching(/is valid/) });
});

test("every operation is in the document, and every write shows a request", () => {
  const described = routes.map((route) => route.operationId);
  const byHand = ["build_quick_checkout_link"];
  const names = contents.operations.map((op) => op.name).filter((name) => !byHand.includes(name));
  expect(described).toEqual(expect.arrayContaining(names));
  for (const route of routes.filter((one) => one.requestBody)) {
    expect(route.requestBody?.content["application/json"], route.operationId).toHaveProperty(
      "example",
    );
  }
});

test("every example matches its schema", () => {
  const requests = routes.flatMap(({ operationId, requestBody }) =>
    requestBody ? [{ name: operationId, ...requestBody.content["application/json"] }] : [],
  );
  expect(requests.length).toBeGreaterThan(6);
  const shown = routes.flatMap(({ responses }) =>
    Object.values(responses).flatMap(({ content }) => {
      const media = content?.["application/json"];
      return media?.example ? [{ name: (media.schema as { $ref: string }).$ref, ...media }] : [];
    }),
  );
  for (const { name, schema, example } of [...requests, ...shown]) {
    expect(problems(schema, example), name).toEqual([]);
  }
  const shapes = ["Quote", "Checkout", "Order", "OrderEvents"];
  expect(shown.map(({ name }) => name)).toEqual(
    expect.arrayContaining(shapes.map((shape) => `#/components/schemas/${shape}`)),
  );
});

/** Every value in the document that has this name and is text. */
function textsNamed(name: string, value: unknown = description): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    key === name && typeof one === "string" ? [one] : textsNamed(name, one),
  );
}

test("custom actions accept every description and summary: at most 300 characters", () => {
  const texts = ["description", "summary"].flatMap((name) => textsNamed(name));
  expect(texts.length).toBeGreaterThan(100);
  expect(texts.filter((text) => text.length > 300)).toEqual([]);
});

test("no schema of the document or of a tool has const, which some hosts refuse", () => {
  const { operations, resources } = contents;
  for (const schemas of [description, ...toolLists(operations, resources).keyed]) {
    expect(JSON.stringify(schemas)).not.toContain('"const":');
  }
});

test("each 4xx response is described once, and every operation refers to it", () => {
  const { responses } = description.components;
  for (const { operationId, responses: own } of routes) {
    const refused = Object.entries(own).filter(([status]) => !/^[23]/.test(status));
    expect(refused.length, operationId).toBeGreaterThan(0);
    for (const [, { $ref }] of refused as [string, { $ref: string }][]) {
      expect(responses).toHaveProperty($ref.split("/").at(-1)!);
    }
  }
});

test("links lead from each response to the next calls, up to the order", () => {
  const linked = (operationId: string): string[] => {
    const route = routes.find((one) => one.operationId === operationId)!;
    return Object.values(route.responses).flatMap((one) => Object.keys(one.links ?? {}));
  };
  expect(linked("request_quote")).toEqual(["get_quote", "create_checkout", "get_quote_order"]);
  expect(linked("create_checkout")).toEqual(["get_quote", "get_quote_order"]);
  expect(linked("get_quote_order")).toEqual(
    expect.arrayContaining(["get_order", "list_order_events", "request_cancellation"]),
  );
  expect(linked("join_waitlist")).toEqual(["get_waitlist_entry", "leave_waitlist"]);
});

test("a client that only follows links gets from a quote to the review link", async () => {
  const { baseUrl, stop } = await startService();
  onTestFinished(stop);
  const key = await register(baseUrl);
  const quote = await send(baseUrl, "/v1/quote-requests", { key, body: quoteRequest() });
  const { links } = description.paths["/v1/quote-requests"].post.responses[201];
  const { operationId, parameters, requestBody } = links.create_checkout;
  const from = (expression: string) => quote.body[expression.replace("$response.body#/", "")];
  const [path] = Object.entries(description.paths as Record<string, { post?: Route }>).find(
    ([, { post }]) => post?.operationId === operationId,
  )!;
  const filled = path.replace(/\{(\w+)\}/, (_, name: string) => from(parameters[name]));
  const body = Object.fromEntries(
    Object.entries(requestBody as Record<string, string>).map(([name, e]) => [name, from(e)]),
  );
  const checkout = await send(baseUrl, filled, { key, body });
  expect(checkout.body.review_url).toContain("/review/");
});

test("the quote in the examples has the hash of its terms", () => {
  const file = new URL("../../docs/api/examples.json", import.meta.url);
  const { terms, quote_hash } = JSON.parse(readFileSync(file, "utf8")).request_quote.response;
  const hash = createHash("sha256").update(canonicalize(terms)!).digest("hex");
  expect(quote_hash).toBe(`sha256:${hash}`);
});

test("the documents described by hand match their description", async () => {
  const { baseUrl, stop } = await startService();
  onTestFinished(stop);
  const info = await send(baseUrl, "/agent-info");
  const schema = { $ref: "#/components/schemas/AgentInfo" };
  expect(problems(schema, info.body)).toEqual([]);
  const described = Object.keys(description.components.schemas.AgentInfo.properties);
  expect(Object.keys(info.body).sort()).toEqual(described.sort());
  const link = await send(baseUrl, "/v1/quick-checkout?bag=kenya-nyeri&qty=2&format=json");
  expect(problems({ $ref: "#/components/schemas/QuickCheckout" }, link.body)).toEqual([]);
  const refused = await send(baseUrl, "/v1/quick-checkout?bag=none&qty=01");
  expect(problems({ $ref: "#/components/schemas/Problem" }, refused.body)).toEqual([]);
});
