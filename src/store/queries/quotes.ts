import { eq, inArray, sql } from "drizzle-orm";
import { first, prepared, type QueryDatabase, type QueryTables } from "./database.ts";

export function quoteQueries(db: QueryDatabase, t: QueryTables) {
  const quotes = () =>
    db
      .select({ quote: t.quotes, state: t.quote_states, revoked_at: t.agents.revoked_at })
      .from(t.quotes)
      .innerJoin(t.quote_states, eq(t.quote_states.quote_id, t.quotes.id))
      .leftJoin(t.agents, eq(t.agents.id, t.quotes.agent_id));
  const byId = prepared(
    "quote",
    quotes()
      .where(eq(t.quotes.id, sql.placeholder("id")))
      .limit(1),
  );
  const byReview = prepared(
    "quote_by_review",
    quotes()
      .where(eq(t.quotes.review_token_hash, sql.placeholder("hash")))
      .limit(1),
  );
  return {
    quote: async (id: string) => first(await byId({ id })),
    quoteByReviewToken: async (hash: string) => first(await byReview({ hash })),
    quotesByIds: (ids: string[]) =>
      ids.length === 0
        ? Promise.resolve([])
        : db.select().from(t.quotes).where(inArray(t.quotes.id, ids)),
  };
}
