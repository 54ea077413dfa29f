/** Sign-in at the desk. */
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { type Letter, type Mailer, MailFailed } from "../../src/core/letter.ts";
import { hiddenFields } from "../shop/pages/reading.ts";
import { form, purchase } from "../support/purchase.ts";
import { DAY, HOUR, keptLog, startService, testClock } from "../support/service.ts";
import { openShop } from "../support/shop.ts";
import { type Answer, send } from "../support/shopper.ts";
import { openUsual } from "../support/stores.ts";
import { cookieOf, merchantAt, SECRET, signIn, text, visitor } from "./visitor.ts";

const { log, lines } = keptLog();
const service = await startService({ MERCHANT_SECRET: SECRET }, testClock(), { log });
afterAll(() => service.stop());

const PAGES = ["", "/orders", "/orders/ord_x", "/stock", "/waitlist", "/agents", "/messages"];
const SECRETS = /secret for tests/;

const unseen = (answer: Pick<Answer, "headers">) => {
  expect(answer.headers.get("cache-control")).toMatch(/^no-store\b/);
  expect(answer.headers.get("x-robots-tag")).toContain("noindex");
  expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
};

describe("without a session", () => {
  it("every page leads to the sign-in and back", async () => {
    for (const path of PAGES) {
      const answer = await visitor(service.baseUrl).get(`/desk${path}`);
      expect(answer.status).toBe(303);
      expect(answer.headers.get("location")).toMatch(/^\/desk\/sign-in(\?to=%2Fdesk%2F[\w%]+)?$/);
      unseen(answer);
    }
    for (const to of ["/desk/orders/ord_x", "/desk/orders?show=roast&before=5.ord_x"]) {
      const { headers } = await visitor(service.baseUrl).get(to);
      const asked = new URL(headers.get("location")!, service.baseUrl).searchParams.get("to")!;
      const entered = await signIn(service.baseUrl, SECRET, { to: asked });
      expect(entered.headers.get("location")).toBe(to);
    }
  });

  it("no form acts", async () => {
    const { order } = await purchase(service.baseUrl);
    const stranger = visitor(service.baseUrl, "desk=eyJhbGciOiJub25lIn0.e30.");
    const answer = await stranger.post(`/desk/orders/${order.id}`, { act: "orders.roast" });
    expect(answer.status).toBe(403);
    expect(text(answer)).toContain("Your session has ended. Nothing was changed.");
    expect((await service.store.queries.order(order.id))?.status).toBe("CONFIRMED");
  });

  it("the sign-in leads only to the desk", async () => {
    for (const to of [
      "https://evil.example",
      "//evil.example",
      "/desk/..//evil",
      "/v1/orders",
      "/desk/sign-in?to=/",
    ]) {
      expect((await signIn(service.baseUrl, SECRET, { to })).headers.get("location")).toBe("/desk");
    }
  });
});

