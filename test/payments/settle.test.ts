import { describe, expect, it, test } from "vitest";
import type { State } from "../../src/core/command.ts";
import type { AttemptRow, RefundRow } from "../../src/core/records.ts";
import type { Settle } from "../../src/payments/attempt.ts";
import type { ReportedCheckout } from "../../src/payments/reported-checkout.ts";
import {
  attempt,
  books,
  capturing,
  customer,
  MINUTE,
  NOW,
  order,
  quote,
  quoteState,
  settle,
  settling,
  stock,
  touched,
  waitlistOffer,
  written,
} from "../support/rows.ts";

const ended = attempt({ status: "ENDED", outcome: "EXPIRED", holds: "[]", check_at: null });
const OTHER = { id: "pay_2", quote_id: "qte_2", page: "page", session_id: "cs_2" };
const freed = stock({ held: 0 });
const sold = stock({ on_hand: 1, held: 0 });

describe("the provider says paid", () => {
  it("and order, events, shipments, stock and customer are written at once", () => {
    const { reply, writes } = settle.decide(settling(), books());
    expect(reply).toEqual({ orderId: "ord_new", calling: null, refund: null, expire: [] });
    expect(written(writes, "orders")).toMatchObject([
      {
        id: "ord_new",
        quote_id: "qte_1",
        status: "CONFIRMED",
        amount_minor: 3200,
        last_sequence: 2,
      },
    ]);
    expect(written(writes, "events")).toMatchObject([
      { sequence: 1, type: "order.confirmed" },
      { sequence: 2, type: "payment.verified" },
    ]);
    expect(written(writes, "shipments")).toMatchObject([{ id: "shp_new", status: "PENDING" }]);
    expect(written(writes, "stock")).toEqual([{ on_hand: 8, held: 0 }]);
    expect(written(writes, "customers")).toEqual([customer({ paid_orders: 1 })]);
    expect(written(writes, "attempts")).toMatchObject([{ status: "PAID", holds: "[]" }]);
    expect(written(writes, "quote_states")).toMatchObject([
      { status: "PAID", order_id: "ord_new" },
    ]);
    expect(touched(writes)).not.toContain("incidents");
  });

  it("for the first-order courtesy, and it is redeemed", () => {
    const reserved = customer({ courtesy: "RESERVED", courtesy_attempt: "pay_1" });
    const { writes } = settle.decide(
      settling({}, { firstOrder: true }),
      books({ customers: [reserved] }),
    );
    expect(written(writes, "customers")).toMatchObject([{ courtesy: "REDEEMED", paid_orders: 1 }]);
  });

  it("in the same millisecond as the key's last order, and the order's time is still later", () => {
    const agents = [{ id: "agt_1", last_order_at: NOW } as State["agents"][number]];
    const { writes } = settle.decide(settling(), books({ agents }));
    expect(written(writes, "orders")).toMatchObject([{ created_at: NOW + 1, paid_at: NOW }]);
    expect(written(writes, "agents")).toEqual([{ last_order_at: NOW + 1 }]);
  });

  it("after the quote expired, and a payment that began in time is honored", () => {
    const late = settling({}, { quote: quote({ expires_at: NOW - MINUTE }) });
    expect(settle.decide(late, books()).reply.orderId).toBe("ord_new");
  });

  it("after the attempt had ended, and it gets free bags", () => {
    const rows = { attempts: [ended], stock: [freed] };
    const { reply, writes } = settle.decide(settling(), books(rows));
    expect(reply.orderId).toBe("ord_new");
    expect(written(writes, "stock")).toEqual([{ on_hand: 8, held: 0 }]);
    expect(touched(writes)).not.toContain("incidents");
  });

  it("after the attempt had ended, and it gets the buyer's own waitlist offer", () => {
    const waitlist = [waitlistOffer()];
    const rows = { attempts: [ended], stock: [stock({ on_hand: 2, held: 2 })], waitlist };
    const { writes } = settle.decide(settling(), books(rows));
    expect(written(writes, "stock")).toEqual([{ on_hand: 0, held: 0 }]);
    expect(written(writes, "waitlist")).toMatchObject([
      { status: "CONVERTED", attempt_id: "pay_1" },
    ]);
  });

  it("for a late attempt while another page is open, and that page is closed", () => {
    const open = attempt({ id: "pay_2", session_id: "cs_2" });
    const { reply } = settle.decide(settling(), books({ attempts: [ended, open], stock: [freed] }));
    expect(reply).toMatchObject({ orderId: "ord_new", expire: [open] });
  });
});

