import { randomUUID } from "node:crypto";
import { sha256 } from "../src/domain/shared/sha256.ts";
import type { RunningService } from "../src/server/serve.ts";
import { keepAsking } from "./in-flight.ts";
import type { Stretch } from "./messages.ts";
import { REQUEST } from "./variants.ts";

type Quote = typeof REQUEST;

/** Quotes by the verb, each for a buyer who never came before, by a new agent. */
export async function quoter({ service: { merchant } }: RunningService) {
  const intentOf = (scope: string) => {
    const hash = sha256(randomUUID());
    return { scope, keyHash: hash, requestHash: hash };
  };
  const input = { name: "Bench", contact_email: "bench@example.com" };
  const { agent_id: agentId } = (await merchant.agents.register(input, intentOf("bench"))).body;
  return async ({ shipments }: Pick<Quote, "shipments">) => {
    const request = { buyer: { email: `buyer-${randomUUID()}@example.com` }, shipments };
    const caller = { agentId, finderKey: null };
    return (await merchant.quotes.create(request, caller, intentOf(agentId))).body;
  };
}

/** The same quotes by the same verb, without HTTP: what the store and the rules can do at most. */
export async function runInProcess(
  served: RunningService,
  load: { seconds: number; connections: number },
): Promise<Stretch> {
  const quote = await quoter(served);
  return keepAsking(load, () => quote(REQUEST).then(() => true));
}
