/** Bags and courtesy that a press of pay can hold or take over (contract §5, §14). */
import { describe, expect, it, test } from "vitest";
import { type State, stateOf } from "../../src/core/command.ts";
import { HOLD_SHARE } from "../../src/core/policy.ts";
import type { AttemptRow } from "../../src/core/records.ts";
import { type StartPayment, startPayment } from "../../src/payments/start.ts";
import {
  attempt,
  customer,
  MINUTE,
  NOW,
  pressing,
  quote,
  quoteState,
  stock,
  written,
} from "../support/rows.ts";

const BEAN = "kenya-nyeri";

const holding = (bags: number): string =>
  JSON.stringify([{ product_id: BEAN, quantity: bags, own: bags, entries: [] }]);

/** An unpaid attempt of another quote, with one bag held. */
const older = (change: Partial<AttemptRow> = {}): AttemptRow =>
  attempt({
    id: "pay_old",
    quote_id: "qte_old",
    session_id: "cs_old",
    wish: "old",
    holds: holding(1),
    ...change,
  });

const reserved = customer({ courtesy: "RESERVED", courtesy_attempt: "pay_old" });

const rows = (change: Partial<State> = {}) =>
  stateOf({
    quote_states: [quoteState(), quoteState({ quote_id: "qte_old", paying_until: NOW + MINUTE })],
    attempts: [older()],
    stock: [stock({ on_hand: 10, held: 1 })],
    ...change,
  });

const CART = { agent_id: null, cart: "cart" };

describe("while somebody else is paying", () => {
  test.each<[string, Partial<AttemptRow>, Partial<StartPayment>]>([
    ["another key's", { payer: "agt_2" }, {}],
    ["one of unknown origin", { payer: null }, {}],
    ["another cart's", { payer: "other" }, { quote: quote(CART) }],
    ["the same key's, and it is a debit that settles", { status: "PROCESSING" }, {}],
  ])("with the courtesy, %s: told until when, and nothing is changed", (_, change, more) => {
    const { reply, writes } = startPayment.decide(
      pressing({ firstOrder: true, ...more }),
      rows({ attempts: [older(change)], customers: [reserved] }),
    );
    expect(reply).toEqual({ kind: "taken", what: "COURTESY", until: NOW + 19 * MINUTE });
    expect(writes).toEqual([]);
  });

  test.each<[string, Partial<AttemptRow>]>([
    ["another key's", { payer: "agt_2" }],
    ["another customer's of the same key", { customer: "other@example.com" }],
  ])("for the last bags, %s: told so, and nothing is changed", (_, change) => {
    const { reply, writes } = startPayment.decide(
      pressing(),
      rows({ attempts: [older(change)], stock: [stock({ on_hand: 2, held: 1 })] }),
    );
    expect(reply).toMatchObject({ kind: "taken", what: "BAGS" });
    expect(writes).toEqual([]);
  });

  it("only sold bags end the quote, when even without holds too few are left", () => {
    const { reply, writes } = startPayment.decide(
      pressing(),
      rows({ stock: [stock({ on_hand: 1, held: 1 })] }),
    );
    expect(reply).toEqual({ kind: "closed" });
    expect(written(writes, "quote_states")).toMatchObject([{ reason: "OUT_OF_STOCK" }]);
  });
});

