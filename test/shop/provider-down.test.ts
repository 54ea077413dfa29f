/** During an outage of the payment provider nothing is charged or lost. */

import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { AWAY } from "../support/faults.ts";
import { form, orderOf, readyQuote } from "../support/purchase.ts";
import { DAY, startService } from "../support/service.ts";
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
  it("a buyer who checks again finds the order", async () => {
    const { baseUrl, control } = service;
    const { reviewUrl } = await readyQuote(baseUrl);
    control.faults.webhook = () => "drop";
    await payAsBuyer(baseUrl, reviewUrl);
    const headers = { accept: "text/html" };
    const waits = await send(baseUrl, `${reviewUrl}?from=checkout`, { headers });
    expect(waits.text).toContain("Waiting for the payment to be confirmed.");
    const found = await send(baseUrl, `${reviewUrl}?from=check`, { headers });
    expect(found.text).toContain("What you paid");
    control.faults.webhook = undefined;
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
      clock.advance(DAY);
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
});
