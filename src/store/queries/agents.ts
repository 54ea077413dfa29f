import { and, eq, sql } from "drizzle-orm";
import type { Intent } from "../../domain/shared/command.ts";
import { first, prepared, type QueryDatabase, type QueryTables } from "./database.ts";

export function agentQueries(db: QueryDatabase, t: QueryTables) {
  const hash = sql.placeholder("hash");
  const id = sql.placeholder("id");
  const byKeyHash = prepared(
    "agent_by_key_hash",
    db.select().from(t.agents).where(eq(t.agents.key_hash, hash)).limit(1),
  );
  const byId = prepared("agent", db.select().from(t.agents).where(eq(t.agents.id, id)).limit(1));
  const name = sql.placeholder("name");
  const setting = prepared(
    "setting",
    db.select().from(t.settings).where(eq(t.settings.name, name)).limit(1),
  );
  const { idempotency } = t;
  const answered = prepared(
    "answered",
    db
      .select({ expires_at: idempotency.expires_at })
      .from(idempotency)
      .where(
        and(
          eq(idempotency.scope, sql.placeholder("scope")),
          eq(idempotency.key_hash, sql.placeholder("keyHash")),
        ),
      )
      .limit(1),
  );
  return {
    agentByKeyHash: async (hash: string) => first(await byKeyHash({ hash })),
    agent: async (id: string) => first(await byId({ id })),
    customer: async (email: string) =>
      first(await db.select().from(t.customers).where(eq(t.customers.email, email)).limit(1)),
    setting: async (name: string) => first(await setting({ name }))?.value,
    finderCredits: (agentId: string) =>
      db.select().from(t.finder_credits).where(eq(t.finder_credits.agent_id, agentId)),
    finderKeys: (agentId: string) =>
      db.select().from(t.finder_keys).where(eq(t.finder_keys.agent_id, agentId)),
    /** When the answer to this intent is forgotten; undefined where none was given. */
    answeredUntil: async ({ scope, keyHash }: Pick<Intent, "scope" | "keyHash">) =>
      first(await answered({ scope, keyHash }))?.expires_at,
  };
}