describe("a newer press of the same buyer", () => {
  const wantsBags = rows({ stock: [stock({ on_hand: 2, held: 1 })] });
  const wantsCourtesy = rows({ customers: [reserved] });

  test.each<[string, Partial<StartPayment>, State]>([
    ["by the same key, for the courtesy", { firstOrder: true }, wantsCourtesy],
    ["by the same key, for the last bags", {}, wantsBags],
    ["by the same key, for the very same wish", { wish: "old" }, rows()],
    [
      "from the same cart, whatever email was typed",
      { quote: quote({ ...CART, customer: "typo@example.com" }) },
      rows({ attempts: [older({ payer: "cart" })] }),
    ],
    [
      "after the older one's time was over, by any buyer",
      { firstOrder: true },
      rows({ attempts: [older({ payer: "agt_2", hold_until: NOW })], customers: [reserved] }),
    ],
  ])("%s: first the older page is closed, then both change at once", (_, change, state) => {
    const asked = startPayment.decide(pressing(change), state);
    expect(asked).toMatchObject({ reply: { kind: "replace" }, writes: [] });
    const closed = (asked.reply as { attempts: AttemptRow[] }).attempts;
    const { reply, writes } = startPayment.decide(pressing({ ...change, closed }), state);
    expect(reply).toMatchObject({ kind: "started", attempt: { id: "pay_new" } });
    const attempts = written(writes, "attempts");
    expect(attempts).toMatchObject([{ status: "ENDED", outcome: "REPLACED" }, { id: "pay_new" }]);
    const [{ held = 0 } = {}] = state.stock;
    expect(written(writes, "stock")).toMatchObject([{ held: held - 1 + 2 }]);
    const states = written(writes, "quote_states");
    expect(states).toMatchObject([{ paying_until: null }, { paying_until: NOW + 20 * MINUTE }]);
    if (change.firstOrder) {
      const [row] = written(writes, "customers");
      expect(row).toMatchObject({ courtesy: "RESERVED", courtesy_attempt: "pay_new" });
    }
  });

  it("keeps the older page if there are bags for both", () => {
    const { reply, writes } = startPayment.decide(pressing(), rows());
    expect(reply.kind).toBe("started");
    expect(written(writes, "attempts")).toHaveLength(1);
  });

  it("does not end a page that was made after the older one was closed", () => {
    const closed = [older({ session_id: null, status: "CREATING" })];
    const { reply } = startPayment.decide(pressing({ firstOrder: true, closed }), wantsCourtesy);
    expect(reply).toMatchObject({ kind: "replace", attempts: [{ session_id: "cs_old" }] });
  });

  it("takes over nothing if that would still not be enough", () => {
    const state = rows({ stock: [stock({ on_hand: 3, held: 3 })] });
    const { reply } = startPayment.decide(pressing(), state);
    expect(reply).toMatchObject({ kind: "taken", what: "BAGS" });
  });
});

describe("share of a bean that one stranger can hold", () => {
  const press = (quantity: number, change: Partial<StartPayment>, state: Partial<State>) =>
    startPayment.decide(
      pressing({ bags: [{ product_id: BEAN, quantity }], ...change }),
      rows(state),
    );
  const held = (bags: number, change: Partial<AttemptRow>) => ({
    attempts: [older({ holds: holding(bags), payer: "other", ...change })],
    stock: [stock({ on_hand: 100, held: bags })],
  });

  test.each<[string, number, number, Partial<AttemptRow>]>([
    ["one address", HOLD_SHARE.address_percent, 30, { address: "net", customer: "x@example.com" }],
    ["one customer", HOLD_SHARE.customer_percent, 60, { address: "far" }],
  ])("%s: at most %i%% of the bags that are free but for its own", (_, percent, bags, change) => {
    const state = held(bags, change);
    const most = percent - bags;
    const who = change.address === "net" ? { address: "net" } : { address: "here" };
    expect(press(most, who, state).reply.kind).toBe("started");
    const { reply, writes } = press(most + 1, who, state);
    expect(reply).toMatchObject({ kind: "taken", what: "BAGS" });
    expect(writes).toEqual([]);
  });

  test.each(["net", null])(
    "what waiting cannot help with is said as such, also where no addresses are counted: %s",
    (address) => {
      const state = { attempts: [], stock: [stock({ on_hand: 100, held: 0 })] };
      const tooMany = { kind: "too_many", product_id: BEAN, most: HOLD_SHARE.address_percent };
      expect(press(51, { address }, state).reply).toEqual(tooMany);
      expect(press(50, { address }, state).reply.kind).toBe("started");
    },
  );

  it("without addresses, holds of others do not count", () => {
    const state = held(40, { address: null, customer: "x@example.com" });
    expect(press(30, { address: null }, state).reply.kind).toBe("started");
  });

  it("an ordinary order can hold the last few bags", () => {
    const few = { attempts: [], stock: [stock({ on_hand: 4, held: 0 })] };
    expect(press(4, { address: "net" }, few).reply.kind).toBe("started");
    const five = { attempts: [], stock: [stock({ on_hand: 5, held: 0 })] };
    expect(press(5, { address: "net" }, five).reply).toMatchObject({ kind: "too_many", most: 4 });
  });

  it("a stranger who uses a customer's email leaves bags for that customer", () => {
    const state = held(50, { address: "stranger" });
    expect(press(25, { address: "home" }, state).reply.kind).toBe("started");
  });

  it("bags of the buyer's own waitlist offer do not count", () => {
    const offer = {
      ...{ id: "wl_1", agent_id: "agt_1", product_id: BEAN, quantity: 40, created_at: 0 },
      ...{ buyer_email: "", customer: "buyer@example.com", attempt_id: null },
      ...{ address: null, renewed_at: null, confirmed_at: null },
      status: "OFFERED" as const,
      offer_expires_at: NOW + MINUTE,
    };
    const state = { attempts: [], stock: [stock({ on_hand: 40, held: 40 })], waitlist: [offer] };
    expect(press(40, { address: "net" }, state).reply.kind).toBe("started");
  });
});
