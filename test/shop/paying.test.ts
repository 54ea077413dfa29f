/** Paying from the review page, in a browser without JavaScript (contract §5, §16). */

import { afterAll, describe, expect, it, test } from "vitest";
import { LIMITS } from "../../src/core/policy.ts";
import { form, orderOf, purchase, readyQuote } from "../support/purchase.ts";
import { DAY, startService } from "../support/service.ts";
import { eventually, payAsBuyer, send } from "../support/shopper.ts";

const service = await startService();
afterAll(() => service.stop());

const page = (url: string) => send(service.baseUrl, url);
const press = (url: string, headers: Record<string, string> = {}) =>
  send(service.baseUrl, url, { ...form({}), headers: { ...form({}).headers, ...headers } });
const submit = (url: string, fields: Record<string, string>) =>
  send(service.baseUrl, url, form(fields));
const messagesOf = async (key: string, id: string): Promise<string[]> => {
  const { body } = await send(service.baseUrl, `/v1/quotes/${id}`, { key });
  return body.messages.map(({ code }: { code: string }) => code);
};
const statusOf = async (key: string, id: string) =>
  (await send(service.baseUrl, `/v1/quotes/${id}`, { key })).body.status;

describe("one quote is charged once", () => {
  it("when pay is pressed 40 times at once, and every card form is sent", async () => {
    const { key, quote, reviewUrl } = await readyQuote(service.baseUrl);
    const pressed = await Promise.all(Array.from({ length: 40 }, () => press(reviewUrl)));
    expect(pressed.map((answer) => answer.status)).toEqual(pressed.map(() => 303));
    const hosted = new Set(pressed.map((answer) => answer.headers.get("location")));
    expect(hosted.size).toBe(1);
    const [url] = hosted;
    const paid = await Promise.all(
      Array.from({ length: 40 }, () => submit(`${url}/pay`, { card: "4242424242424242" })),
    );
    expect(paid.map((answer) => answer.status)).toEqual(paid.map(() => 303));
    const order = await orderOf(service.baseUrl, key, quote.id);
    expect(order.payment).toMatchObject({ amount_minor: 3200, refunded_minor: 0 });
    expect(await service.store.queries.attemptsOfQuote(quote.id)).toHaveLength(1);
    const events = await send(service.baseUrl, `/v1/orders/${order.id}/events`, { key });
    expect(events.body.events).toHaveLength(2);
  });

  it("even if it is paid again after the order", async () => {
    const { quote, reviewUrl, order } = await purchase(service.baseUrl);
    const again = await press(reviewUrl);
    expect([again.status, again.headers.get("location")]).toEqual([
      303,
      new URL(reviewUrl).pathname,
    ]);
    expect((await page(reviewUrl)).text).toContain(`#${order.number}`);
    expect(await service.store.queries.attemptsOfQuote(quote.id)).toHaveLength(1);
  });
});