describe("the secret", () => {
  it("opens the desk by a link whose page changes nothing until its button is pressed", async () => {
    const link = `/desk/sign-in?secret=${encodeURIComponent(SECRET)}`;
    const page = await visitor(service.baseUrl).get(link);
    expect(page.status).toBe(200);
    expect(page.headers.get("set-cookie")).toBeNull();
    expect(page.text).toContain(`name="secret" value="${SECRET}"`);
    unseen(page);
  });

  it("a link signs in once, within 15 minutes, and only the newest works", async () => {
    const link = async () =>
      new URL((await service.service.merchant.desk.link()).sign_in).searchParams.get("secret")!;
    const first = await link();
    const second = await link();
    expect((await signIn(service.baseUrl, first)).status).toBe(403);
    const tries = await Promise.all([1, 2, 3].map(() => signIn(service.baseUrl, second)));
    expect(tries.map(({ status }) => status).toSorted()).toEqual([303, 403, 403]);
    const third = await link();
    service.clock.advance(15 * 60_000);
    expect((await signIn(service.baseUrl, third)).status).toBe(403);
  });

  it("a used or expired link says so when it is opened, and opening uses none", async () => {
    const link = async () => (await service.service.merchant.desk.link()).sign_in;
    const open = async (url: string) => {
      const page = await visitor(service.baseUrl).get(url.slice(service.baseUrl.length));
      return [page.status, page.text.includes("This link was used or has expired.")];
    };
    const url = await link();
    expect([await open(url), await open(url)]).toEqual([
      [200, false],
      [200, false],
    ]);
    await signIn(service.baseUrl, new URL(url).searchParams.get("secret")!);
    expect(await open(url)).toEqual([403, true]);
    const late = await link();
    service.clock.advance(15 * 60_000);
    expect(await open(late)).toEqual([403, true]);
  });

  it("a refusal looks the same whatever else is sent", async () => {
    const wrong = ["", "a secret for test", "x".repeat(5000), `${SECRET}!`];
    const answers = await Promise.all(wrong.map((secret) => signIn(service.baseUrl, secret)));
    for (const answer of answers) {
      expect(answer.status).toBe(403);
      expect(answer.text).toBe(answers[0]!.text);
      expect(answer.text).not.toMatch(SECRETS);
      expect(answer.headers.get("set-cookie")).toBeNull();
      unseen(answer);
    }
  });

  it("appears in no log line, nor does a session", async () => {
    await visitor(service.baseUrl).get("/desk/sign-in?secret=in-a-link-in-a-link");
    await signIn(service.baseUrl, "typed-wrong-typed-wrong");
    const { cookie, get } = await merchantAt(service.baseUrl);
    await get("/desk");
    const log = lines.join("");
    expect(log).toContain("a sign-in to the desk was refused");
    const words = [SECRET, "in-a-link", "typed-wrong", cookie.slice("desk=".length)];
    expect(words.filter((word) => log.includes(word))).toEqual([]);
  });

  it("opens the desk however many wrong ones came before, from anywhere", async () => {
    const env = { MERCHANT_SECRET: SECRET, RATE_LIMITS: "on", TRUST_PROXY: "1" };
    const { baseUrl, service: shop, stop } = await startService(env);
    onTestFinished(stop);
    const try_ = async (i: number, secret: string) => {
      const posted = form({ secret });
      const headers = { ...posted.headers, "x-forwarded-for": `198.51.100.${i}` };
      return send(baseUrl, "/desk/sign-in", { ...posted, headers });
    };
    const tries = [];
    for (let i = 0; i < 48; i++) tries.push(await try_(i % 8, "no"));
    expect(tries.filter(({ status }) => status === 403)).toHaveLength(40);
    const refused = tries.at(-1)!;
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused.headers.get("ratelimit")).toContain('"sign_in"');
    const { sign_in } = await shop.merchant.desk.link();
    const token = new URL(sign_in).searchParams.get("secret")!;
    expect((await try_(7, token)).status).toBe(303);
    expect((await try_(7, token)).status).toBe(429);
    expect((await try_(7, SECRET)).status).toBe(303);
  });

  it("is taken, and a session goes on, while strangers use up all that their address may do", async () => {
    const env = { MERCHANT_SECRET: SECRET, RATE_LIMITS: "requests=1,sign_in=1" };
    const { baseUrl, stop } = await startService(env);
    onTestFinished(stop);
    for (let i = 0; i < 20; i++) await send(baseUrl, i % 2 ? "/desk" : "/v1/catalog");
    expect((await send(baseUrl, "/desk")).status).toBe(429);
    const { get, post } = await merchantAt(baseUrl);
    for (let i = 0; i < 20; i++) expect((await get("/desk")).status).toBe(200);
    expect((await post("/desk/stock", { act: "none" })).status).toBe(422);
    expect((await send(baseUrl, "/desk")).status).toBe(429);
  });
});

