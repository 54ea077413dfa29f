/** In every state of a checkout, agents read what its page offers at that moment (contract §10, §20). */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rpcTool } from "../../support/mcp-call.ts";
import { newEmail, orderOf, purchase, readyQuote } from "../../support/purchase.ts";
import { DAY, HOUR, startService, type TestService } from "../../support/service.ts";
import { type Answer, eventually, payAsBuyer, send, VISA } from "../../support/shopper.ts";
import { text } from "../pages/reading.ts";
import { acceptTotal, cartPage, visitor } from "./checkout.ts";

/** Waitlist beans, of which only this file takes stock. */
const BEAN = "rwanda-huye";
const DECLINED = "4000000000000002";

let shop: TestService;
beforeAll(async () => {
  shop = await startService({ RATE_LIMITS: "off" });
});
afterAll(() => shop.stop());

const admin = () => shop.service.merchant.admin("cli");

/** Free bags, beside those that a debit of another state holds. */
async function setFree(bags: number) {
  const row = (await shop.store.queries.stock()).find(({ product_id }) => product_id === BEAN);
  await admin().stock.set({ product_id: BEAN, on_hand: bags + (row?.held ?? 0) });
}

async function setSale(product_id: string, on_sale: boolean) {
  const { catalog } = admin();
  const { product, changed_at: seen } = await catalog.show({ product_id });
  await catalog.save({ product, on_sale, seen });
}

const locationOf = (answer: Answer): string => answer.headers.get("location") ?? "";

/** A checkout with its buyer's browser. */
async function opened(link = `items=${BEAN}:2`) {
  await setFree(40);
  const page = await cartPage(shop.baseUrl, link);
  const buyer = visitor(shop.baseUrl);
  const email = newEmail();
  const review = async () => locationOf(await buyer.submit(page, { email }));
  const press = async (reviewUrl: string) => locationOf(await buyer.press(reviewUrl, {}));
  const payAt = (hosted: string, card: string) => buyer.press(`${hosted}/pay`, { card });
  return { page, buyer, email, review, press, payAt };
}

type Checkout = Awaited<ReturnType<typeof opened>>;

/** Somebody else buys bags. */
async function rivalBuys(quantity: number) {
  const { key, quote, reviewUrl } = await readyQuote(shop.baseUrl, { product_id: BEAN, quantity });
  await payAsBuyer(shop.baseUrl, reviewUrl);
  await orderOf(shop.baseUrl, key, quote.id);
}

const link = async (checkout_url: string) =>
  (await send(shop.baseUrl, `/v1/link-orders?${new URLSearchParams({ checkout_url })}`)).body;

const ucp = async (page: string) =>
  (
    await send(shop.baseUrl, `/ucp/checkout-sessions/${page.split("/").at(-1)}`, {
      headers: { "ucp-agent": 'profile="https://agent.example/profile"' },
    })
  ).body;

/** What the buyer's browser shows, after redirects. */
async function shownTo({ send: visit }: Checkout["buyer"], page: string) {
  let answer = await visit(page);
  for (let i = 0; answer.status === 303 && i < 3; i++) answer = await visit(locationOf(answer));
  const words = text(answer.text);
  const [, pay] = /Pay (\$[\d,.]+)/.exec(words) ?? [];
  const accept = acceptTotal(answer.text);
  return {
    status: answer.status,
    words,
    html: answer.text,
    total: pay ?? (accept === undefined ? undefined : `$${(Number(accept) / 100).toFixed(2)}`),
    isReview: pay !== undefined,
  };
}

interface State {
  arrange: () => Promise<Checkout>;
  /** Status of the link, and of the UCP checkout; null for one that is not found. */
  status: [link: string, ucp: string | null];
  /** The total that the page asks; undefined if nothing can be paid there. */
  asks?: string;
  /** In the page's words, and in the agent's. */
  says?: { page?: string; agent?: string; ucp?: string };
}

const HISTORY = "the buyer's second order";

