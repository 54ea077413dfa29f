import type { Operation } from "../src/api/operation.ts";
import { ask } from "./ask.ts";
import { buildQuickCheckoutLink } from "./build-quick-checkout-link.ts";
import { createCheckout } from "./create-checkout.ts";
import { getCatalog } from "./get-catalog.ts";
import { getLinkOrder } from "./get-link-order.ts";
import { getOrder } from "./get-order.ts";
import { getPolicy } from "./get-policy.ts";
import { getQuote } from "./get-quote.ts";
import { getQuoteOrder } from "./get-quote-order.ts";
import { getWaitlistEntry } from "./get-waitlist-entry.ts";
import { joinWaitlist } from "./join-waitlist.ts";
import { leaveWaitlist } from "./leave-waitlist.ts";
import { listOrderEvents } from "./list-order-events.ts";
import { listOrders } from "./list-orders.ts";
import { registerAgent } from "./register-agent.ts";
import { requestCancellation } from "./request-cancellation.ts";
import { requestQuote } from "./request-quote.ts";
import { sendBulkLead } from "./send-bulk-lead.ts";
import { sendFeedback } from "./send-feedback.ts";
import { withdrawCancellation } from "./withdraw-cancellation.ts";

/** All operations in the order of a purchase. Tools, routes and documents are made from them. */
export const operations: readonly Operation[] = [
  registerAgent,
  getCatalog,
  getPolicy,
  ask,
  requestQuote,
  getQuote,
  createCheckout,
  getQuoteOrder,
  listOrders,
  getOrder,
  listOrderEvents,
  requestCancellation,
  withdrawCancellation,
  joinWaitlist,
  getWaitlistEntry,
  leaveWaitlist,
  sendFeedback,
  sendBulkLead,
  buildQuickCheckoutLink,
  getLinkOrder,
];