describe("a session", () => {
  it("is a cookie of the desk, closed to scripts and other sites", async () => {
    const cookie = (await signIn(service.baseUrl)).headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/^desk=desk_\w{49}; Max-Age=43200; Path=\/desk; /);
    expect(cookie).toMatch(/; HttpOnly; SameSite=Lax$/);
    expect(cookie).not.toMatch(SECRETS);
  });

  it("travels only over https if BASE_URL is https", async () => {
    const env = { BASE_URL: "https://coffee.test", ALLOW_PUBLIC_SANDBOX: "on" };
    const secure = await startService({ MERCHANT_SECRET: SECRET, ...env });
    try {
      const local = `http://127.0.0.1:${secure.port}`;
      const answer = await signIn(local);
      expect(answer.headers.get("set-cookie")).toMatch(/^__Secure-desk=.*; Secure; SameSite=Lax$/);
      const merchant = visitor(local, cookieOf(answer));
      expect((await merchant.get("/desk")).status).toBe(200);
      const said = await merchant.post("/desk/slips", {
        act: "shop.setAddress",
        address: "Coffee Street 1, Austin",
      });
      expect(said.headers.get("set-cookie")).toMatch(/^desk_said=.*; Secure; SameSite=Lax$/);
    } finally {
      await secure.stop();
    }
  });

  it("lasts as long as chosen at sign-in, by default a day", async () => {
    const clock = testClock();
    const { baseUrl, stop } = await startService({ MERCHANT_SECRET: SECRET }, clock);
    onTestFinished(stop);
    const staying = async (stay: string) => {
      const entered = await signIn(baseUrl, SECRET, { stay });
      const seconds = /Max-Age=(\d+)/.exec(entered.headers.get("set-cookie") ?? "")?.[1];
      return { days: Number(seconds) / 86_400, ...visitor(baseUrl, cookieOf(entered)) };
    };
    const devices = await Promise.all(["", "century", "week", "month"].map(staying));
    expect(devices.map(({ days }) => days)).toEqual([0.5, 0.5, 7, 30]);
    const open = () =>
      Promise.all(devices.map(async (it) => (await it.get("/desk")).status === 200));
    expect(await open()).toEqual([true, true, true, true]);
    clock.advance(DAY);
    expect(await open()).toEqual([false, false, true, true]);
    clock.advance(6 * DAY);
    expect(await open()).toEqual([false, false, false, true]);
    clock.advance(23 * DAY);
    expect(await open()).toEqual([false, false, false, false]);
  });

  it("ends with the button, even for a kept cookie; others continue", async () => {
    const [merchant, other] = [
      await merchantAt(service.baseUrl),
      await merchantAt(service.baseUrl),
    ];
    const out = await merchant.post("/desk/sign-out", {});
    expect(out.headers.get("set-cookie")).toMatch(/^desk=; Path=\/desk; Expires=Thu, 01 Jan 1970/);
    expect((await merchant.get("/desk")).status).toBe(303);
    expect((await other.get("/desk")).status).toBe(200);
  });

  it("ends everywhere at once, only by a signed-in merchant or the command line", async () => {
    const everywhere = { everywhere: "yes" };
    const three = await Promise.all([1, 2, 3].map(() => merchantAt(service.baseUrl)));
    await visitor(service.baseUrl).post("/desk/sign-out", everywhere);
    for (const one of three) expect((await one.get("/desk")).status).toBe(200);
    await three[0]!.post("/desk/sign-out", everywhere);
    for (const one of three) expect((await one.get("/desk")).status).toBe(303);
    const again = await merchantAt(service.baseUrl);
    await service.service.merchant.desk.signOut("everywhere", "cli");
    expect((await again.get("/desk")).status).toBe(303);
  });

  it("cannot be made from the database", async () => {
    const merchant = await merchantAt(service.baseUrl);
    const held = await service.store.queries.setting("desk.access");
    expect(held).not.toContain(merchant.cookie.slice("desk=".length));
    const sessions = JSON.parse(held ?? "").sessions as { hash: string }[];
    for (const { hash } of sessions) {
      expect((await visitor(service.baseUrl, `desk=${hash}`).get("/desk")).status).toBe(303);
    }
  });

  it("is one of at most fifty; the oldest ends", async () => {
    const first = await merchantAt(service.baseUrl);
    for (let i = 0; i < 50; i++) await merchantAt(service.baseUrl);
    expect((await first.get("/desk")).status).toBe(303);
  });

  it("is kept by a link in a letter, which changes nothing", async () => {
    const { order } = await purchase(service.baseUrl);
    const { cookie } = await merchantAt(service.baseUrl);
    // Browsers send a Lax cookie with a click from another site, and not with its forms.
    expect(cookie).not.toBe("");
    const headers = { cookie, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
    for (const path of ["", `/orders/${order.id}`, "/orders", "/stock", "/sign-out"]) {
      const opened = await send(service.baseUrl, `/desk${path}`, { headers });
      expect([path, opened.status]).toEqual([path, path === "/sign-out" ? 405 : 200]);
    }
    expect((await visitor(service.baseUrl, cookie).get("/desk")).status).toBe(200);
    expect((await service.store.queries.order(order.id))?.status).toBe("CONFIRMED");
  });

  it("does not act for a form of another site", async () => {
    const { order } = await purchase(service.baseUrl);
    const merchant = await merchantAt(service.baseUrl);
    const path = `/desk/orders/${order.id}`;
    const answer = await merchant.post(path, { act: "orders.roast" }, "https://evil.example");
    expect(answer.status).toBe(403);
    expect((await service.store.queries.order(order.id))?.status).toBe("CONFIRMED");
  });

  it("refused sign-ins are logged, and a thousand of them don't fill the log", async () => {
    const refusals = async () =>
      (await service.store.queries.allAudit()).filter((row) => row.act === "desk.sign-in-refused");
    service.clock.advance(HOUR);
    const before = (await refusals()).length;
    for (let i = 0; i < 120; i++) await service.service.merchant.desk.signIn(`wrong ${i}`);
    const told = (await refusals()).map(({ detail }) => JSON.parse(detail));
    expect(told.length - before).toBe(3);
    expect(told).toContainEqual({ refused_within_the_hour: 100 });
    service.clock.advance(HOUR);
    await service.service.merchant.desk.signIn("wrong again");
    expect((await refusals()).length - before).toBe(4);
  });

  it("is logged as it begins", async () => {
    const entered = async () =>
      (await service.store.queries.allAudit()).filter(({ act }) => act === "desk.sign-in").length;
    const before = await entered();
    await merchantAt(service.baseUrl);
    await merchantAt(service.baseUrl, "not the secret");
    expect(await entered()).toBe(before + 1);
  });
});