const STATES: Record<string, State> = {
  "made by a link": {
    arrange: () => opened(),
    status: ["OPEN", "requires_escalation"],
    asks: "$49.00",
    says: { page: "Continue to review", agent: "has not sent the form" },
  },
  "with a first-order code, before the email is known": {
    arrange: () => opened(`items=${BEAN}:2&discount_code=FIRSTBAG`),
    status: ["OPEN", "requires_escalation"],
    asks: "$39.20",
    says: {
      page: "If this isn’t your first order: $49.00",
      agent: "otherwise $49.00",
      ucp: "otherwise $49.00",
    },
  },
  "with a note": {
    arrange: () => opened(`items=${BEAN}:2&gift_note=Enjoy`),
    status: ["OPEN", "requires_escalation"],
    asks: "$49.00",
    says: { page: "Enjoy" },
  },
  "typed, with another number of bags": {
    async arrange() {
      const checkout = await opened();
      const { buyer, page, email } = checkout;
      await buyer.submit(page, { email, [`qty_${BEAN}`]: "3", update: "total" });
      return checkout;
    },
    status: ["OPEN", "requires_escalation"],
    asks: "$73.50",
    says: { agent: "has begun to fill in the form" },
  },
  [HISTORY]: {
    async arrange() {
      const first = await opened();
      await first.payAt(await first.press(await first.review()), VISA);
      const checkout = await opened(`items=${BEAN}:2&discount_code=FIRSTBAG`);
      const { page, buyer } = checkout;
      await eventually(async () => (await link(first.page)).status === "PAID");
      const raised = await buyer.submit(page, { email: first.email, accept_total: "3920" });
      expect(raised.status).toBe(409);
      return { ...checkout, email: first.email };
    },
    status: ["OPEN", "requires_escalation"],
    asks: "$49.00",
    says: { agent: "has begun to fill in the form" },
  },
  reviewed: {
    async arrange() {
      const checkout = await opened();
      await checkout.review();
      return checkout;
    },
    status: ["OPEN", "requires_escalation"],
    asks: "$49.00",
    says: { agent: "Not paid yet." },
  },
  declined: {
    async arrange() {
      const checkout = await opened();
      await checkout.payAt(await checkout.press(await checkout.review()), DECLINED);
      await eventually(async () => (await link(checkout.page)).message.includes("declined"));
      return checkout;
    },
    status: ["OPEN", "requires_escalation"],
    asks: "$49.00",
    says: {
      page: "Your bank declined the card.",
      agent: "In the buyer's own browser the checkout's link leads back to it.",
      ucp: "declined and not charged",
    },
  },
  "short of bags": {
    async arrange() {
      const checkout = await opened(`items=${BEAN}:4`);
      await checkout.review();
      await setFree(5);
      await rivalBuys(3);
      return checkout;
    },
    status: ["OPEN", "incomplete"],
    says: {
      page: "has only 2 left",
      agent: "2 are left of 4 Rwanda Huye. The buyer can take fewer on the same page",
    },
  },
  "sold out": {
    async arrange() {
      const checkout = await opened();
      await setFree(0);
      return checkout;
    },
    status: ["OPEN", "incomplete"],
    says: { page: "is sold out", agent: "None is left of 2 Rwanda Huye." },
  },
  "changed after its payment page was opened": {
    async arrange() {
      const checkout = await opened();
      const { buyer, page, email } = checkout;
      await checkout.press(await checkout.review());
      await buyer.submit(page, { email, [`qty_${BEAN}`]: "1", update: "total" });
      return checkout;
    },
    status: ["OPEN", "requires_escalation"],
    asks: "$34.50",
    says: {
      agent: "A payment page for $49.00 is still open; whichever is paid first is the order.",
    },
  },
  replaced: {
    async arrange() {
      const checkout = await opened();
      const { buyer, page, email } = checkout;
      const first = await checkout.review();
      await buyer.submit(page, { email, [`qty_${BEAN}`]: "1" });
      expect(await link(first)).toEqual(await link(page));
      return checkout;
    },
    status: ["OPEN", "requires_escalation"],
    asks: "$34.50",
    says: { agent: "Not paid yet." },
  },
  "of a bean that has left the catalog": {
    async arrange() {
      const checkout = await opened(`items=${BEAN}:2,kenya-nyeri:1`);
      await setSale("kenya-nyeri", false);
      return checkout;
    },
    status: ["OPEN", "incomplete"],
    asks: "$49.00",
    says: { page: "We don’t sell Kenya Nyeri", agent: "Kenya Nyeri is not sold any more" },
  },
  "reviewed, before a break": {
    async arrange() {
      const checkout = await opened();
      await checkout.review();
      const until = new Date(shop.clock.now() + 7 * DAY).toISOString().slice(0, 10);
      await admin().shop.pause({ until, message: null });
      return checkout;
    },
    status: ["OPEN", "requires_escalation"],
    says: { agent: "The shop is on a break. It takes orders again from" },
  },
  "being paid": {
    async arrange() {
      const checkout = await opened();
      await checkout.payAt(await checkout.press(await checkout.review()), "bank_debit");
      await eventually(async () => (await link(checkout.page)).status === "PROCESSING");
      return checkout;
    },
    status: ["PROCESSING", "complete_in_progress"],
    says: { page: "Please do not pay again.", agent: "settles in days", ucp: "settles in days" },
  },
  "paid after others bought the bags": {
    async arrange() {
      const checkout = await opened();
      const hosted = await checkout.press(await checkout.review());
      await setFree(3);
      await rivalBuys(2);
      await checkout.payAt(hosted, "bank_debit");
      await eventually(async () => (await link(checkout.page)).status === "PROCESSING");
      await shop.control.settleBankDebit(hosted.split("/").at(-1)!, true);
      await eventually(async () => (await link(checkout.page)).status === "OPEN");
      return checkout;
    },
    status: ["OPEN", "incomplete"],
    // The debit of another state may hold bags, which can come back: then its buyer can pay again.
    says: {
      page: "A payment for these bags came too late.",
      agent: "There is no order yet. A payment",
      ucp: '"paid_too_late"',
    },
  },
  paid: {
    async arrange() {
      const checkout = await opened(`items=${BEAN}:2&gift_note=Enjoy`);
      await checkout.payAt(await checkout.press(await checkout.review()), VISA);
      await eventually(async () => (await link(checkout.page)).status === "PAID");
      return checkout;
    },
    status: ["PAID", "completed"],
    says: { page: "Thank you. Your coffee is ordered.", agent: "Paid: $49.00, order " },
  },
  canceled: {
    async arrange() {
      const checkout = await opened();
      const id = checkout.page.split("/").at(-1);
      await send(shop.baseUrl, `/ucp/checkout-sessions/${id}/cancel`, {
        method: "POST",
        headers: { "ucp-agent": 'profile="https://agent.example/profile"' },
      });
      return checkout;
    },
    status: ["ENDED", "canceled"],
    says: { page: "Nothing was charged", agent: "was canceled" },
  },
  expired: {
    async arrange() {
      const checkout = await opened();
      shop.clock.advance(25 * HOUR);
      return checkout;
    },
    status: ["ENDED", null],
    says: { page: "This link has expired", agent: "ended without an order" },
  },
};