describe("a payment that must not be kept is refunded once", () => {
  const other = order({ attempt_id: "pay_0" });
  const used = customer({ paid_orders: 1, courtesy: "REDEEMED", courtesy_attempt: "pay_0" });
  const dollar: Partial<ReportedCheckout> = { totalMinor: 100, amountMinor: 100 };

  test.each<[string, string, Partial<ReportedCheckout>, Partial<Settle>, Partial<State>]>([
    ["a second payment", "PAID_TWICE", {}, {}, { orders: [other] }],
    ["another amount", "WRONG_AMOUNT", dollar, {}, {}],
    ["a partial capture at the provider", "WRONG_AMOUNT", { amountMinor: 100 }, {}, {}],
    [
      "another order of the same page",
      ...(["PAID_TWICE", {}, { quote: quote({ agent_id: null, cart: "page" }) }] as const),
      { attempts: [capturing({ page: "page" }), attempt({ ...OTHER, status: "PAID" })] },
    ],
    [
      "a payment that was to be released",
      "PAID_TOO_LATE",
      {},
      {},
      { attempts: [attempt({ status: "RELEASING", outcome: "OUT_OF_STOCK" })], stock: [sold] },
    ],
    ["another currency", "WRONG_AMOUNT", { currency: "eur" }, {}, {}],
    ["another quote's hash", "WRONG_AMOUNT", { quoteHash: "sha256:cd" }, {}, {}],
    ["no hash at all", "WRONG_AMOUNT", { quoteHash: null }, {}, {}],
    ["another attempt's session", "WRONG_AMOUNT", { attemptId: "pay_9" }, {}, {}],
    [
      "a courtesy that was used elsewhere meanwhile",
      "PAID_TOO_LATE",
      {},
      { firstOrder: true },
      { attempts: [ended], stock: [freed], customers: [used] },
    ],
    [
      "a courtesy that was not taken, and the customer has ordered without it since",
      "PAID_TOO_LATE",
      {},
      { firstOrder: true },
      { attempts: [ended], stock: [freed], customers: [customer({ paid_orders: 1 })] },
    ],
    [
      "bags that were sold to others meanwhile",
      "PAID_TOO_LATE",
      {},
      {},
      { attempts: [attempt()], stock: [stock({ on_hand: 1, held: 0 })] },
    ],
  ])("%s: %s", (_, reason, says, change, rows) => {
    const { reply, writes } = settle.decide(settling(says, change), books(rows));
    const amount_minor = says.amountMinor ?? 3200;
    expect(reply.refund).toMatchObject({ reason, amount_minor, payment_ref: "pi_1" });
    expect(written(writes, "refunds")).toEqual([reply.refund]);
    expect(written(writes, "incidents")).toMatchObject([{ kind: reason }]);
    expect(written(writes, "attempts")).toMatchObject([{ status: "ENDED", outcome: reason }]);
    expect(touched(writes)).not.toContain("orders");
    expect(touched(writes)).not.toContain("events");
    const invalidated = written(writes, "quote_states").at(-1)?.status === "INVALIDATED";
    // Bags and discounts may come back.
    expect(invalidated).toBe(!rows.orders && reason !== "PAID_TOO_LATE");

    const refunds = [reply.refund as RefundRow];
    const attempts = [{ ...capturing(), ...written(writes, "attempts")[0] } as AttemptRow];
    const again = settle.decide(settling(says, change), books({ ...rows, attempts, refunds }));
    expect(again).toMatchObject({ reply: { refund: null }, writes: [] });
  });

  it("if others have only taken the bags, and the quote can still be paid", () => {
    const rows = books({ attempts: [attempt()], stock: [stock({ on_hand: 2, held: 1 })] });
    const { reply, writes } = settle.decide(settling(), rows);
    expect(reply.refund).toMatchObject({ reason: "PAID_TOO_LATE", amount_minor: 3200 });
    expect(written(writes, "quote_states")).toMatchObject([
      { status: "CHECKOUT_READY", paying_until: null },
    ]);
  });

  it("and the stock it held is free again", () => {
    const { writes } = settle.decide(settling(dollar), books());
    expect(written(writes, "stock")).toMatchObject([{ on_hand: 10, held: 0 }]);
  });

  it("and a quote that has its order stays paid", () => {
    const rows = books({ orders: [other], quote_states: [quoteState({ status: "PAID" })] });
    const { writes } = settle.decide(settling(), rows);
    expect(touched(writes)).not.toContain("quote_states");
  });
});

