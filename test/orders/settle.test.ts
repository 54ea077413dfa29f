import { describe, expect, it, test } from "vitest";
import type { State } from "../../src/core/command.ts";
import type { AttemptRow, RefundRow } from "../../src/core/records.ts";
import { settle } from "../../src/orders/settle.ts";
import type { ReportedCheckout, Settle } from "../../src/payments/reported-checkout.ts";
import {
  attempt,
  books,
  customer,
  MINUTE,
  NOW,
  order,
  quote,
  quoteState,
  settling,
  stock,
  touched,
  written,
} from "../support/rows.ts";

const ended = attempt({ status: "ENDED", outcome: "EXPIRED", holds: "[]", check_at: null });
const freed = stock({ held: 0 });

describe("the provider says paid", () => {
  it("and order, events, shipments, stock and customer are written at once", () => {
    const { reply, writes } = settle.decide(settling(), books());
    expect(reply).toEqual({ orderId: "ord_new", refund: null, expire: [] });
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

  it("after its hold was lost, and it gets the buyer's own waitlist offer", () => {
    const offer = {
      ...{ id: "wl_1", agent_id: "agt_1", product_id: "kenya-nyeri", quantity: 2 },
      ...{ buyer_email: "", customer: "buyer@example.com", created_at: 0, attempt_id: null },
      ...{ address: null, renewed_at: null, confirmed_at: null },
      status: "OFFERED" as const,
      offer_expires_at: NOW + MINUTE,
    };
    const rows = { attempts: [ended], stock: [stock({ on_hand: 2, held: 2 })], waitlist: [offer] };
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
  const dollar: Partial<ReportedCheckout> = { totalMinor: 100 };

  test.each<[string, string, Partial<ReportedCheckout>, Partial<Settle>, Partial<State>]>([
    ["a second payment", "PAID_TWICE", {}, {}, { orders: [other] }],
    ["another amount", "WRONG_AMOUNT", dollar, {}, {}],
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
      "a courtesy whose hold was lost, and the customer has ordered without it since",
      "PAID_TOO_LATE",
      {},
      { firstOrder: true },
      { attempts: [ended], stock: [freed], customers: [customer({ paid_orders: 1 })] },
    ],
    [
      "bags that were sold to others after its hold was lost",
      "PAID_TOO_LATE",
      {},
      {},
      { attempts: [attempt({ holds: "[]" })], stock: [stock({ on_hand: 1, held: 0 })] },
    ],
  ])("%s: %s", (_, reason, says, change, rows) => {
    const { reply, writes } = settle.decide(settling(says, change), books(rows));
    const amount_minor = says.totalMinor ?? 3200;
    expect(reply.refund).toMatchObject({ reason, amount_minor, payment_ref: "pi_1" });
    expect(written(writes, "refunds")).toEqual([reply.refund]);
    expect(written(writes, "incidents")).toMatchObject([{ kind: reason }]);
    expect(written(writes, "attempts")).toMatchObject([{ status: "ENDED", outcome: reason }]);
    expect(touched(writes)).not.toContain("orders");
    expect(touched(writes)).not.toContain("events");
    const invalidated = written(writes, "quote_states").at(-1)?.status === "INVALIDATED";
    expect(invalidated).toBe(reason !== "PAID_TWICE");

    const refunds = [reply.refund as RefundRow];
    const attempts = [{ ...attempt(), ...written(writes, "attempts")[0] } as AttemptRow];
    const again = settle.decide(settling(says, change), books({ ...rows, attempts, refunds }));
    expect(again).toMatchObject({ reply: { refund: null }, writes: [] });
  });

  it("if others only hold the bags, and the quote can still be paid", () => {
    const lapsed = attempt({ holds: "[]" });
    const rows = books({ attempts: [lapsed], stock: [stock({ on_hand: 2, held: 1 })] });
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
    ["expired", "EXPIRED", { ...unpaid, status: "expired" }],
    ["complete and failed, as a bank debit that bounced", "FAILED", { ...unpaid, failed: true }],
  ])("%s: everything comes back and the quote can be paid anew", (_, outcome, says) => {
    const rows = books({ customers: [reserved] });
    const { writes } = settle.decide(settling(says, { firstOrder: true }), rows);
    expect(written(writes, "attempts")).toEqual([
      {
        status: "ENDED",
        outcome,
        holds: "[]",
        url: null,
        customer: null,
        wish: null,
        address: null,
        check_at: null,
      },
    ]);
    expect(written(writes, "stock")).toMatchObject([{ on_hand: 10, held: 0 }]);
    expect(written(writes, "customers")).toEqual([{ courtesy: null, courtesy_attempt: null }]);
    expect(written(writes, "quote_states")).toMatchObject([
      { status: "CHECKOUT_READY", paying_until: null },
    ]);
  });

  it("still processing: everything stays held until it settles or fails", () => {
    const { writes } = settle.decide(settling({ payment: "processing" }), books());
    expect(written(writes, "quote_states")).toMatchObject([{ status: "PROCESSING" }]);
    expect(touched(writes)).toEqual(["attempts", "quote_states"]);
    const [row] = written(writes, "attempts");
    expect(row).toMatchObject({ status: "PROCESSING", payment_ref: "pi_1" });
    expect(row?.hold_until).toBeGreaterThan(NOW + 7 * 24 * 60 * MINUTE);
  });

  test.each([
    [false, 0],
    [true, 1],
  ])("still open: only the next question, and a declined try (%s), are noted", (told, declined) => {
    const says = { ...unpaid, status: "open", declined: told } as const;
    const { writes } = settle.decide(settling(says), books());
    expect(touched(writes)).toEqual(["attempts"]);
    expect(written(writes, "attempts")).toEqual([{ declined, check_at: NOW + MINUTE }]);
  });

  test.each<[string, Partial<ReportedCheckout>]>([
    ["expired", { ...unpaid, status: "expired" }],
    ["processing", { payment: "processing" }],
  ])("%s, of an attempt that has ended: nothing changes", (_, says) => {
    const rows = books({ attempts: [ended], stock: [freed] });
    expect(settle.decide(settling(says), rows).writes).toEqual([]);
  });
});
