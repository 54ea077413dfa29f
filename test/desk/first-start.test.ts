/** The secret that the first start makes where MERCHANT_SECRET names none. */
import { get } from "node:http";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished, vi } from "vitest";
import { openStore } from "../../src/app/compose.ts";
import { readConfig } from "../../src/app/config.ts";
import { createLog } from "../../src/app/log.ts";
import { contents } from "../../src/app/registry.ts";
import { type RunningService, serve } from "../../src/app/serve.ts";
import { runCli } from "../../src/cli/run.ts";
import { dump, lastingDatabase } from "../support/lasting-database.ts";
import { merchantAt, signIn, visitor } from "./visitor.ts";

/** A shop whose instances and command line share a database. */
async function shop() {
  const { url } = await lastingDatabase();
  const told: string[] = [];
  const start = async (env: Record<string, string> = {}): Promise<RunningService> => {
    const config = readConfig({ PORT: "0", DATABASE_URL: url, RATE_LIMITS: "off", ...env });
    const log = createLog("silent");
    const tell = (text: string) => void told.push(text);
    const served = await serve(config, { log, contents, version: "0.0.0-test", tell });
    onTestFinished(() => served.stop());
    return served;
  };
  return { url, told, start, secret: () => secretIn(told.join("")) };
}

/** Requests with any Host, which fetch does not allow. */
const getWith = (port: number, path: string, host: { headers: { host: string } }) =>
  new Promise<string>((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path, ...host };
    get(options, (answer) => text(answer).then(resolve, reject)).once("error", reject);
  });

const secretIn = (text: string): string =>
  /\/desk\/sign-in\?secret=(desk_\w{49})\n/.exec(text)![1]!;

it("the first link is printed once, stored as a hash, and works on every instance", async () => {
  const { url, told, start, secret } = await shop();
  const instances = await Promise.all([start(), start()]);
  const later = await start();
  expect(told).toHaveLength(1);
  expect(JSON.stringify(await dump(url))).not.toContain(secret());
  const merchant = await merchantAt(instances[0].baseUrl, secret());
  for (const { baseUrl } of [...instances, later]) {
    expect((await visitor(baseUrl, merchant.cookie).get("/desk")).status).toBe(200);
  }
});

it("a link that cannot be printed opens nothing", async () => {
  const { url } = await shop();
  const store = await openStore(url);
  const close = vi.spyOn(store, "close");
  const tell = () => {
    throw new Error("the terminal is gone");
  };
  const log = createLog("silent");
  const config = readConfig({ PORT: "0", DATABASE_URL: url });
  const starting = serve(config, { log, contents, version: "0.0.0-test", store, tell });
  await expect(starting).rejects.toThrow("the terminal is gone");
  expect(close).toHaveBeenCalledOnce();
});

it("the command line replaces the secret and ends all sessions, on every instance", async () => {
  const { start, secret } = await shop();
  const [{ baseUrl, service, store }, other] = [await start(), await start()];
  const before = await merchantAt(baseUrl, secret());
  const out: string[] = [];
  const world = {
    command: "npm run --silent merchant --",
    withMerchant: <T>(act: (merchant: typeof service.merchant) => Promise<T>) =>
      act(service.merchant),
    out: (text: string) => void out.push(text),
    err: () => {},
  };
  expect(await runCli(["desk", "renew"], world)).toBe(0);
  expect(out.join("")).toMatch(new RegExp(`^${baseUrl}/desk/sign-in\\?secret=desk_\\w+\\n$`));
  expect((await visitor(other.baseUrl, before.cookie).get("/desk")).status).toBe(303);
  expect((await signIn(baseUrl, secret())).status).toBe(403);
  const renewed = await merchantAt(other.baseUrl, secretIn(out.join("")));
  expect((await renewed.get("/desk")).status).toBe(200);
  const [latest] = (await store.queries.allAudit()).filter(({ actor }) => actor === "cli");
  expect(latest).toMatchObject({ act: "desk.renew" });
});

it("MERCHANT_SECRET takes precedence; no start prints it and no command replaces it", async () => {
  const { told, start, secret } = await shop();
  await start();
  const own = "chosen by the owner: 5f2c9a7be014";
  const { baseUrl, service } = await start({ MERCHANT_SECRET: own });
  expect(told).toHaveLength(1);
  expect((await signIn(baseUrl, secret())).status).toBe(403);
  expect((await signIn(baseUrl, own)).status).toBe(303);
  await expect(service.merchant.desk.renew()).rejects.toMatchObject({ code: "ILLEGAL_STEP" });
});

it("a link that would travel unencrypted is announced", async () => {
  const { told, start } = await shop();
  const env = { BASE_URL: "http://coffee.test", ALLOW_PUBLIC_SANDBOX: "on" };
  const { port } = await start(env);
  expect(told.join("")).toContain("put https in front");
  const page = await visitor(`http://127.0.0.1:${port}`).get("/desk/sign-in");
  expect(page.text).toContain("This address is not encrypted.");
});

it("the same warning appears when listening to all addresses without BASE_URL", async () => {
  const { told, start } = await shop();
  const { port } = await start({ HOST: "0.0.0.0", ALLOW_PUBLIC_SANDBOX: "on" });
  expect(told.join("")).toContain("put https in front");
  const named = { headers: { host: "192.168.1.4:3000" } };
  const page = await getWith(port, "/desk/sign-in", named);
  expect(page).toContain("This address is not encrypted.");
});
