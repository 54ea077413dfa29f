import type { Operation } from "../src/operation.ts";
import { createCheckout } from "./create-checkout.ts";
import { getCatalog } from "./get-catalog.ts";
import { getOrder } from "./get-order.ts";
import { getQuote } from "./get-quote.ts";
import { getQuoteOrder } from "./get-quote-order.ts";
import { listOrderEvents } from "./list-order-events.ts";
import { listOrders } from "./list-orders.ts";
import { registerAgent } from "./register-agent.ts";
import { requestQuote } from "./request-quote.ts";

/** Everything an agent can do, in the order of a purchase: tools, routes and documents are made of it. */
export const operations: readonly Operation[] = [
  registerAgent,
  getCatalog,
  requestQuote,
  getQuote,
  createCheckout,
  getQuoteOrder,
  listOrders,
  getOrder,
  listOrderEvents,
];
