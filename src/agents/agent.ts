import { z } from "zod";
import { answer, EmailAddress, NextSteps, Time } from "../core/answer.ts";
import { audited, type MerchantAct } from "../core/audit.ts";
import { insert, lock, once, type Rule, update, writeRule } from "../core/command.ts";
import { MerchantError, refusal, unknownTo } from "../core/errors.ts";
import type { AgentId } from "../core/ids.ts";
import { step } from "../core/next-step.ts";
import { TIMES } from "../core/policy.ts";
import type { AgentRow } from "../core/records.ts";

export const Registration = answer({
  agent_id: z.string(),
  api_key: z.string().describe("Shown only this once."),
  api_key_prefix: z.string(),
  name: z.string(),
  contact_email: EmailAddress,
  created_at: Time,
  rate_limits: z.record(z.string(), z.string()),
  links: z.record(z.string(), z.string()).optional().describe("For HTTP clients."),
  warning: z.string(),
  next: NextSteps,
}).meta({ id: "Registration" });

export type Registration = z.infer<typeof Registration>;

/** Stores the key's hash. Only the response has the key itself (contract §8). */
export const registerAgent = once(
  {
    reads: () => [],
    decide: ({ agent }: { agent: AgentRow }) => ({
      reply: { agent_id: agent.id },
      writes: [insert("agents", agent)],
    }),
  },
  ["agent_id"],
);

/** Marks a key as used, because unused keys are deleted (contract §14). */
export const markUsed = writeRule<{ now: number; agentId: AgentId }>({
  reads: (c) => [lock("agents", { id: c.agentId })],
  writes: (c, { agents: [agent] }) =>
    agent?.first_used_at === 0
      ? [update("agents", { id: agent.id }, { first_used_at: c.now })]
      : [],
});

/** Rules call it as well, so that a key revoked during a request starts nothing new. */
export function refuseRevoked(agent: AgentRow | undefined): void {
  if (agent && agent.revoked_at !== null) {
    const why =
      "Find the contact address, if the shop has one. Orders and their buyers' pages go on.";
    throw refusal("KEY_REVOKED", "The merchant has revoked this key.", step("get_policy", why));
  }
}

/** The registration may be repeated for a new key: nobody has used this one. */
export const mayBeLost = (agent: AgentRow | undefined, now: number): agent is AgentRow =>
  agent !== undefined &&
  agent.revoked_at === null &&
  agent.first_used_at === 0 &&
  now - agent.created_at <= TIMES.lost_registration_ms;

export const keyAlreadyIssued = (): MerchantError =>
  new MerchantError(
    "API_KEY_ALREADY_ISSUED",
    "This registration has been answered, and a key is shown only once. " +
      "Register again with a new idempotency key if the key was lost.",
  );

interface ReplaceLostKey {
  now: number;
  agentId: AgentId;
  /** The new key. The first one stops working. */
  key: Pick<AgentRow, "key_hash" | "key_prefix">;
}

/**
 * Replaces the key of a registration whose response was lost. A used key proves that the response arrived,
 * so a repeated registration may come from a stranger at the same address.
 */
export const replaceLostKey: Rule<ReplaceLostKey, AgentRow> = {
  reads: (c) => [lock("agents", { id: c.agentId })],
  decide(c, s) {
    const agent = s.agents[0];
    if (!mayBeLost(agent, c.now)) throw keyAlreadyIssued();
    return { reply: { ...agent, ...c.key }, writes: [update("agents", { id: agent.id }, c.key)] };
  },
};

/** Revokes a key for the merchant. Its finder keys and unpaid quotes end at once (contract §8). */
export const revokeAgent: Rule<MerchantAct & { agentId: AgentId }, AgentRow> = {
  reads: (c) => [lock("agents", { id: c.agentId }), lock("finder_keys", { agent_id: c.agentId })],
  decide(c, s) {
    const agent = s.agents[0];
    if (!agent) throw unknownTo("agent");
    if (agent.revoked_at !== null) return { reply: agent, writes: [] };
    const revoked_at = c.now;
    return {
      reply: { ...agent, revoked_at },
      writes: [
        update("agents", { id: agent.id }, { revoked_at }),
        ...s.finder_keys
          .filter((key) => key.revoked_at === null)
          .map(({ key_hash }) => update("finder_keys", { key_hash }, { revoked_at })),
        audited(c, "keys.revoke", agent.id),
      ],
    };
  },
};
