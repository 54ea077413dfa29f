/** The merchant's figures and books, as the desk shows and hands them out. */
import { once } from "node:events";
import { request } from "node:http";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { DAY_MS } from "../../src/core/policy.ts";
import type { ExportName } from "../../src/orders/sales-verbs.ts";
import { purchase } from "../support/purchase.ts";
import { keptLog, startService, testClock } from "../support/service.ts";
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
  expect(page).toMatch(
    /Coffee after discounts \$17\.60 Shipping \$10\.00 Sales before refunds \$27\.60 Refunded \$0\.00 Sales after refunds \$27\.60 Orders 1 Bags 1 Discounts \$4\.40/,
  );
  expect(page).toContain("Kenya Nyeri 1 $22.00 $4.40");
  expect(page).toContain("Sales before refunds by day , highest day $27.60");
  expect(text(await merchant.get("/desk/sales?days=everything"))).toContain("The last 30 days");
});

it("lists the days with a sale or a refund, newest first", async () => {
  const clock = testClock();
  const own = await startService({ MERCHANT_SECRET: SECRET }, clock);
  onTestFinished(own.stop);
  const { order } = await purchase(own.baseUrl);
  clock.advance(2 * DAY_MS);
  await own.service.merchant.admin("cli").orders.refund({ order_id: order.id, amount_minor: 500 });
  clock.advance(DAY_MS);
  const page = await (await merchantAt(own.baseUrl)).get("/desk/sales?days=7");
  const table = text({
    ...page,
    text: page.text.slice(page.text.indexOf("Sales by day, newest first")),
  });
  const days = [...table.matchAll(/(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat)\w*, Mar\w* (\d+)/g)];
  expect(days.map(([, day]) => day)).toEqual(["4", "2"]);
});

it("exports orders, shipments and refunds as CSV, one line each", async () => {
  const orders = await csv("orders");
  // With the mark by which spreadsheets know UTF-8: names have accents.
  expect(orders.heading).toMatch(/^\uFEFFdate,number,net_sales_usd,shipping_usd,total_usd,/);
  expect(orders.lines).toHaveLength(1);
  expect(orders.lines[0]).toContain(orderId);
  expect((await csv("shipments")).lines).toHaveLength(1);
  expect((await csv("refunds")).lines).toEqual([]);
});

it("writes times by the clock that the days are of, with its offset", async () => {
  const own = await startService({ TIME_ZONE: "America/Los_Angeles" });
  onTestFinished(own.stop);
  const { merchant: shop } = own.service;
  // 2:30 on the next day in UTC; the refund follows after the clocks have changed.
  own.clock.advance(Date.parse("2026-03-08T02:30:00Z") - own.clock.now());
  const { order } = await purchase(own.baseUrl);
  own.clock.advance(DAY_MS);
  await shop.admin("desk").orders.refund({ order_id: order.id, amount_minor: 500 });
  const rows = async (name: ExportName) => {
    let file = "";
    for await (const part of shop.sales.csv(name)) file += part;
    const [heading = [], ...lines] = file
      .trimEnd()
      .split("\r\n")
      .map((line) => line.split(","));
    return lines.map((line) => Object.fromEntries(line.map((cell, i) => [heading[i], cell])));
  };
  const [sold] = await rows("orders");
  expect(sold!.date).toBe("2026-03-07");
  expect(sold!.paid_at).toMatch(/^2026-03-07T18:3\d:\d\d-08:00$/);
  const [refund] = await rows("refunds");
  expect(refund!.date).toBe("2026-03-08");
  expect(refund!.done_at).toMatch(/^2026-03-08T19:3\d:\d\d-07:00$/);
  expect(await rows("shipments")).toMatchObject([{ shipped_at: "", delivered_at: "" }]);
});

it("a month's files add up to the desk's sums, and a later refund changes no closed month", async () => {
  const own = await startService({ MERCHANT_SECRET: SECRET, TIME_ZONE: "America/Chicago" });
  onTestFinished(own.stop);
  const { merchant: shop } = own.service;
  const { order } = await purchase(own.baseUrl, { discount_code: "FIRSTBAG", shipments: 2 });
  await purchase(own.baseUrl);
  const amountsOf = async (name: ExportName, month: string, column: string) => {
    let file = "";
    for await (const part of shop.sales.csv(name, month)) file += part;
    const [heading = "", ...lines] = file.trimEnd().split("\r\n");
    const at = heading.split(",").indexOf(column);
    return lines.map((line) => Math.round(Number(line.split(",")[at]) * 100));
  };
  const total = (amounts: number[]) => amounts.reduce((a, b) => a + b, 0);
  const sums = async (month: string) => {
    const { days } = await shop.sales.figures(month);
    return {
      net: total(days.map((day) => day.net_minor)),
      total: total(days.map((day) => day.takings_minor)),
      refunded: total(days.map((day) => day.refunded_minor)),
    };
  };
  const march = await sums("2026-03");
  expect(march.total).toBeGreaterThan(march.net);
  expect(total(await amountsOf("orders", "2026-03", "net_sales_usd"))).toBe(march.net);
  expect(total(await amountsOf("beans", "2026-03", "net_sales_usd"))).toBe(march.net);
  expect(total(await amountsOf("orders", "2026-03", "total_usd"))).toBe(march.total);
  for (const name of ["shipments", "states"] as const) {
    expect(total(await amountsOf(name, "2026-03", "net_sales_usd"))).toBe(march.net);
    const shipping = total(await amountsOf(name, "2026-03", "shipping_usd"));
    expect(march.net + shipping).toBe(march.total);
  }

  own.clock.advance(31 * DAY_MS);
  const admin = shop.admin("desk");
  await admin.orders.refund({ order_id: order.id, amount_minor: 500 });
  expect(await sums("2026-03")).toEqual(march);
  expect(await sums("2026-04")).toEqual({ net: 0, total: 0, refunded: 500 });
  expect(await amountsOf("refunds", "2026-04", "amount_usd")).toEqual([250, 250]);
  const page = text(await (await merchantAt(own.baseUrl)).get("/desk/sales?month=2026-04"));
  expect(page).toContain("April 2026, by the calendar of America/Chicago");
  expect(page).toContain("Refunded $5.00");
});

it("a canceled download is no error", async () => {
  const { log, lines } = keptLog("error");
  const { baseUrl, service: shop, stop } = await startService({}, testClock(), { log });
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
