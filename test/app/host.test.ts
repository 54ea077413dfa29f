/** A foreign page cannot read a local shop by pointing its own name to this machine. */
import { type IncomingHttpHeaders, request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { startService } from "../support/service.ts";

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Sends any Host header, which fetch does not allow. */
function called(
  port: number,
  host: string,
  path: string,
  {
    method = "GET",
    headers = {},
    body = "",
  }: { method?: string; headers?: object; body?: string } = {},
) {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const options = { host: "127.0.0.1", port, path, method, headers: { ...headers, host } };
  const asking = request(options, async (answer) =>
    resolve({
      status: answer.statusCode ?? 0,
      headers: answer.headers,
      body: await text(answer),
    }),
  );
  asking.once("error", reject).end(body);
  return promise;
}

const PATHS = ["/", "/v1/catalog", "/v1/orders", "/desk/sign-in", "/review/x", "/agent-info"];

test("a local shop answers to its own names only", async () => {
  const shop = await startService({ ALLOWED_HOSTS: "tunnel.example" });
  onTestFinished(() => shop.stop());
  for (const path of PATHS) {
    const refused = await called(shop.port, "evil.example:3000", path);
    expect([path, refused.status]).toEqual([path, 403]);
    expect(refused.body).toContain("HOST_REFUSED");
    for (const host of ["localhost:3000", "[::1]", "tunnel.example"]) {
      expect((await called(shop.port, host, path)).body).not.toContain("HOST_REFUSED");
    }
  }
});

test("a request target may be a whole address, as proxies write it", async () => {
  const shop = await startService();
  onTestFinished(() => shop.stop());
  const own = `http://127.0.0.1:${shop.port}`;
  const whole = async (path: string, host = "localhost") =>
    (await called(shop.port, host, `${own}${path}`)).status;
  expect(await Promise.all(["/v1/catalog", "/", "/nothing", "/mcp"].map((p) => whole(p)))).toEqual([
    200, 200, 404, 405,
  ]);
  expect(await whole("/v1/catalog", "evil.example")).toBe(403);
});

const PUBLIC = { BASE_URL: "https://coffee.example", ALLOW_PUBLIC_SANDBOX: "on" };

async function publicShop(env: Record<string, string> = PUBLIC) {
  const shop = await startService(env);
  onTestFinished(() => shop.stop());
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  const listTools = (path: string, host: string, origin: string) =>
    called(shop.port, host, path, {
      method: "POST",
      headers: { origin, "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(list),
    });
  return { shop, listTools };
}

test("a public shop answers to any name", async () => {
  const { shop } = await publicShop();
  expect((await called(shop.port, "10.0.0.7:3000", "/readyz")).status).toBe(200);
});

test("hosted assistants reach MCP of a public shop with their own site as the origin, also by www.", async () => {
  const { shop, listTools } = await publicShop();
  for (const path of ["/mcp", "/mcp/shop"]) {
    for (const host of ["coffee.example", "www.coffee.example"]) {
      const answer = await listTools(path, host, "https://claude.ai");
      expect([path, host, answer.status]).toEqual([path, host, 200]);
      expect(JSON.parse(answer.body).result.tools.length).toBeGreaterThan(0);
      expect(answer.headers["access-control-allow-origin"]).toBe("*");
    }
    const asked = { "access-control-request-method": "POST", origin: "https://claude.ai" };
    const preflight = await called(shop.port, "coffee.example", path, {
      method: "OPTIONS",
      headers: asked,
    });
    expect([preflight.status, preflight.headers["access-control-allow-origin"]]).toEqual([
      204,
      "*",
    ]);
    expect((await listTools(path, "evil.example", "https://claude.ai")).status).toBe(403);
  }
});

test.each<[string, Record<string, string>]>([
  ["on this machine", {}],
  ["over http", { ...PUBLIC, BASE_URL: "http://coffee.example" }],
])("MCP of a shop %s refuses foreign pages", async (_, env) => {
  const { listTools } = await publicShop(env);
  for (const path of ["/mcp", "/mcp/shop"]) {
    const answer = await listTools(path, "localhost", "https://claude.ai");
    expect([path, answer.status]).toEqual([path, 403]);
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
  }
});

test("forms of the shop's pages work with and without www., and from no other site", async () => {
  const { shop } = await publicShop();
  const add = (origin: string) =>
    called(shop.port, "10.0.0.7", "/cart", {
      method: "POST",
      headers: { origin, "content-type": "application/x-www-form-urlencoded" },
      body: "quantity-kenya-nyeri=1&add=kenya-nyeri",
    });
  for (const own of ["https://coffee.example", "https://www.coffee.example"])
    expect((await add(own)).status).toBe(303);
  expect((await add("https://claude.ai")).status).toBe(403);
});

test("browsers keep a public shop's own name on https, and no other name of its domain", async () => {
  const secured = await publicShop();
  const kept = async (port: number) =>
    (await called(port, "coffee.example", "/")).headers["strict-transport-security"];
  expect(await kept(secured.shop.port)).toMatch(/^max-age=\d{7,}$/);
  const { shop } = await publicShop({ ...PUBLIC, BASE_URL: "http://coffee.example" });
  expect(await kept(shop.port)).toBeUndefined();
});