describe("a form that is sent after its session has ended", () => {
  const typed: [string, string][] = [
    ["act", "orders.note"],
    ["text", "Call <them>\r\nat 9."],
    ["form", "f1"],
    ["box", "a"],
    ["box", "b"],
  ];

  it("changes nothing, and is kept through the sign-in for one more press", async () => {
    const { order } = await purchase(service.baseUrl);
    const path = `/desk/orders/${order.id}`;
    const notes = async () => (await service.store.queries.notesOfOrder(order.id)).length;
    const late = await visitor(service.baseUrl).post(path, typed);
    expect(late.status).toBe(403);
    expect(text(late)).toContain("Your session has ended");
    unseen(late);
    const long = await visitor(service.baseUrl).post(path, { text: "x".repeat(20_000) });
    expect([long.status, hiddenFields(long.text)]).toEqual([403, [["to", path]]]);
    const refused = await visitor(service.baseUrl).post("/desk/sign-in", [
      ...hiddenFields(late.text),
      ["secret", "no"],
      ["stay", "month"],
    ]);
    expect(refused.text).toContain('<option value="month" selected>');
    const entered = await visitor(service.baseUrl).post("/desk/sign-in", [
      ...hiddenFields(refused.text),
      ["secret", SECRET],
    ]);
    expect([entered.status, await notes()]).toEqual([200, 0]);
    expect(entered.text).toContain(`action="${path}"`);
    expect(hiddenFields(entered.text)).toEqual(typed);
    const merchant = visitor(service.baseUrl, cookieOf(entered));
    expect((await merchant.post(path, hiddenFields(entered.text))).status).toBe(303);
    expect(await notes()).toBe(1);
  });
});

