import type { Operation } from "../src/api/operation.ts";
import { registerAgent } from "./agents.ts";
import { buildQuickCheckoutLink, getLinkOrder } from "./checkouts.ts";
import { ask, getCatalog, getPolicy } from "./information.ts";
import { sendBulkLead, sendFeedback } from "./messages.ts";
import {
  getOrder,
  listOrderEvents,
  listOrders,
  requestCancellation,
  withdrawCancellation,
} from "./orders.ts";
import { createCheckout, getQuote, getQuoteOrder, requestQuote } from "./quotes.ts";
import { getWaitlistEntry, joinWaitlist, leaveWaitlist } from "./waitlist.ts";

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
