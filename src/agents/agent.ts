import { z } from "zod";
import { answer, EmailAddress, NextSteps, Time } from "../core/answer.ts";
import { audited, type MerchantAct } from "../core/audit.ts";
import { insert, lock, once, type Rule, update, writeRule } from "../core/command.ts";
import { MerchantError, refusal, unknownTo } from "../core/errors.ts";
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

/** The key's hash is written; the key itself is only in this answer (contract §8). */
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

/** Keys that nobody uses are removed (contract §14). */
export const markUsed = writeRule<{ now: number; agentId: string }>({
  reads: (c) => [lock("agents", { id: c.agentId })],
  writes: (c, { agents: [agent] }) =>
    agent?.first_used_at === 0
      ? [update("agents", { id: agent.id }, { first_used_at: c.now })]
      : [],
});

/** Also where it was taken back after the key was looked at: then nothing new is begun with it. */
export function refuseRevoked(agent: AgentRow | undefined): void {
  if (agent && agent.revoked_at !== null) {
    const why =
      "Whom to write to, where the shop names somebody. Orders go on, and so do their buyers' pages.";
    throw refusal("KEY_REVOKED", "The merchant has revoked this key.", step("get_policy", why));
  }
}

/** Whether the answer to its registration can still be asked for again: nobody has used the key. */
export const mayBeLost = (agent: AgentRow | undefined, now: number): agent is AgentRow =>
  agent !== undefined &&
  agent.revoked_at === null &&
  agent.first_used_at === 0 &&
  now - agent.created_at <= TIMES.lost_registration_ms;

export const keyAlreadyIssued = (): MerchantError =>
  new MerchantError(
    "API_KEY_ALREADY_ISSUED",
    "This registration has been answered, and a key is shown only once. " +
      "Register again with a new {idempotency_key} if the key was lost.",
  );

interface ReplaceLostKey {
  now: number;
  agentId: string;
  /** Of the new key; the first one ends. */
  key: Pick<AgentRow, "key_hash" | "key_prefix">;
}

/**
 * Replaces the key of a registration whose answer was lost. Once somebody has used the key, its answer
 * arrived: then a repeated registration from the same address may be a stranger's.
 */
export const replaceLostKey: Rule<ReplaceLostKey, AgentRow> = {
  reads: (c) => [lock("agents", { id: c.agentId })],
  decide(c, s) {
    const agent = s.agents[0];
    if (!mayBeLost(agent, c.now)) throw keyAlreadyIssued();
    return { reply: { ...agent, ...c.key }, writes: [update("agents", { id: agent.id }, c.key)] };
  },
};

/** The merchant takes a key back: it and its finder keys stop at once, its unpaid quotes too (contract §8). */
export const revokeAgent: Rule<MerchantAct & { agentId: string }, AgentRow> = {
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