describe("the provider says not paid", () => {
  const reserved = customer({ courtesy: "RESERVED", courtesy_attempt: "pay_1" });
  const unpaid = { payment: "unpaid" } as const;

  test.each<[string, string, Partial<ReportedCheckout>]>([
    ["a bank debit bounced", "FAILED", { ...unpaid, failed: true }],
    ["a bank debit was canceled", "FAILED", { payment: "canceled" }],
  ])("%s: everything comes back and the quote can be paid anew", (_, outcome, says) => {
    const debit = capturing({ status: "PROCESSING" });
    const rows = books({ attempts: [debit], customers: [reserved] });
    const { writes } = settle.decide(settling(says, { firstOrder: true }), rows);
    expect(written(writes, "attempts")).toEqual([
      {
        status: "ENDED",
        outcome,
        holds: "[]",
        url: null,
        customer: null,
        wish: null,
        check_at: null,
      },
    ]);
    expect(written(writes, "stock")).toMatchObject([{ on_hand: 10, held: 0 }]);
    expect(written(writes, "customers")).toEqual([{ courtesy: null, courtesy_attempt: null }]);
    expect(written(writes, "quote_states")).toMatchObject([
      { status: "CHECKOUT_READY", paying_until: null },
    ]);
  });

  it("expired: the quote can be paid anew", () => {
    const rows = books({ attempts: [attempt()], stock: [freed], quote_states: [quoteState()] });
    const { writes } = settle.decide(settling({ ...unpaid, status: "expired" }), rows);
    expect(touched(writes)).toEqual(["attempts", "quote_states"]);
    expect(written(writes, "attempts")).toMatchObject([{ status: "ENDED", outcome: "EXPIRED" }]);
  });

  it("processing: bags and courtesy are taken until it settles or fails", () => {
    const rows = books({ attempts: [attempt()], stock: [freed], quote_states: [quoteState()] });
    const command = settling({ payment: "processing" }, { firstOrder: true });
    const { writes } = settle.decide(command, rows);
    expect(written(writes, "quote_states")).toMatchObject([{ status: "PROCESSING" }]);
    expect(written(writes, "stock")).toEqual([{ on_hand: 10, held: 2 }]);
    expect(written(writes, "customers")).toMatchObject([{ courtesy: "RESERVED" }]);
    const [row] = written(writes, "attempts");
    expect(row).toMatchObject({ status: "PROCESSING", payment_ref: "pi_1" });
  });

  it("processing without bags: a success will be refunded", () => {
    const rows = books({ attempts: [attempt()], stock: [sold], quote_states: [quoteState()] });
    const { writes } = settle.decide(settling({ payment: "processing" }), rows);
    expect(touched(writes)).toEqual(["attempts", "quote_states"]);
  });

  test.each([
    [0, false, {}],
    [0, true, { declined: 1 }],
    [1, true, {}],
    [1, false, { declined: 0 }],
  ])(
    "still open, declined %i: only the next question, and news of a declined try (%s), are noted",
    (known, told, news) => {
      const says = { ...unpaid, status: "open", declined: told } as const;
      const rows = books({ attempts: [attempt({ declined: known })] });
      const { writes } = settle.decide(settling(says), rows);
      expect(touched(writes)).toEqual(["attempts"]);
      expect(written(writes, "attempts")).toEqual([{ ...news, check_at: NOW + MINUTE }]);
    },
  );

  test.each<[string, Partial<ReportedCheckout>]>([
    ["expired", { ...unpaid, status: "expired" }],
    ["processing", { payment: "processing" }],
  ])("%s, of an attempt that has ended: nothing changes", (_, says) => {
    const rows = books({ attempts: [ended], stock: [freed] });
    expect(settle.decide(settling(says), rows).writes).toEqual([]);
  });
});

