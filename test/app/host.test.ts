/** A foreign page cannot read a local shop by pointing its own name to this machine. */
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { startService } from "../support/service.ts";

/** Sends any Host header, which fetch does not allow. */
function called(port: number, host: string, path: string) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  const asking = request({ host: "127.0.0.1", port, path, headers: { host } }, async (answer) =>
    resolve({ status: answer.statusCode ?? 0, body: await text(answer) }),
  );
  asking.once("error", reject).end();
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

test("a public shop answers to any name", async () => {
  const env = { BASE_URL: "https://coffee.example", ALLOW_PUBLIC_SANDBOX: "on" };
  const shop = await startService(env);
  onTestFinished(() => shop.stop());
  expect((await called(shop.port, "10.0.0.7:3000", "/readyz")).status).toBe(200);
});