it("the log and notes show the name given at sign-in", async () => {
  const own = await startService({ MERCHANT_SECRET: SECRET });
  onTestFinished(own.stop);
  const { order } = await purchase(own.baseUrl);
  const ada = visitor(
    own.baseUrl,
    cookieOf(await signIn(own.baseUrl, SECRET, { name: " Ada\n<b>L.</b> " })),
  );
  const desk = await merchantAt(own.baseUrl);
  const path = `/desk/orders/${order.id}`;
  await ada.post(path, { act: "orders.note", text: "Called the buyer." });
  await ada.post("/desk/roast", { act: "orders.roast", order_id: order.id });
  await desk.post(path, { act: "orders.note", text: "Left a message." });
  expect(text(await desk.get(path))).toMatch(/Called the buyer\.[^.]* Ada&lt;b&gt;L\.&lt;\/b&gt;/);
  const log = text(await desk.get("/desk/log"));
  expect(log).toMatch(/Started roasting .{0,60} Ada&lt;b&gt;/);
  expect(log).toMatch(/note .{0,60} desk /i);
});

it("a link is mailed to the merchant, once, and strangers end none that is open", async () => {
  const sent: Letter[] = [];
  let isUp = true;
  const mailer: Mailer = {
    send: async (letter) => {
      if (!isUp) throw new MailFailed("ECONNREFUSED");
      sent.push(letter);
    },
    close: () => {},
  };
  const { clock, merchant } = await openShop((await openUsual()).store, undefined, {
    merchantEmail: "owner@example.com",
    mailer,
  });
  const printed = (await merchant.desk.link()).sign_in;
  isUp = false;
  expect(await merchant.desk.mailLink()).toBe(false);
  isUp = true;
  for (let i = 0; i < 3; i++) expect(await merchant.desk.mailLink()).toBe(true);
  expect(sent.map(({ to }) => to)).toEqual(["owner@example.com"]);
  const secretOf = (text: string) => /secret=(\S+)/.exec(text)![1]!;
  const mailed = secretOf(sent[0]!.text);
  expect(await merchant.desk.admitsSecret(mailed)).toBe(true);
  expect(await merchant.desk.signIn(mailed)).toEqual(expect.any(String));
  expect(await merchant.desk.signIn(mailed)).toBeNull();
  expect(await merchant.desk.signIn(secretOf(printed))).toEqual(expect.any(String));
  await merchant.desk.mailLink();
  clock.advance(15 * 60_000);
  expect(await merchant.desk.signIn(secretOf(sent[1]!.text))).toBeNull();
  await merchant.desk.mailLink();
  expect(sent).toHaveLength(3);

  // A new secret ends the link, so another is mailed.
  await merchant.desk.renew();
  expect(await merchant.desk.admitsSecret(secretOf(sent[2]!.text))).toBe(false);
  for (let i = 0; i < 2; i++) expect(await merchant.desk.mailLink()).toBe(true);
  expect(sent).toHaveLength(4);

  // The clock was a day ahead, so what it made is over.
  clock.advance(-DAY);
  const late = secretOf(sent[3]!.text);
  expect([await merchant.desk.admitsSecret(late), await merchant.desk.signIn(late)]).toEqual([
    false,
    null,
  ]);
  await merchant.desk.mailLink();
  expect(sent).toHaveLength(5);
  expect(await merchant.desk.signIn(secretOf(sent[4]!.text))).toEqual(expect.any(String));
});

it("the sign-in page offers to mail a link only with a mail server and the merchant's address", async () => {
  const offers = async (env: Record<string, string>) => {
    const open = await startService({ MERCHANT_SECRET: SECRET, ...env });
    onTestFinished(open.stop);
    const page = await visitor(open.baseUrl).get("/desk/sign-in");
    const pressed = await visitor(open.baseUrl).post("/desk/sign-in/link", {});
    return [page.text.includes('action="/desk/sign-in/link"'), pressed.status];
  };
  const server = { SMTP_URL: "smtp://127.0.0.1:9", MAIL_FROM: "shop@example.com" };
  expect(await offers({ ...server, MERCHANT_EMAIL: "owner@example.com" })).toEqual([true, 503]);
  expect((await offers(server))[0]).toBe(false);
  expect((await offers({ MERCHANT_EMAIL: "owner@example.com" }))[0]).toBe(false);
});