describe("the bank has authorized the payment", () => {
  const yes = { payment: "authorized" } as const;
  const reserved = customer({ courtesy: "RESERVED", courtesy_attempt: "pay_0" });
  const open = (rows: Partial<State> = {}) =>
    books({ attempts: [attempt()], stock: [freed], quote_states: [quoteState()], ...rows });

  it("and bags and courtesy are taken before it is captured", () => {
    const { reply, writes } = settle.decide(settling(yes, { firstOrder: true }), open());
    expect(reply).toMatchObject({ orderId: null, refund: null, expire: [] });
    expect(reply.calling?.status).toBe("CAPTURING");
    expect(written(writes, "stock")).toEqual([{ on_hand: 10, held: 2 }]);
    expect(written(writes, "customers")).toMatchObject([
      { courtesy: "RESERVED", courtesy_attempt: "pay_1" },
    ]);
    const [row] = written(writes, "attempts");
    expect(row).toMatchObject({ status: "CAPTURING", payment_ref: "pi_1" });
    expect(row?.holds).toContain("kenya-nyeri");
    expect(written(writes, "quote_states")).toMatchObject([{ status: "PROCESSING" }]);
    expect(touched(writes)).not.toContain("orders");
  });

  it("and the buyer's own waitlist offer is used", () => {
    const rows = open({ stock: [stock({ on_hand: 2, held: 2 })], waitlist: [waitlistOffer()] });
    const { reply, writes } = settle.decide(settling(yes), rows);
    expect(reply.calling?.status).toBe("CAPTURING");
    expect(written(writes, "waitlist")).toEqual([{ attempt_id: "pay_1" }]);
    expect(touched(writes)).not.toContain("stock");
  });

  const OURS = { agent_id: null, cart: "page" };

  /** The outcome, then the reason for which the quote can never be paid; null if it still can. */
  test.each<
    [string, string, string | null, Partial<ReportedCheckout>, Partial<Settle>, Partial<State>]
  >([
    ["the bags are sold", "OUT_OF_STOCK", null, {}, {}, { stock: [sold] }],
    [
      "another payment has taken the last bags",
      ...(["OUT_OF_STOCK", null, {}, {}] as const),
      { stock: [stock({ held: 9 })] },
    ],
    [
      "the courtesy was used",
      ...(["COURTESY_USED", null, {}, { firstOrder: true }] as const),
      { customers: [customer({ paid_orders: 1 })] },
    ],
    [
      "another payment has taken the courtesy",
      ...(["COURTESY_USED", null, {}, { firstOrder: true }] as const),
      { customers: [reserved] },
    ],
    [
      "another amount was authorized",
      ...(["TOTAL_MISMATCH", "TOTAL_MISMATCH", { amountMinor: 3199 }, {}, {}] as const),
    ],
    [
      "it is of another quote",
      ...(["TOTAL_MISMATCH", "TOTAL_MISMATCH", { quoteHash: "sha256:cd" }, {}, {}] as const),
    ],
    ["the page was given up", ...(["PAGE_CLOSED", null, {}, {}] as const), { attempts: [ended] }],
    [
      "the page was closed because others took the last bags",
      ...(["OUT_OF_STOCK", null, {}, {}] as const),
      { attempts: [ended], stock: [sold] },
    ],
    [
      "another quote of its page is being paid",
      ...(["ORDERED_ALREADY", null, {}, { quote: quote(OURS) }] as const),
      { attempts: [attempt({ page: "page" }), capturing(OTHER)] },
    ],
    [
      "another quote of its page is ordered",
      ...(["ORDERED_ALREADY", null, {}, { quote: quote(OURS) }] as const),
      { attempts: [attempt({ page: "page" }), attempt({ ...OTHER, status: "PAID" })] },
    ],
    [
      "the buyer has paid for the same by another quote since",
      ...(["BOUGHT_ALREADY", null, {}, {}] as const),
      {
        attempts: [
          attempt({ wish: "wish" }),
          attempt({ ...OTHER, page: "other", wish: "wish", status: "PAID", taken_at: NOW }),
        ],
      },
    ],
  ])("and %s: it is released", (_, outcome, reason, says, change, rows) => {
    const { reply, writes } = settle.decide(settling({ ...yes, ...says }, change), open(rows));
    expect(reply).toMatchObject({ calling: { status: "RELEASING" }, refund: null, orderId: null });
    expect(written(writes, "attempts")).toMatchObject([{ status: "RELEASING", outcome }]);
    expect(touched(writes)).not.toContain("incidents");
    expect(touched(writes)).not.toContain("stock");
    const state = written(writes, "quote_states").at(-1);
    if (reason) expect(state).toMatchObject({ status: "INVALIDATED", reason, paying_until: null });
    else expect(state?.status ?? "CHECKOUT_READY").toBe("CHECKOUT_READY");
  });

  it("for a quote that is ordered: it is released, and the quote stays paid", () => {
    const rows = open({
      orders: [order({ attempt_id: "pay_0" })],
      quote_states: [quoteState({ status: "PAID" })],
    });
    const { reply, writes } = settle.decide(settling(yes), rows);
    expect(reply).toMatchObject({ calling: { status: "RELEASING" }, orderId: "ord_1" });
    expect(touched(writes)).toEqual(["attempts"]);
  });

  it.each(["CAPTURING", "RELEASING"] as const)("while it is %s: nothing changes", (status) => {
    const rows = books({ attempts: [capturing({ status, outcome: "OUT_OF_STOCK" })] });
    expect(settle.decide(settling(yes), rows)).toMatchObject({
      reply: { calling: null },
      writes: [],
    });
  });

  it("and the provider refuses to capture: everything comes back, and it is released", () => {
    const own = customer({ courtesy: "RESERVED", courtesy_attempt: "pay_1" });
    const refused = settling(yes, { report: "refused", firstOrder: true });
    const { reply, writes } = settle.decide(refused, books({ customers: [own] }));
    expect(reply.calling?.status).toBe("RELEASING");
    expect(written(writes, "attempts")).toMatchObject([
      { status: "RELEASING", outcome: "CAPTURE_FAILED", holds: "[]" },
    ]);
    expect(written(writes, "stock")).toEqual([{ on_hand: 10, held: 0 }]);
    expect(written(writes, "customers")).toEqual([{ courtesy: null, courtesy_attempt: null }]);
    expect(written(writes, "quote_states")).toMatchObject([{ status: "CHECKOUT_READY" }]);
  });

  it("and a refusal does not count once another process has taken over the call", () => {
    const rows = books({ attempts: [capturing({ check_at: NOW + MINUTE })] });
    const late = settle.decide(settling(yes, { report: "refused" }), rows);
    expect(late).toMatchObject({ reply: { calling: null }, writes: [] });
  });

  it("and the provider refuses to release: it is asked again later", () => {
    const releasing = attempt({ status: "RELEASING", outcome: "OUT_OF_STOCK" });
    const command = settling(yes, { report: "refused" });
    expect(settle.decide(command, books({ attempts: [releasing] }))).toMatchObject({
      reply: { calling: null },
      writes: [],
    });
  });

  test.each([
    ["was released", attempt({ status: "RELEASING", outcome: "OUT_OF_STOCK" }), "OUT_OF_STOCK"],
    ["lapsed before it was captured", capturing(), "CAPTURE_FAILED"],
  ])("and it %s: the buyer is written to once, and nothing is kept", (_, row, outcome) => {
    const rows = books({ attempts: [row] });
    const { reply, writes } = settle.decide(settling({ payment: "canceled" }), rows);
    expect(reply).toMatchObject({ calling: null, refund: null });
    expect(written(writes, "attempts")).toMatchObject([{ status: "ENDED", outcome, holds: "[]" }]);
    expect(written(writes, "outbox")).toMatchObject([{ id: `NOT_ORDERED_pay_1_${outcome}` }]);
    const over = books({ attempts: [{ ...row, status: "ENDED", outcome }], stock: [freed] });
    for (const payment of ["canceled", "authorized"] as const) {
      const late = settle.decide(settling({ payment }), over);
      expect(late).toMatchObject({ reply: { calling: null }, writes: [] });
    }
  });

  it("and released beside an order: nobody is written to", () => {
    const releasing = attempt({ status: "RELEASING", outcome: "ORDERED_ALREADY" });
    const rows = books({ attempts: [releasing], orders: [order({ attempt_id: "pay_0" })] });
    const { writes } = settle.decide(settling({ payment: "canceled" }), rows);
    expect(written(writes, "attempts")).toMatchObject([{ status: "ENDED" }]);
    expect(written(writes, "outbox")).toEqual([]);
  });

  it("says a stale report of a payment that is refunded in full: nothing changes", () => {
    const row = attempt({ status: "ENDED", outcome: "PAID_TOO_LATE", payment_ref: "pi_1" });
    const rows = books({ attempts: [row], stock: [freed] });
    expect(settle.decide(settling(yes), rows)).toMatchObject({
      reply: { calling: null },
      writes: [],
    });
  });

  it("and a stale report does not move a payment that is being captured", () => {
    for (const says of [{ payment: "unpaid", status: "open" }, { payment: "processing" }] as const)
      expect(settle.decide(settling(says), books()).writes).toEqual([]);
  });
});
