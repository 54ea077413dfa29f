import { and, eq, sql } from "drizzle-orm";
import type { Intent } from "../../core/command.ts";
import type { Reads } from "./database.ts";

export function agentQueries({ t, preparedRows, one }: Reads) {
  const { scope, key_hash } = t.idempotency;
  const answered = preparedRows("answered", t.idempotency, {
    where: and(eq(scope, sql.placeholder("scope")), eq(key_hash, sql.placeholder("keyHash"))),
    limit: 1,
  });
  const setting = one(t.settings, t.settings.name);
  return {
    agentByKeyHash: one(t.agents, t.agents.key_hash),
    agent: one(t.agents, t.agents.id),
    customer: one(t.customers, t.customers.email),
    setting: async (name: string) => (await setting(name))?.value,
    /** When the answer to this intent is forgotten; undefined where none was given. */
    answeredUntil: async ({ scope, keyHash }: Pick<Intent, "scope" | "keyHash">) =>
      (await answered({ scope, keyHash }))[0]?.expires_at,
  };
}