describe.each(Object.entries(STATES))("a checkout %s", (_name, { arrange, status, asks, says }) => {
  test("is the same on its page and for agents", async () => {
    const checkout = await arrange();
    const { buyer, page, email } = checkout;
    const shown = await shownTo(buyer, page);
    const stranger = await shownTo(visitor(shop.baseUrl), page);
    const read = await link(page);
    const session = await ucp(page);
    try {
      expect([read.status, session.status ?? null]).toEqual(status);
      if (says?.page) expect(shown.words).toContain(says.page);
      if (says?.agent) expect(read.message).toContain(says.agent);
      if (says?.ucp) expect(JSON.stringify(session.messages)).toContain(says.ucp);

      // The total, and whether another page would be a second order.
      const next = JSON.stringify(read.next);
      expect(next.includes("Make no second page")).toBe(asks !== undefined);
      expect(read.estimated_delivery !== undefined).toBe(
        asks !== undefined || read.status === "PAID",
      );
      if (asks !== undefined) {
        const totals = [shown.total, stranger.total, read.total_display];
        expect(totals).toEqual([asks, asks, asks]);
        const { amount } = session.totals.at(-1);
        if (session.status !== "incomplete") expect(`$${(amount / 100).toFixed(2)}`).toBe(asks);
      }

      // Notes and waitlists, and addresses that work outside the page.
      expect(read.gift_notes === 1).toBe(shown.words.includes("Enjoy"));
      const isQueued = shown.html.includes("/waitlist?bean=");
      const queue = `${shop.baseUrl}/waitlist?bean=${BEAN}`;
      expect(read.message.includes(queue)).toBe(isQueued);
      expect(JSON.stringify(session.messages ?? []).includes(queue)).toBe(isQueued);
      const whys = read.next.map(({ why }: { why: string }) => why);
      expect([read.message, ...whys].join(" ")).not.toMatch(/ \/[a-z]/);
      expect(JSON.stringify(read) + stranger.html).not.toContain(email);

      // The tool says the same.
      const tool = await rpcTool(shop.baseUrl, "get_link_order", { checkout_url: page });
      expect(tool.structuredContent.message).toBe(read.message);

      // What the page asks can be paid, and nothing else.
      const accept_total = acceptTotal(shown.html) ?? "";
      const sent = shown.isReview ? null : await buyer.submit(page, { email, accept_total });
      if (asks !== undefined && sent?.status === 409) {
        expect(text(sent.text)).toContain("We don’t sell Kenya Nyeri");
      } else if (asks !== undefined && sent !== null) {
        expect(text((await buyer.send(locationOf(sent))).text)).toContain(`Pay ${asks}`);
      } else if (asks === undefined && read.status !== "PAID" && read.status !== "PROCESSING") {
        const led = sent?.status === 303 ? await buyer.send(locationOf(sent)) : sent;
        expect(text(led?.text ?? "")).not.toContain("Pay $");
      }
    } finally {
      await setSale("kenya-nyeri", true);
      await admin().shop.reopen({});
    }
  });
});

