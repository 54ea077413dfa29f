import { z } from "zod";
import {
  answer,
  Display,
  Email,
  Item,
  Minor,
  NextSteps,
  OutAddress,
  open,
  Pricing,
  Time,
} from "./answers.ts";

/** What orders look like; see shapes.ts. */
export const CancelRequest = answer({
  id: z.string(),
  order_id: z.string(),
  status: open(["REQUESTED", "ACCEPTED", "DECLINED"], "The seller decides."),
}).meta({ id: "CancelRequest" });

const Shipment = answer({
  id: z.string(),
  recipient_ref: z.string(),
  status: open(
    [
      "PENDING",
      "ROASTING",
      "SHIPPED",
      "IN_TRANSIT",
      "OUT_FOR_DELIVERY",
      "DELIVERED",
      "FAILED",
      "RETURNED",
      "CANCELED",
    ],
    "Where the parcel is.",
  ),
  tracking: answer({
    carrier: z.string(),
    number: z.string(),
    url: z.string().nullable(),
  }).nullable(),
  address: OutAddress,
  items: z.array(Item),
  gift_notes: z.array(z.string()),
  shipped_at: Time.nullable(),
  delivered_at: Time.nullable(),
}).meta({ id: "Shipment" });

const ORDER_STATUSES = [
  "CONFIRMED",
  "ROASTING",
  "PARTIALLY_SHIPPED",
  "SHIPPED",
  "COMPLETED",
  "CANCELED",
] as const;

export const Order = answer({
  id: z.string(),
  quote_id: z.string().optional(),
  quote_hash: z.string(),
  buyer_email: Email,
  status: open(ORDER_STATUSES, "Where the order stands."),
  created_at: Time,
  items: z.array(
    answer({
      product_id: z.string(),
      name: z.string(),
      quantity: z.int(),
      unit_price_minor: Minor,
    }),
  ),
  currency: z.string(),
  pricing: Pricing,
  payment: answer({
    status: open(["PAID", "DISPUTED", "REFUNDED"], "By the provider's word."),
    method: z.string(),
    amount_minor: Minor,
    refunded_minor: Minor,
    currency: z.string(),
    paid_at: Time,
    mode: z.string().describe('"sandbox" and "test" move no money.'),
  }),
  shipments: z.array(Shipment),
  estimated_delivery: answer({ earliest: z.string(), latest: z.string() }),
  cancel_request: CancelRequest.optional(),
  total_minor: Minor,
  total_display: Display,
  next: NextSteps,
}).meta({ id: "Order" });

export const OrderList = answer({ orders: z.array(Order), next_before: Time.nullable() }).meta({
  id: "OrderList",
});

export const OrderEvents = answer({
  order_id: z.string(),
  events: z.array(
    answer({
      id: z.string(),
      sequence: z.int().describe("1, 2, 3 … per order, without gaps."),
      type: z.string().describe('Such as "order.confirmed"; tolerate new types.'),
      occurred_at: Time,
      order_status: open(ORDER_STATUSES, "The order's status with this event."),
      data: z.looseObject({}),
    }),
  ),
  next_after: z.int().describe("Send it as `after` next time."),
  has_more: z.boolean(),
}).meta({ id: "OrderEvents" });
