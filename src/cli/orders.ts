import type { Command } from "commander";
import { SHIPMENT_STEPS, type ShipmentStep } from "../domain/order/order-steps.ts";
import { MerchantError } from "../domain/shared/errors.ts";
import { cents } from "../domain/shared/money.ts";
import type { Admin } from "../merchant/merchant.ts";
import { type CliEnvironment, list, type Options, type Verb, verb } from "./command.ts";
import { type Columns, orderText } from "./text.ts";

/** Orders and their shipments: seen, roasted, shipped, canceled, refunded. */
export function orderCommands(program: Command, world: CliEnvironment): void {
  const orders = program.command("orders").description("See orders and move them on.");
  list(orders, world, {
    does: "All orders, newest first.",
    rows: (admin: Admin) => admin.orders.list,
    columns: ORDER_COLUMNS,
    none: "No orders yet.",
  });
  verb(orders, world, {
    usage: "show <id>",
    does: "One order with its shipments, notes, payment and refunds.",
    act: (admin, [id]) => admin.orders.show(id!),
    text: orderText,
  });
  actOn(orders, world, {
    usage: "roast <id>",
    does: "Put an order into the roaster: its shipments become ROASTING.",
    act: (admin, [id]) => admin.orders.roast(id!),
  });
  actOn(orders, world, {
    usage: "cancel <id>",
    does: "Cancel an order of which nothing has shipped. Its money is another step: refund.",
    required: { "--reason <text>": "why; the agent reads it" },
    act: (admin, [id], { reason }) => admin.orders.cancel(id!, reason!),
  });
  actOn(orders, world, {
    usage: "note <id>",
    does: "Write down something about an order; no agent and no buyer reads it.",
    required: { "--text <text>": "the note" },
    act: (admin, [id], { text }) => admin.orders.note(id!, text!),
  });
  actOn(orders, world, {
    usage: "refund <id>",
    does: "Send money back through the payment provider, all of it or in parts.",
    options: { "--amount <dollars>": "such as 12.50; without it, all that is left" },
    act: (admin, [id], { amount }) => admin.orders.refund(id!, amount ? amountOf(amount) : null),
  });
  shipmentCommands(program, world);
  cancellationCommands(program, world);
}

interface OrderAct extends Omit<Verb<string>, "text"> {
  /** Answers the order's id. */
  act(admin: Admin, words: string[], options: Options): Promise<string>;
}

/** What the merchant does to an order, which is shown as it is afterwards. */
function actOn(noun: Command, world: CliEnvironment, { act, ...rest }: OrderAct): void {
  verb(noun, world, {
    ...rest,
    act: async (admin, words, options) => admin.orders.show(await act(admin, words, options)),
    text: orderText,
  });
}

const ORDER_COLUMNS: Columns<Awaited<ReturnType<Admin["orders"]["list"]>>[number]> = {
  ORDER: "id",
  STATUS: "status",
  ORDERED: "created_at",
  TOTAL: (o) => o.pricing.total_display,
  PAYMENT: (o) => o.payment.status,
  BAGS: (o) => o.items.reduce((bags, item) => bags + item.quantity, 0),
  SHIPMENTS: (o) => o.shipments.length,
  BUYER: "buyer_email",
  "CANCEL REQUEST": (o) => o.cancel_request?.status,
};

const MOVES: Record<Exclude<ShipmentStep, "SHIPPED">, string> = {
  IN_TRANSIT: "The carrier has it on the way; also after a failed try.",
  OUT_FOR_DELIVERY: "It is on the van.",
  DELIVERED: "It has arrived.",
  FAILED: "A delivery failed; it may be in transit again, or returned.",
  RETURNED: "It has come back.",
};

function shipmentCommands(program: Command, world: CliEnvironment): void {
  const shipments = program.command("shipments").description("Ship shipments and follow them.");
  actOn(shipments, world, {
    usage: "ship <id>",
    does: "Hand a roasted shipment to the carrier.",
    ...TRACKING,
    act: (admin, [id], options) => admin.shipments.ship(id!, trackingOf(options)),
  });
  correctionCommands(shipments, world);
  for (const [to, does] of Object.entries(MOVES) as [keyof typeof MOVES, string][]) {
    actOn(shipments, world, {
      usage: `${SHIPMENT_STEPS[to].act} <id>`,
      does,
      act: (admin, [id]) => admin.shipments.move(id!, to),
    });
  }
}

function correctionCommands(shipments: Command, world: CliEnvironment): void {
  actOn(shipments, world, {
    usage: "undo <id>",
    does: "Take a shipment's last step back, within ten minutes; roasting for the whole order.",
    act: (admin, [id]) => admin.shipments.undo(id!),
  });
  actOn(shipments, world, {
    usage: "correct <id>",
    does: "Correct carrier and tracking number of a shipment that has left.",
    ...TRACKING,
    act: (admin, [id], options) => admin.shipments.correct(id!, trackingOf(options)),
  });
  actOn(shipments, world, {
    usage: "address <id>",
    does: "Send a shipment that has not left to another address. The price stays.",
    required: {
      "--name <name>": "who receives it",
      "--line1 <text>": "street and number",
      "--city <city>": "city",
      "--region <code>": "state, such as TX",
      "--zip <code>": "ZIP code of that state",
    },
    options: { "--line2 <text>": "apartment, suite, unit" },
    act: (admin, [id], { name, line1, line2, city, region, zip }) =>
      admin.shipments.changeAddress(id!, {
        name: name!,
        line1: line1!,
        ...(line2 !== undefined && { line2 }),
        city: city!,
        region: region!,
        postal_code: zip!,
        country: "US",
      }),
  });
}

const TRACKING = {
  required: { "--carrier <name>": "such as USPS", "--number <text>": "the tracking number" },
  options: { "--url <https>": "where the shipment can be followed" },
};

const trackingOf = ({ carrier, number, url }: Options) => ({
  carrier: carrier!,
  number: number!,
  ...(url !== undefined && { url }),
});

function cancellationCommands(program: Command, world: CliEnvironment): void {
  const cancellations = program
    .command("cancellations")
    .description("Decide what agents asked to cancel.");
  list(cancellations, world, {
    does: "All cancel requests, newest first.",
    rows: (admin: Admin) => admin.cancellations.list,
    columns: {
      REQUEST: "id",
      STATUS: "status",
      ORDER: "order_id",
      ASKED: "created_at",
      REASON: "reason_code",
      MESSAGE: "message",
    },
    none: "No cancel requests.",
  });
  actOn(cancellations, world, {
    usage: "accept <id>",
    does: "Cancel the order; only while nothing of it has shipped.",
    act: (admin, [id]) => admin.cancellations.accept(id!),
  });
  actOn(cancellations, world, {
    usage: "accept-refund <id>",
    does: "Cancel what is asked for and refund what was paid for it, as one act.",
    act: (admin, [id]) => admin.cancellations.acceptAndRefund(id!),
  });
  actOn(cancellations, world, {
    usage: "decline <id>",
    does: "The order goes on.",
    required: { "--reason <text>": "why; the agent reads it" },
    act: (admin, [id], { reason }) => admin.cancellations.decline(id!, reason!),
  });
}

function amountOf(text: string): number {
  const minor = cents(text);
  if (minor !== null) return minor;
  throw new MerchantError("VALIDATION_FAILED", 'An amount in dollars, such as "12.50" or "12".');
}