describe("a buyer", () => {
  it("can try another card after a decline, which the agent reads too", async () => {
    const { key, quote, reviewUrl } = await readyQuote(service.baseUrl);
    const { hosted, after } = await payAsBuyer(service.baseUrl, reviewUrl, "4000000000000002");
    expect([after.status, after.headers.get("location")]).toEqual([303, hosted]);
    expect((await page(hosted)).text).toContain("Your card was declined.");
    await eventually(async () => (await messagesOf(key, quote.id)).includes("PAYMENT_DECLINED"));
    const waiting = await send(service.baseUrl, `/v1/quotes/${quote.id}/order`, { key });
    expect(waiting.body).toMatchObject({ code: "ORDER_NOT_READY", retryable: true });
    expect(waiting.body.detail).toMatch(/declined and not charged\. The page is still open/);
    expect((await page(reviewUrl)).text).toContain("declined the card");
    const resumed = await press(reviewUrl);
    expect(resumed.headers.get("location")).toBe(hosted);
    expect((await submit(`${hosted}/pay`, { card: "4242424242424242" })).status).toBe(303);
    expect(await orderOf(service.baseUrl, key, quote.id)).toMatchObject({ status: "CONFIRMED" });
  });

  test.each(["4000000000009995", "1234567812345678", ""])("with %j pays nothing", async (card) => {
    const { key, quote, reviewUrl } = await readyQuote(service.baseUrl);
    const { hosted, after } = await payAsBuyer(service.baseUrl, reviewUrl, card);
    expect([after.status, after.headers.get("location")]).toEqual([303, hosted]);
    const shown = (await page(hosted)).text;
    expect(shown).toMatch(/insufficient funds|Only the test cards/);
    expect(shown).not.toContain("1234567812345678");
    expect(await statusOf(key, quote.id)).toBe("CHECKOUT_READY");
  });

  it("pays with 3-D Secure only if it is approved", async () => {
    const { key, quote, reviewUrl } = await readyQuote(service.baseUrl);
    const { hosted, after } = await payAsBuyer(service.baseUrl, reviewUrl, "4000000000003220");
    expect([after.status, after.headers.get("location")]).toEqual([303, hosted]);
    const failed = await submit(`${hosted}/challenge`, { outcome: "fail" });
    expect(failed.headers.get("location")).toBe(hosted);
    expect(await statusOf(key, quote.id)).toBe("CHECKOUT_READY");
    await submit(`${hosted}/pay`, { card: "4000000000003220" });
    const approved = await submit(`${hosted}/challenge`, { outcome: "complete" });
    expect(approved.headers.get("location")).toContain(new URL(reviewUrl).pathname);
    expect(await orderOf(service.baseUrl, key, quote.id)).toMatchObject({ status: "CONFIRMED" });
  });

  test.each([
    ["settles", true, "PAID"],
    ["fails", false, "CHECKOUT_READY"],
  ])("waits after a bank debit until it %s", async (_, settles, status) => {
    const { key, quote, reviewUrl } = await readyQuote(service.baseUrl);
    const { hosted } = await payAsBuyer(service.baseUrl, reviewUrl, "bank_debit");
    const becomes = (wanted: string) =>
      eventually(async () => (await statusOf(key, quote.id)) === wanted);
    await becomes("PROCESSING");
    expect((await page(reviewUrl)).text).toContain("on its way");
    const waiting = await send(service.baseUrl, `/v1/quotes/${quote.id}/order`, { key });
    expect(waiting.body.code).toBe("ORDER_NOT_READY");
    const session = new URL(hosted).pathname.split("/").at(-1) ?? "";
    await service.control.settleBankDebit(session, settles);
    await becomes(status);
    if (status === "PAID") {
      const order = await orderOf(service.baseUrl, key, quote.id);
      expect(order.payment.method).toBe("us_bank_account");
    } else {
      expect(await messagesOf(key, quote.id)).toContain("PAYMENT_DECLINED");
      expect((await payAsBuyer(service.baseUrl, reviewUrl)).after.status).toBe(303);
      await becomes("PAID");
    }
  });

  it("can't start to pay an expired quote", async () => {
    const { key, quote, reviewUrl } = await readyQuote(service.baseUrl);
    const [other, paid] = [await readyQuote(service.baseUrl), await purchase(service.baseUrl)];
    const begun = await press(other.reviewUrl);
    service.clock.advance(7 * DAY);
    expect(await statusOf(key, quote.id)).toBe("EXPIRED");
    expect((await press(reviewUrl)).headers.get("location")).toBe(new URL(reviewUrl).pathname);
    const shown = await page(reviewUrl);
    expect(shown.text).toContain("expired");
    expect(shown.text).not.toContain("<form");
    expect(await service.store.queries.attemptsOfQuote(quote.id)).toEqual([]);
    expect(await statusOf(paid.key, paid.quote.id)).toBe("PAID");
    expect(begun.status).toBe(303);
  });

  it("who started in time can pay after the quote's expiry", async () => {
    const { key, quote, reviewUrl } = await readyQuote(service.baseUrl);
    service.clock.advance(7 * DAY - 60_000);
    const hosted = (await press(reviewUrl)).headers.get("location");
    service.clock.advance(120_000);
    expect(await statusOf(key, quote.id)).toBe("CHECKOUT_READY");
    await submit(`${hosted}/pay`, { card: "4242424242424242" });
    expect(await orderOf(service.baseUrl, key, quote.id)).toMatchObject({ status: "CONFIRMED" });
  });

  it("whose agent's key was revoked is told so", async () => {
    const { key, quote, reviewUrl } = await readyQuote(service.baseUrl);
    const agentId = (await service.store.queries.quote(quote.id))?.quote.agent_id ?? "";
    await service.service.merchant.admin("cli").keys.revoke({ agent_id: agentId });
    await press(reviewUrl);
    expect((await page(reviewUrl)).text).toContain("withdrawn");
    expect((await send(service.baseUrl, `/v1/quotes/${quote.id}`, { key })).status).toBe(401);
    expect(await service.store.queries.attemptsOfQuote(quote.id)).toEqual([]);
  });
});

describe("a form from elsewhere", () => {
  test.each<[string, Record<string, string>, number]>([
    ["another site", { origin: "https://evil.example" }, 403],
    ["a site of our name on another port", { origin: "http://127.0.0.1:1" }, 403],
    ["a sandboxed frame", { origin: "null", "sec-fetch-site": "cross-site" }, 403],
    ["another site that hides its origin", { "sec-fetch-site": "cross-site" }, 403],
    ["a program, which sends no origin", {}, 303],
    ["our own page", { "sec-fetch-site": "same-origin" }, 303],
  ])("sent by %s", async (_, headers, status) => {
    const { quote, reviewUrl } = await readyQuote(service.baseUrl);
    expect((await press(reviewUrl, headers)).status).toBe(status);
    const attempts = await service.store.queries.attemptsOfQuote(quote.id);
    expect(attempts).toHaveLength(status === 303 ? 1 : 0);
  });

  it("with too many fields is 413, not 500", async () => {
    const { reviewUrl } = await readyQuote(service.baseUrl);
    const fields = Object.fromEntries(
      Array.from({ length: LIMITS.form_fields + 1 }, (_, i) => [`f${i}`, "x"]),
    );
    expect((await submit(reviewUrl, fields)).status).toBe(413);
  });
});

describe("a wrong review link", () => {
  it("is a page for browsers and problem+json for programs", async () => {
    const path = "/review/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    const program = await send(service.baseUrl, path, { headers: { accept: "application/json" } });
    expect([program.status, program.body.code]).toEqual([404, "NOT_FOUND"]);
    const browser = await send(service.baseUrl, path, { headers: { accept: "text/html" } });
    expect(browser.status).toBe(404);
    expect(browser.text).toContain("<!doctype html>");
    for (const form of ["", "/cancel-request", "/cancel-request/withdraw"]) {
      expect((await press(`${path}${form}`)).status).toBe(404);
    }
  });
});
