import type { CatalogContext } from "../catalog/live-catalog.ts";
import type { Intent } from "../core/command.ts";
import { refusal } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { isWholeKey, newId, newKey } from "../core/ids.ts";
import { lostOrder, step } from "../core/next-step.ts";
import { iso } from "../core/policy.ts";
import { PURCHASE_LIMITS, publishedLimits } from "../core/rate-limits.ts";
import type { AgentRow } from "../core/records.ts";
import {
  keyAlreadyIssued,
  markUsed,
  mayBeLost,
  type Registration,
  refuseRevoked,
  registerAgent,
  replaceLostKey,
} from "./agent.ts";

export function agentVerbs(context: CatalogContext) {
  const { store, clock, log } = context;
  return {
    async register(input: Pick<AgentRow, "name" | "contact_email">, intent: Intent) {
      const now = clock();
      const key = newKey("cma_");
      const agent: AgentRow = {
        id: newId("agt", now),
        ...input,
        key_hash: sha256(key),
        key_prefix: key.slice(0, 12),
        created_at: now,
        revoked_at: null,
        last_order_at: 0,
        first_used_at: 0,
      };
      const done = await store.run(registerAgent, { now, intent, agent });
      if (!done.replayed) return { body: registration(agent, key, context), replayed: false };
      const first = await store.queries.agent(done.kept.agent_id);
      if (!mayBeLost(first, now)) throw keyAlreadyIssued();
      const { key_hash, key_prefix } = agent;
      const renewed = { now, agentId: first.id, key: { key_hash, key_prefix } };
      const known = await store.run(replaceLostKey, renewed);
      const body = registration(known, key, context);
      return { body: { ...body, warning: `${REPLACED} ${body.warning}` }, replayed: true };
    },

    /** The agent behind a key. The database finds it by the key's hash, so no comparison depends on a secret. */
    async authenticate(key: string): Promise<AgentRow> {
      // The checksum is read only for the words of a refusal: a hash costs as much as this search.
      const agent = await store.queries.agentByKeyHash(sha256(key));
      if (!agent) throw unknownKey(key, context.baseUrl);
      refuseRevoked(agent);
      if (agent.first_used_at === 0) {
        const used = { now: clock(), agentId: agent.id };
        // On a full disk the key still reads what it has.
        await store
          .run(markUsed, used)
          .catch((error) => log.warn({ error }, "key not marked as used"));
      }
      return agent;
    },
  };
}

const REPLACED =
  "This key replaces the one in the first answer to this registration, which no longer works.";

function unknownKey(key: string, baseUrl: string) {
  const lost = step("register_agent", "Register to get a key; it is free.");
  if (isWholeKey("cma_", key)) {
    return refusal("UNAUTHENTICATED", "This key is not known here.", lost, ...lostOrder(baseUrl));
  }
  return refusal(
    "UNAUTHENTICATED",
    "This is not a complete key: a key is cma_ and 49 letters and digits. Copy it again from where it was " +
      "saved. Register only if it is lost, because orders stay with their key.",
    { ...lost, why: `Only if the key is lost. ${lost.why}` },
    ...lostOrder(baseUrl),
  );
}

const registration = (
  agent: AgentRow,
  key: string,
  { baseUrl, rateLimits }: Pick<CatalogContext, "baseUrl" | "rateLimits">,
): Registration => ({
  agent_id: agent.id,
  api_key: key,
  api_key_prefix: agent.key_prefix,
  name: agent.name,
  contact_email: agent.contact_email,
  created_at: iso(agent.created_at),
  rate_limits: publishedLimits(rateLimits, PURCHASE_LIMITS),
  links: { agent_info: `${baseUrl}/agent-info`, openapi: `${baseUrl}/openapi.json` },
  warning:
    "Save api_key now: it can't be read again. Over HTTP send it as Authorization: Bearer <API_KEY>.",
  next: [step("request_quote", "Get an exact price; product_id is in the catalog.")],
});
