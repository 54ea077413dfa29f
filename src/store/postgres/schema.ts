import { tables } from "../tables.ts";
import { postgresKit } from "./kit.ts";

/** One by one, because drizzle-kit looks for tables among a file's exports. */
export const {
  agents,
  attempts,
  beans,
  audit,
  outbox,
  cancel_requests,
  customers,
  desk_tasks,
  disputes,
  events,
  feedback,
  finder_credits,
  finder_keys,
  idempotency,
  incidents,
  leads,
  orders,
  order_notes,
  quotes,
  quote_states,
  refunds,
  sandbox,
  settings,
  shipments,
  stock,
  waitlist,
  webhooks,
} = tables(postgresKit);
