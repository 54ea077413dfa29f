/** The merchant's figures and books, as the desk shows and hands them out. */
import { once } from "node:events";
import { request } from "node:http";
import { pino } from "pino";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { purchase } from "../support/purchase.ts";
import { startService, testClock } from "../support/service.ts";
import { send } from "../support/shopper.ts";
import { merchantAt, SECRET, text } from "./visitor.ts";

const service = await startService({ MERCHANT_SECRET: SECRET, TIME_ZONE: "America/Chicago" });
afterAll(() => service.stop());
const merchant = await merchantAt(service.baseUrl);
const orderId = (await purchase(service.baseUrl, { discount_code: "FIRSTBAG" })).order.id;

const csv = async (name: string) => {
  const answer = await merchant.get(`/desk/export/${name}.csv`);
  expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(answer.headers.get("content-disposition")).toBe(`attachment; filename=${name}.csv`);
  const [heading = "", ...lines] = answer.text.trimEnd().split("\r\n");
  return { heading, lines };
};

it("shows sales, bags and orders of the chosen days", async () => {
  const page = text(await merchant.get("/desk/sales?days=7"));
  expect(page).toContain("The last 7 days, by the calendar of America/Chicago");
  expect(page).toMatch(/Sales \$27\.60 Orders 1 Bags 1 Discounts \$4\.40 Refunded \$0\.00/);
  expect(page).toContain("Kenya Nyeri 1 $22.00 $4.40");
  expect(page).toContain("Discounts by day , at most $4.40");
  expect(text(await merchant.get("/desk/sales?days=everything"))).toContain("The last 30 days");
});

it("exports orders, shipments and refunds as CSV, one line each", async () => {
  const orders = await csv("orders");
  // With the mark by which spreadsheets know UTF-8: names have accents.
  expect(orders.heading).toMatch(/^\uFEFForder,paid_at,buyer_email,/);
  expect(orders.lines).toHaveLength(1);
  expect(orders.lines[0]).toContain(orderId);
  expect((await csv("shipments")).lines).toHaveLength(1);
  expect((await csv("refunds")).lines).toEqual([]);
});

it("a canceled download is no error", async () => {
  const lines: string[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void lines.push(line) });
  const { baseUrl, service: shop, stop } = await startService({}, testClock(), log);
  onTestFinished(stop);
  const ended = Promise.withResolvers<void>();
  Object.assign(shop.merchant.sales, {
    async *csv() {
      try {
        for (let i = 0; i < 10_000; i++) yield "x".repeat(65_536);
      } finally {
        ended.resolve();
      }
    },
  });
  const secret = new URL((await shop.merchant.desk.link()).sign_in).searchParams.get("secret")!;
  const { cookie } = await merchantAt(baseUrl, secret);
  const asked = request(`${baseUrl}/desk/export/orders.csv`, { headers: { cookie } });
  asked.end();
  const [answer] = await once(asked, "response");
  answer.destroy();
  await ended.promise;
  await stop();
  expect(lines).toEqual([]);
});

it("sales need a session", async () => {
  for (const path of ["/desk/sales", "/desk/export/orders.csv"]) {
    const { status, text: body } = await send(service.baseUrl, path, {});
    expect(status).not.toBe(200);
    expect(body).not.toContain(orderId);
  }
});
