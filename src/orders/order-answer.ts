import { z } from "zod";
import {
  answer,
  Display,
  EmailAddress,
  Estimate,
  Minor,
  NextSteps,
  open,
  Time,
} from "../core/answer.ts";
import { ASKERS, ORDER_STATUSES, SHIPMENT_STATUSES } from "../core/records.ts";
import { Payment, Refund } from "../payments/payment-answer.ts";
import { Item, OutAddress, Pricing } from "../quotes/quote-answer.ts";

export const CancelRequest = answer({
  id: z.string(),
  order_id: z.string(),
  shipment_ids: z.array(z.string()).describe("Canceled if the merchant accepts."),
  status: open(["REQUESTED", "ACCEPTED", "DECLINED", "WITHDRAWN"], "The merchant decides."),
  asked_by: open(ASKERS, "BUYER: on the order's page."),
  reason_code: z.string(),
  message: z.string().nullable(),
  created_at: Time,
  decided_at: Time.nullable(),
  decision: z.string().nullable().describe("The merchant's words on the decision."),
}).meta({ id: "CancelRequest" });

export type CancelRequest = z.infer<typeof CancelRequest>;

export const CancelAnswer = CancelRequest.extend({
  recipient_refs: z.array(z.string()).describe("Of these shipments, in the same order."),
  policy_note: z.string().describe("What a request means."),
  next: NextSteps,
}).meta({ id: "CancelAnswer" });

export type CancelAnswer = z.infer<typeof CancelAnswer>;

export const Shipment = answer({
  id: z.string(),
  recipient_ref: z.string(),
  status: open(SHIPMENT_STATUSES, "Status of the shipment."),
  tracking: answer({
    carrier: z.string(),
    number: z.string(),
    url: z.string().nullable(),
  }).nullable(),
  address: OutAddress,
  items: z
    .array(answer({ product_id: z.string(), name: z.string().optional(), quantity: z.int() }))
    .describe("The order's items have names and prices."),
  gift_notes: z.array(z.string()),
  shipped_at: Time.nullable(),
  delivered_at: Time.nullable(),
}).meta({ id: "Shipment" });

export type Shipment = z.infer<typeof Shipment>;

export const Order = answer({
  id: z.string(),
  number: z.int().describe("The order number, such as 1042. Calls accept it instead of the id."),
  quote_id: z.string().optional(),
  quote_hash: z.string(),
  buyer_email: EmailAddress,
  status: open(ORDER_STATUSES, "Status of the order."),
  notice: z.string().optional(),
  created_at: Time,
  order_url: z.string().describe("The order's page, for its buyer."),
  items: z.array(Item),
  pricing: Pricing,
  payment: Payment,
  shipments: z.array(Shipment),
  estimated_delivery: Estimate.nullable().describe("Null for a canceled order."),
  cancel_request: CancelRequest.optional(),
  next: NextSteps,
}).meta({ id: "Order" });

export type Order = z.infer<typeof Order>;

/** A shipment with the name and price of its bags, for the desk, letters and the command line. */
export type NamedShipment = Omit<Shipment, "items"> & { items: Item[] };

export type NamedOrder = Omit<Order, "shipments"> & { shipments: NamedShipment[] };

/** An order for whoever has an address of its checkout: nothing about a person (contract §10, §20). */
export const OpenOrder = answer({
  number: z.int().describe("The order number, such as 1042."),
  order_status: Order.shape.status,
  items: z.array(Item),
  gift_notes: z.int().optional().describe("Number of gift notes; only the order's page has them."),
  total_minor: Minor,
  total_display: Display,
  paid_minor: Minor.describe("Charged."),
  refunds: z.array(Refund).optional(),
  cancel_request: z.string().optional().describe("Status of the cancel request."),
  cancel_request_for: z.array(z.string()).optional().describe("Its parcels, if not all of them."),
  shipments: z.array(
    answer({
      parcel: z.string().describe('Such as "1042-1".'),
      status: Shipment.shape.status,
      contents: z.string().describe('Such as "2 × Kenya Nyeri".'),
      carrier: z.string().optional(),
      number: z.string().optional().describe("The tracking number."),
      url: z.string().optional(),
    }),
  ),
  estimated_delivery: Estimate.nullable(),
});

export type OpenOrder = z.infer<typeof OpenOrder>;

export const OrderSummary = Order.pick({
  id: true,
  number: true,
  status: true,
  created_at: true,
  buyer_email: true,
  quote_id: true,
  cancel_request: true,
  next: true,
})
  .extend({
    contents: z.string().describe('Bags and beans: "2 × Kenya Nyeri".'),
    total_minor: Minor,
    total_display: Display,
    payment_status: Payment.shape.status,
    shipment_lines: z
      .array(z.string())
      .describe('One line for each of the first: "Ada Lovelace, Austin TX: SHIPPED, USPS 9405".'),
    days_late: z.int().optional(),
  })
  .meta({ id: "OrderSummary" });

export type OrderSummary = z.infer<typeof OrderSummary>;

export const OrderList = answer({
  orders: z.array(z.union([Order, OrderSummary])).describe("OrderSummary for view=summary."),
  next_before: Time.nullable(),
  next: NextSteps.optional(),
}).meta({ id: "OrderList" });

export type OrderList = z.infer<typeof OrderList>;

export const OrderEvent = answer({
  id: z.string(),
  sequence: z.int().describe("1, 2, 3 … per order, without gaps."),
  type: z.string().describe('Such as "order.confirmed"; tolerate new types.'),
  occurred_at: Time,
  order_status: open(ORDER_STATUSES, "The order's status with this event."),
  data: z.looseObject({}),
});

export type OrderEvent = z.infer<typeof OrderEvent>;

export const OrderEvents = answer({
  order_id: z.string(),
  events: z.array(OrderEvent),
  next_after: z.int().describe("Send it as `after` next time."),
  has_more: z.boolean(),
  note: z.string().optional().describe("If `after` was beyond the last event."),
}).meta({ id: "OrderEvents" });

export type OrderEvents = z.infer<typeof OrderEvents>;
