/** States of a purchase, each with the answer that an agent reads in it. */

import { operations } from "../../tools/index.ts";
import { submit } from "../shop/quick-checkout/checkout.ts";
import { DECAF, EXCLUSIVE, STOCKED, WAITLISTED } from "../support/catalog.ts";
import { orderOf, purchase, readyQuote } from "../support/purchase.ts";
import type { TestService } from "../support/service.ts";
import { DAY, HOUR } from "../support/service.ts";
import {
  DECLINED,
  eventually,
  payAsBuyer,
  quoteRequest,
  register,
  send,
  VISA,
} from "../support/shopper.ts";
import type { Args, Door, Known, Said } from "./follower.ts";

/** A scene under way: the agent's key and knowledge, and how often something has changed. */
export interface World {
  key: string;
  known: Known;
  changes: number;
  /** Ends what would be in the way of the next scene. */
  end: (() => Promise<unknown>)[];
}

/** Brings about a state and returns what an agent is told in it. */
export type Scene = (door: Door, world: World) => Promise<Said>;

/** The scenes of a service: `open` ones need no key. */
export function scenesOf(service: TestService) {
  const { baseUrl, clock, control } = service;
  const admin = service.service.merchant.admin("cli");

  type Wanted = Parameters<typeof readyQuote>[1];

  /** A quote with its link, and perhaps a buyer who has paid or tried to. */
  async function linked({ key, known }: World, wanted: Wanted = {}, card?: string) {
    const ready = await readyQuote(baseUrl, { email: known.email, ...wanted }, key);
    known.quote = ready.quote;
    if (card !== undefined) await payAsBuyer(baseUrl, ready.reviewUrl, card);
    return ready;
  }

  async function ordered(world: World, wanted: Wanted = {}) {
    const ready = await linked(world, wanted, VISA);
    const order = await orderOf(baseUrl, world.key, ready.quote.id);
    world.known.order = order.id;
    return { ...ready, order };
  }

  const quoteRead =
    (read: (world: World) => Promise<{ quote: { id: string } }>): Scene =>
    async (door, world) => {
      const { quote } = await read(world);
      return door.call("get_quote", { quote_id: quote.id });
    };

  /** The provider's page of a quote. */
  const sessionOf = async (quoteId: string): Promise<string> =>
    (await service.store.queries.attemptsOfQuote(quoteId))[0]!.session_id!;

  type Ordered = Awaited<ReturnType<typeof ordered>>;

  /** `happens` to an order of two shipments. */
  const orderRead =
    (happens: (order: Ordered["order"]) => Promise<unknown>): Scene =>
    async (door, world) => {
      const { order } = await ordered(world, { shipments: 2 });
      await happens(order);
      return door.call("get_order", { order_id: order.id });
    };

  let labels = 1000;
  const ship = (shipment_id: string) =>
    admin.shipments.ship({
      shipment_id,
      tracking: { carrier: "USPS", number: `9400 ${labels++}`, url: "https://tools.usps.com/9400" },
    });

  const shipAll = async (order: Ordered["order"], to?: "DELIVERED" | "FAILED" | "RETURNED") => {
    await admin.orders.roast({ order_id: order.id });
    for (const { id } of order.shipments) {
      await ship(id);
      if (to) await admin.shipments.move({ shipment_id: id, to });
    }
  };

  /** The agent asks to cancel. */
  const cancelAsked = (key: string, orderId: string, body: Args = { reason_code: "OTHER" }) =>
    send(baseUrl, `/v1/orders/${orderId}/cancel-requests`, { key, body });

  const setStock = (on_hand: number, product_id = WAITLISTED) =>
    admin.stock.set({ product_id, on_hand });

  /** A place in the queue while the bean is sold out. */
  async function waiting({ key, known }: World, quantity = 2) {
    await setStock(0);
    const body = { product_id: WAITLISTED, quantity, buyer: { email: known.email } };
    const { body: entry } = await send(baseUrl, "/v1/waitlist", { key, body });
    known.entry = entry.id;
    return entry;
  }

  /** Bags that are held for the buyer. */
  async function offered(world: World) {
    const entry = await waiting(world);
    await setStock(2);
    world.known.left = 2;
    return entry;
  }

  /** Waits until the shop knows of a bank debit. */
  const settling = ({ key }: World, quoteId: string) =>
    eventually(async () => {
      const { body } = await send(baseUrl, `/v1/quotes/${quoteId}`, { key });
      return body.status === "PROCESSING";
    });

  /** Ends a bank debit, so that its bags are free again. */
  async function bankRefuses(quoteId: string): Promise<void> {
    const attempt = async () => (await service.store.queries.attemptsOfQuote(quoteId))[0]!;
    await control.settleBankDebit(await sessionOf(quoteId), false);
    await eventually(async () => (await attempt()).status === "ENDED");
  }

  const entryRead =
    (happens: (world: World) => Promise<{ id: string }>): Scene =>
    async (door, world) => {
      const { id } = await happens(world);
      return door.call("get_waitlist_entry", { waitlist_id: id });
    };

  const joins =
    (quantity: number, product_id = WAITLISTED): Scene =>
    (door, { known }) =>
      door.call("join_waitlist", { product_id, quantity, buyer: { email: known.email } });

  const quotes =
    (wanted: Wanted): Scene =>
    (door, { known }) =>
      door.call("request_quote", quoteRequest({ email: known.email, ...wanted }));

  /** A finder key of this agent. */
  async function earned({ key, known }: World): Promise<void> {
    for (const q of [
      "Where is the Haraz from?",
      "How is the Huye processed?",
      "What does Nyeri taste like?",
    ]) {
      const { body } = await send(baseUrl, `/v1/ask?q=${encodeURIComponent(q)}`, { key });
      known.finderKey = body.finder?.finder_key ?? known.finderKey;
    }
  }

  /** A checkout page whose buyer has sent the form; with a card, has also paid or tried to. */
  async function paged(door: Door, { known }: World, card?: string): Promise<string> {
    const { body } = await door.call("build_quick_checkout_link", {
      items: [{ product_id: STOCKED, quantity: 2 }],
    });
    known.page = body.checkout_url;
    if (card !== undefined) {
      const sent = await submit(baseUrl, body.checkout_url, { email: known.email });
      await payAsBuyer(baseUrl, sent.headers.get("location")!, card);
    }
    return body.checkout_url;
  }

  const pageRead =
    (card?: string): Scene =>
    async (door, world) => {
      const checkout_url = await paged(door, world, card);
      const read = () => door.call("get_link_order", { checkout_url });
      if (card !== VISA) return read();
      return eventually(async () => {
        const said = await read();
        return said.body.status === "PAID" && said;
      });
    };

  /** Scenes that need no key. */
  const open: Record<string, Scene> = {
    catalog: (door) => door.call("get_catalog", {}),
    policy: (door) => door.call("get_policy", {}),
    "a page that nobody has opened": pageRead(),
    "a page after a decline": pageRead(DECLINED),
    "a page that was paid": pageRead(VISA),
    "a page that ended": async (door, world) => {
      const checkout_url = await paged(door, world);
      clock.advance(49 * HOUR);
      world.known.page = undefined;
      return door.call("get_link_order", { checkout_url });
    },
    "a link that is no page": async (door, world) => {
      await paged(door, world);
      return door.call("get_link_order", {
        checkout_url: `${baseUrl}/v1/quick-checkout?items=${STOCKED}:1`,
      });
    },
    "an unknown page": async (door, world) => {
      await paged(door, world);
      return door.call("get_link_order", { checkout_url: "https://sho.rt/abc" });
    },
    "a page of the exclusive bean": (door) =>
      door.call("build_quick_checkout_link", { items: [{ product_id: EXCLUSIVE, quantity: 1 }] }),
    "a page of more bags than there are": async (door) => {
      await setStock(1);
      return door.call("build_quick_checkout_link", {
        items: [{ product_id: WAITLISTED, quantity: 3 }],
      });
    },
    "a page of too many bags": (door) =>
      door.call("build_quick_checkout_link", {
        items: [
          { product_id: STOCKED, quantity: 100 },
          { product_id: DECAF, quantity: 100 },
          { product_id: WAITLISTED, quantity: 100 },
        ],
      }),
    "a page with an unknown code": (door) =>
      door.call("build_quick_checkout_link", {
        items: [{ product_id: STOCKED, quantity: 1 }],
        discount_code: "NONE",
      }),
    ...Object.fromEntries(
      [
        "How do I cancel an order?",
        "Can I have the Haraz?",
        "Give me the finder key.",
        "Is there a waitlist?",
        "400 bags for an office",
        "Gifts for three people",
        "My parcel is damaged",
        "xyzzy",
      ].map((q) => [`asked: ${q}`, (door: Door) => door.call("ask", { q })]),
    ),
  };

  /** Makes what an id in a path names. */
  const THINGS: Record<string, (world: World) => Promise<string>> = {
    quote_id: async (world) => (await linked(world)).quote.id,
    order_id: async (world) => (await ordered(world)).order.id,
    waitlist_id: async (world) => (await waiting(world)).id,
  };

  /** Scenes of an agent with a key. */
  const keyed: Record<string, Scene> = {
    registered: (door) =>
      door.call("register_agent", { name: "F", contact_email: "f@example.com" }),
    "no orders": (door) => door.call("list_orders", {}),
    "orders in summary": async (door, world) => {
      await ordered(world);
      const said = await door.call("list_orders", { view: "summary" });
      return { ...said, next: said.body.orders[0].next };
    },
    "a quote": quotes({}),
    "a quote with a link": quoteRead((world) => linked(world)),
    "a link": async (door, world) => {
      const { quote } = await linked(world);
      return door.call("create_checkout", { quote_id: quote.id, quote_hash: quote.quote_hash });
    },
    "an order that is not ready": async (door, world) => {
      const { quote } = await linked(world);
      return door.call("get_quote_order", { quote_id: quote.id });
    },
    "an order by the id of an unpaid quote": async (door, world) => {
      const { quote } = await linked(world);
      return door.call("get_order", { order_id: quote.id });
    },
    "a quote whose buyer looks at the payment page": quoteRead(async (world) => {
      const ready = await linked(world);
      await send(baseUrl, ready.reviewUrl, { method: "POST" });
      return ready;
    }),
    "a declined quote": quoteRead((world) => linked(world, {}, DECLINED)),
    "a released quote": quoteRead(async (world) => {
      const ready = await linked(world);
      await send(baseUrl, ready.reviewUrl, { method: "POST" });
      control.refuseCapture(await sessionOf(ready.quote.id));
      await payAsBuyer(baseUrl, ready.reviewUrl);
      const read = () => send(baseUrl, `/v1/quotes/${ready.quote.id}`, { key: world.key });
      await eventually(async () => (await read()).text.includes("NOT_CHARGED"));
      return ready;
    }),
    "a quote that settles": quoteRead(async (world) => {
      const ready = await linked(world, {}, "bank_debit");
      await settling(world, ready.quote.id);
      return ready;
    }),
    "a paid quote": quoteRead((world) => ordered(world)),
    "a link of a paid quote": async (door, world) => {
      const { quote } = await ordered(world);
      return door.call("create_checkout", { quote_id: quote.id, quote_hash: quote.quote_hash });
    },
    "an expired quote": quoteRead(async (world) => {
      const ready = await linked(world);
      clock.advance(8 * DAY);
      return ready;
    }),
    "a link of an expired quote": async (door, world) => {
      const { quote } = await linked(world);
      clock.advance(8 * DAY);
      return door.call("create_checkout", { quote_id: quote.id, quote_hash: quote.quote_hash });
    },
    "a quote whose bags are sold": quoteRead(async (world) => {
      await setStock(4, DECAF);
      const ready = await linked(world, { product_id: DECAF, quantity: 4 });
      await setStock(2, DECAF);
      world.known.left = 2;
      return ready;
    }),
    "a quote whose code was used": quoteRead(async (world) => {
      const ready = await linked(world, { discount_code: "FIRSTBAG" });
      await purchase(baseUrl, { email: world.known.email }, world.key);
      return ready;
    }),
    "a quote beside an order": quoteRead(async (world) => {
      const ready = await linked(world);
      await purchase(baseUrl, { email: world.known.email }, world.key);
      return ready;
    }),
    "a quote that the buyer asks at full price": quoteRead(async (world) => {
      const ready = await linked(world, { discount_code: "FIRSTBAG" });
      await purchase(baseUrl, { email: world.known.email }, world.key);
      await send(baseUrl, `${ready.reviewUrl}/full-price`, { method: "POST" });
      return ready;
    }),
    "a code for a known buyer": async (door, world) => {
      await ordered(world);
      return quotes({ discount_code: "FIRSTBAG" })(door, world);
    },
    "an ended code": async (door, world) => {
      await admin.courtesy.firstOrder({ on: false });
      const said = await quotes({ discount_code: "FIRSTBAG" })(door, world);
      await admin.courtesy.firstOrder({ on: true });
      return said;
    },
    "an unknown code": quotes({ discount_code: "SAVE10" }),
    "too many bags": quotes({ quantity: 400 }),
    "a sold-out bean": async (door, world) => {
      await setStock(0, DECAF);
      return quotes({ product_id: DECAF, quantity: 2 })(door, world);
    },
    "a short waitlist bean": async (door, world) => {
      await setStock(2);
      return quotes({ product_id: WAITLISTED, quantity: 5 })(door, world);
    },
    "a sold-out waitlist bean": async (door, world) => {
      await setStock(0);
      return quotes({ product_id: WAITLISTED, quantity: 5 })(door, world);
    },
    "more bags than a place may have": async (door, world) => {
      await setStock(0);
      return quotes({ product_id: WAITLISTED, quantity: 40 })(door, world);
    },
    "a link of a short quote": async (door, world) => {
      await setStock(2);
      const said = await quotes({ product_id: WAITLISTED, quantity: 40 })(door, world);
      world.known.left = 2;
      world.known.wanted = 40;
      const { id: quote_id, quote_hash } = said.body;
      return door.call("create_checkout", { quote_id, quote_hash });
    },
    "the exclusive bean": quotes({ product_id: EXCLUSIVE }),
    "the exclusive bean, with a key that was not sent": async (door, world) => {
      await earned(world);
      return quotes({ product_id: EXCLUSIVE })(door, world);
    },
    "a wrong finder key": async (door, world) =>
      door.call("request_quote", {
        ...quoteRequest({ email: world.known.email, product_id: EXCLUSIVE }),
        finder_key: "fk_none",
      }),
    "a wrong hash": async (door, world) => {
      const { quote } = await linked(world);
      return door.call("create_checkout", {
        quote_id: quote.id,
        quote_hash: `sha256:${"0".repeat(64)}`,
      });
    },
    "an order": orderRead(async () => {}),
    "an order's events": async (door, world) => {
      const { order } = await ordered(world);
      return door.call("list_order_events", { order_id: order.id });
    },
    "a shipped order": orderRead((order) => shipAll(order)),
    "a half-shipped order": orderRead(async ({ id, shipments }) => {
      await admin.orders.roast({ order_id: id });
      await ship(shipments[0].id);
    }),
    "a delivered order": orderRead((order) => shipAll(order, "DELIVERED")),
    "a failed delivery": orderRead((order) => shipAll(order, "FAILED")),
    "a returned order": orderRead((order) => shipAll(order, "RETURNED")),
    "a late order": orderRead(async () => clock.advance(20 * DAY)),
    "a canceled order": orderRead(({ id }) =>
      admin.orders.cancel({ order_id: id, reason: "Sold out.", refund: true }),
    ),
    "a canceled order without a refund": orderRead(({ id }) =>
      admin.orders.cancel({ order_id: id, reason: "Sold out." }),
    ),
    "a pending refund": orderRead(async ({ id, quote_id }) => {
      control.slowRefunds(await sessionOf(quote_id));
      await admin.orders.refund({ order_id: id, amount_minor: 500 });
    }),
    "a disputed order": orderRead(async ({ id, quote_id }) => {
      await control.dispute(await sessionOf(quote_id));
      await eventually(async () => (await admin.orders.show({ order_id: id })).payment.dispute);
    }),
    "cancel asked": async (door, world) => {
      const { order } = await ordered(world);
      return door.call("request_cancellation", { order_id: order.id, reason_code: "OTHER" });
    },
    "an order with an open request": async (door, world) => {
      const { order } = await ordered(world);
      await cancelAsked(world.key, order.id);
      return door.call("get_order", { order_id: order.id });
    },
    "cancel asked twice": async (door, world) => {
      const { order } = await ordered(world);
      await cancelAsked(world.key, order.id);
      return door.call("request_cancellation", { order_id: order.id, reason_code: "OTHER" });
    },
    "cancel accepted": async (door, world) => {
      const { order } = await ordered(world);
      const { body } = await cancelAsked(world.key, order.id);
      await admin.cancellations.accept({ request_id: body.id });
      return door.call("withdraw_cancellation", { order_id: order.id });
    },
    "cancel declined": async (door, world) => {
      const { order } = await ordered(world);
      const { body } = await cancelAsked(world.key, order.id);
      await admin.cancellations.decline({ request_id: body.id, reason: "It is roasted." });
      return door.call("get_order", { order_id: order.id });
    },
    "nothing to withdraw": async (door, world) => {
      const { order } = await ordered(world);
      return door.call("withdraw_cancellation", { order_id: order.id });
    },
    "cancel a shipped order": async (door, world) => {
      const { order } = await ordered(world);
      await shipAll(order);
      return door.call("request_cancellation", { order_id: order.id, reason_code: "OTHER" });
    },
    "cancel a half-shipped order": async (door, world) => {
      const { order } = await ordered(world, { shipments: 2 });
      await admin.orders.roast({ order_id: order.id });
      await ship(order.shipments[0].id);
      return door.call("request_cancellation", { order_id: order.id, reason_code: "OTHER" });
    },
    "cancel a canceled order": async (door, world) => {
      const { order } = await ordered(world);
      await admin.orders.cancel({ order_id: order.id, reason: "Sold out." });
      return door.call("request_cancellation", { order_id: order.id, reason_code: "OTHER" });
    },
    "cancel an unknown shipment": async (door, world) => {
      const { order } = await ordered(world);
      const wanted = { order_id: order.id, reason_code: "OTHER", shipment_ids: ["office"] };
      return door.call("request_cancellation", wanted);
    },
    waiting: entryRead((world) => waiting(world)),
    offered: entryRead((world) => offered(world)),
    "an offered place that was paid": entryRead(async (world) => {
      const entry = await offered(world);
      await ordered(world, { product_id: WAITLISTED, quantity: 2 });
      return entry;
    }),
    "leaving an offered place that was paid": async (door, world) => {
      const entry = await offered(world);
      await ordered(world, { product_id: WAITLISTED, quantity: 2 });
      return door.call("leave_waitlist", { waitlist_id: entry.id });
    },
    "an offered place whose buyer's bank settles": entryRead(async (world) => {
      const entry = await offered(world);
      const { quote } = await linked(world, { product_id: WAITLISTED, quantity: 2 }, "bank_debit");
      await settling(world, quote.id);
      world.end.push(() => bankRefuses(quote.id));
      return entry;
    }),
    "left with bags in stock": entryRead(async (world) => {
      const entry = await waiting(world);
      await send(baseUrl, `/v1/waitlist/${entry.id}`, { key: world.key, method: "DELETE" });
      await setStock(30);
      return entry;
    }),
    "an ended offer": entryRead(async (world) => {
      const entry = await offered(world);
      clock.advance(49 * HOUR);
      await service.service.merchant.housekeeping.run();
      return entry;
    }),
    "joined twice": async (door, world) => {
      await waiting(world);
      return joins(2)(door, world);
    },
    "joined twice while offered": async (door, world) => {
      await offered(world);
      return joins(3)(door, world);
    },
    "joined by another agent": async (door, world) => {
      await waiting({ ...world, key: await register(baseUrl), known: { ...world.known } });
      return joins(2)(door, world);
    },
    "joined for bags in stock": async (door, world) => {
      await setStock(30);
      return joins(2)(door, world);
    },
    "joined for too many": async (door, world) => {
      await setStock(0);
      return joins(40)(door, world);
    },
    "joined for a stocked bean": joins(2, STOCKED),
    "joined for the exclusive bean": joins(2, EXCLUSIVE),
    feedback: (door) => door.call("send_feedback", { message: "Lovely coffee." }),
    "feedback about an order": async (door, world) => {
      const { order } = await ordered(world);
      return door.call("send_feedback", { message: "Where is it?", order_id: order.id });
    },
    "feedback with a card number": (door) =>
      door.call("send_feedback", { message: "My card is 4242 4242 4242 4242." }),
    "a bulk lead": (door, { known }) =>
      door.call("send_bulk_lead", { email: known.email, purpose: "An office." }),
    "a paused shop": async (door, world) => {
      await admin.shop.pause({
        until: new Date(clock.now() + 5 * DAY).toISOString().slice(0, 10),
        message: null,
      });
      const said = await quotes({})(door, world);
      await admin.shop.reopen({});
      return said;
    },
    "with a key whose questions are good": (door) =>
      door.call("ask", { q: "Where is the Haraz from?" }),
    "with a finder key": async (door, world) => {
      await earned(world);
      return door.call("ask", { q: "What is my finder key?" });
    },
    ...Object.fromEntries(
      operations.flatMap(({ name, http }): [string, Scene][] => {
        const own = async (door: Door, world: World, args: Args) => {
          const [, field = ""] = /\{(\w+)\}/.exec(http.path) ?? [];
          const id = await THINGS[field]?.(world);
          if (name === "withdraw_cancellation") await cancelAsked(world.key, id!);
          return door.call(name, { ...(door.isHttp && id && { [field]: id }), ...args });
        };
        const hasId = http.path.includes("{");
        return [
          [`${name} with nothing`, (door, world) => own(door, world, {})],
          [`${name} with an unknown field`, (door, world) => own(door, world, { odd: 1 })],
          ...(hasId ? [[`${name} with an unknown id`, unknownId(name, http.path)] as const] : []),
        ] as [string, Scene][];
      }),
    ),
  };

  /** A call that is right but for its id. */
  function unknownId(tool: string, path: string): Scene {
    const [, field = ""] = /\{(\w+)\}/.exec(path)!;
    const id = `${{ quote_id: "qte", order_id: "ord", waitlist_id: "wl" }[field]}_none`;
    return (door) => {
      const rest = {
        ...(tool === "create_checkout" && { quote_hash: `sha256:${"0".repeat(64)}` }),
        ...(tool === "request_cancellation" && { reason_code: "OTHER" }),
      };
      return door.call(tool, { [field]: id, ...rest });
    };
  }

  return { open, keyed, paged, setStock };
}
