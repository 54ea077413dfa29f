/** During an outage of the payment provider nothing is charged or lost. */

import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { countRows } from "../support/all-rows.ts";
import { AWAY } from "../support/faults.ts";
import { form, orderOf, readyQuote } from "../support/purchase.ts";
import { startService } from "../support/service.ts";
import { payAsBuyer, quoteRequest, send } from "../support/shopper.ts";

const service = await startService();
afterAll(() => service.stop());
beforeEach(() => {
  Object.assign(service.control.faults, { call: undefined, webhook: undefined });
});

const press = (url: string) => send(service.baseUrl, url, form({}));

describe("during a provider outage", () => {
  it("the buyer is asked to come back, and finds the same quote", async () => {
    const { key, quote, reviewUrl } = await readyQuote(service.baseUrl);
    service.control.faults.call = () => AWAY;
    const down = await press(reviewUrl);
    expect(down.status).toBe(503);
    expect(down.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(down.text).toContain("Nothing was charged");
    expect(down.text).toContain("<form");
    service.control.faults.call = undefined;
    expect((await payAsBuyer(service.baseUrl, reviewUrl)).after.status).toBe(303);
    await orderOf(service.baseUrl, key, quote.id);
    expect(await service.store.queries.attemptsOfQuote(quote.id)).toHaveLength(1);
  });
});

describe("behind a balancer that asks /readyz, during a provider outage", () => {
  /** Sends only to an instance that is ready, like any balancer. */
  const balanced: typeof send = async (baseUrl, path, options) => {
    const { status } = await send(baseUrl, "/readyz");
    return status === 200
      ? send(baseUrl, path, options)
      : { status: 503, headers: new Headers(), text: "no instance is ready", body: {} };
  };
  const { baseUrl } = service;

  it.each([{ kind: "away" }, { kind: "late", ms: 30_000 }] as const)(
    "($kind) the catalog, pages, quotes, paid orders and webhooks stay up",
    async (fault) => {
      const { key, quote, reviewUrl } = await readyQuote(baseUrl);
      await payAsBuyer(baseUrl, reviewUrl);
      const { id } = await orderOf(baseUrl, key, quote.id);
      service.control.faults.call = () => fault;
      const answers = await Promise.all([
        balanced(baseUrl, "/v1/catalog"),
        balanced(baseUrl, "/"),
        balanced(baseUrl, `/v1/orders/${id}`, { key }),
        balanced(baseUrl, "/v1/quote-requests", { key, body: quoteRequest() }),
        balanced(baseUrl, reviewUrl),
        balanced(baseUrl, "/webhooks/stripe", { raw: "{}", headers: { "stripe-signature": "x" } }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 201, 200, 400]);
    },
  );
});

describe("when no webhook comes", () => {
  it("the reconciler finds the payment by asking", async () => {
    const { key, quote, reviewUrl } = await readyQuote(service.baseUrl);
    service.control.faults.webhook = () => "drop";
    await payAsBuyer(service.baseUrl, reviewUrl);
    await service.sandbox!.idle();
    const before = await send(service.baseUrl, `/v1/quotes/${quote.id}/order`, { key });
    expect(before.body.code).toBe("ORDER_NOT_READY");
    service.clock.advance(61_000);
    await service.service.merchant.reconciler.run();
    expect(await orderOf(service.baseUrl, key, quote.id)).toMatchObject({ status: "CONFIRMED" });
  });

  describe("for payment after payment", () => {
    const { baseUrl, clock, control, service: inner } = service;
    const { merchant } = inner;
    /** Buys with or without the webhook; without it, the reconciler finds the payment. */
    async function buy(arrives: boolean): Promise<void> {
      const { key, quote, reviewUrl } = await readyQuote(baseUrl);
      control.faults.webhook = arrives ? undefined : () => "drop";
      await payAsBuyer(baseUrl, reviewUrl);
      await service.sandbox!.idle();
      if (!arrives) {
        clock.advance(61_000);
        await merchant.reconciler.run();
      }
      await orderOf(baseUrl, key, quote.id);
      clock.advance(1);
    }
    const told = async () =>
      (await merchant.admin("cli").incidents.list({})).filter(
        ({ kind }) => kind === "WEBHOOKS_MISSING",
      );

    it("three times in a row, the merchant is told within minutes, and once a day", async () => {
      clock.advance(86_400_000);
      await buy(true);
      const before = (await told()).length;
      for (const now of [0, 0, 1, 1]) {
        await buy(false);
        expect(await told()).toHaveLength(before + now);
      }
      expect((await told())[0]!.detail).toContain("Check the endpoint /webhooks/stripe");
    });

    it("now and then, the merchant is not told", async () => {
      const before = (await told()).length;
      for (const arrives of [true, false, false, true, false, false, true]) await buy(arrives);
      expect(await told()).toHaveLength(before);
    });
  });

  it("twice, or for a session that is not ours, changes nothing more", async () => {
    const { key, quote, reviewUrl } = await readyQuote(service.baseUrl);
    service.control.faults.webhook = () => "double";
    await payAsBuyer(service.baseUrl, reviewUrl);
    const order = await orderOf(service.baseUrl, key, quote.id);
    await service.sandbox!.idle();
    service.clock.advance(3_600_000);
    await service.service.merchant.reconciler.run();
    const events = await send(service.baseUrl, `/v1/orders/${order.id}/events`, { key });
    expect(events.body.events).toHaveLength(2);
  });
});

describe("a webhook", () => {
  it("without a signature is refused, and nothing is stored", async () => {
    const before = await countRows(service.store, "webhooks");
    const signatures = [undefined, "", "t=1,v1=00", `t=${Date.now()},v1=${"0".repeat(64)}`];
    for (const signature of signatures) {
      const answer = await send(service.baseUrl, "/webhooks/stripe", {
        method: "POST",
        raw: JSON.stringify({ id: "evt_1", type: "checkout.session.completed" }),
        headers: { ...(signature !== undefined && { "stripe-signature": signature }) },
      });
      expect(answer.status).toBe(400);
    }
    expect(await countRows(service.store, "webhooks")).toBe(before);
  });
});

describe("an unpaid page", () => {
  it("holds no bags, expires, and the quote can be paid again", async () => {
    const { key, quote, reviewUrl } = await readyQuote(service.baseUrl, { quantity: 3 });
    const held = async () =>
      (await service.store.queries.stock()).find((row) => row.product_id === "kenya-nyeri")?.held ??
      0;
    const before = await held();
    const first = (await press(reviewUrl)).headers.get("location");
    expect(await held()).toBe(before);
    service.clock.advance(61 * 60_000);
    await service.sandbox!.tick();
    await service.service.merchant.reconciler.run();
    const second = await payAsBuyer(service.baseUrl, reviewUrl);
    expect(second.hosted).not.toBe(first);
    expect(await orderOf(service.baseUrl, key, quote.id)).toMatchObject({ status: "CONFIRMED" });
  });
});
