import { z } from "zod";
import { agentRead } from "../src/api/operation.ts";
import { Email } from "../src/core/email.ts";
import { atMost, text } from "../src/core/fields.ts";
import { OrderList } from "../src/orders/order-answer.ts";

const NO_TIME = "Send an ISO 8601 time with its zone, such as 2026-01-31T09:30:00.000Z.";

export const listOrders = agentRead({
  name: "list_orders",
  title: "List orders",
  description:
    "Orders of this key, newest first. view=summary is shorter; get_order has everything. For more, " +
    "pass next_before as before until it is null.",
  tag: "Orders",
  http: { method: "GET", path: "/v1/orders", status: 200 },
  input: z.strictObject({
    buyer_email: Email.optional().describe("Only orders of this buyer."),
    limit: atMost({ least: 1, most: 100 }).default(50),
    before: text({ what: "before", most: 40, rules: [(value) => (isTime(value) ? null : NO_TIME)] })
      .optional()
      .describe("ISO 8601 time; only older orders."),
    view: z.enum(["full", "summary"]).default("full"),
  }),
  output: OrderList,
  run: ({ input, agent }, { orders }) => orders.list(agent.id, input),
});

function isTime(value: string): boolean {
  const shape = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;
  if (!shape.test(value) || Number.isNaN(Date.parse(value))) return false;
  // JavaScript reads February 30 as March 2.
  const day = value.slice(0, 10);
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}
