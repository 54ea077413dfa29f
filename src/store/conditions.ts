import { sql } from "drizzle-orm";

/** Of partial indexes. A query that says the same, word by word, uses the index. */
export const LIVE_ATTEMPT = sql`status in ('CREATING', 'OPEN', 'PROCESSING')`;
export const IN_QUEUE = sql`status in ('WAITING', 'OFFERED')`;
export const WAITING = sql`status = 'WAITING'`;
export const WAITLIST_ENDED = sql`status in ('LEFT', 'EXPIRED')`;
/** Quotes whose review links do not name them: an older version made them. */
export const NAMELESS_LINK = sql`review_token_hash <> ''`;
/** A customer of whom nothing is known. */
export const CUSTOMER_EMPTY = sql`paid_orders = 0 and courtesy is null`;