test("an address that was never made is found by neither", async () => {
  const page = `${shop.baseUrl}/checkout/chk_${"A".repeat(22)}`;
  const { status } = await send(shop.baseUrl, page, { headers: { accept: "text/html" } });
  const read = await link(page);
  expect([status, read.code, (await ucp(page)).ucp.status]).toEqual([404, "NOT_FOUND", "error"]);
  expect(JSON.stringify(read.next)).toContain(`${shop.baseUrl}/find-order`);
  expect(JSON.stringify(read.next)).not.toContain("quick-checkout");
});

test("a paid checkout names the parcel that a cancel request is about", async () => {
  const parcels = [1, 2].map((quantity) => ({ line1: `${quantity} Main Street`, quantity }));
  const { key, order, reviewUrl } = await purchase(shop.baseUrl, { parcels });
  const asking = { reason_code: "CHANGED_MIND", shipment_ids: ["parcel 2"] };
  await send(shop.baseUrl, `/v1/orders/${order.id}/cancel-requests`, { key, body: asking });
  const read = await link(reviewUrl);
  const parcel = `${order.number}-2`;
  expect(read).toMatchObject({
    cancel_request: "REQUESTED",
    cancel_request_for: [parcel],
    shipments: [{ contents: "1 × Kenya Nyeri" }, { parcel, contents: "2 × Kenya Nyeri" }],
  });
  expect(read.message).toContain(`about the cancel request for ${parcel}.`);
});
