/** A page elsewhere cannot read a local shop by making its own name point to this machine. */
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { startService } from "../support/service.ts";

/** By any name: fetch does not let one choose the Host. */
function called(port: number, host: string, path: string) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  const asking = request({ host: "127.0.0.1", port, path, headers: { host } }, async (answer) =>
    resolve({ status: answer.statusCode ?? 0, body: await text(answer) }),
  );
  asking.once("error", reject).end();
  return promise;
}

const PATHS = ["/", "/v1/catalog", "/v1/orders", "/desk/sign-in", "/review/x", "/agent-info"];

test("a local shop is read by its own names only", async () => {
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

test("a shop that others reach is called by names that only they know", async () => {
  const env = { BASE_URL: "https://coffee.example", ALLOW_PUBLIC_SANDBOX: "on" };
  const shop = await startService(env);
  onTestFinished(() => shop.stop());
  expect((await called(shop.port, "10.0.0.7:3000", "/readyz")).status).toBe(200);
});
