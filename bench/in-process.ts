import { randomUUID } from "node:crypto";
import { bearerKey, parseJsonBody } from "../src/api/http-request.ts";
import { perform } from "../src/api/perform.ts";
import type { RunningService } from "../src/app/serve.ts";
import { namedAnswer } from "../src/core/next-step.ts";
import { sha256 } from "../src/core/sha256.ts";
import { requestQuote } from "../tools/request-quote.ts";
import { keepAsking } from "./in-flight.ts";
import type { Stretch } from "./messages.ts";
import { quoteTarget } from "./quote-target.ts";
import { type InProcess, REQUEST } from "./variants.ts";

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

/**
 * The same by the operation, as HTTP calls it: the request is read from a text and held to its schema,
 * the key is looked up, the answer becomes a text.
 */
async function operator({ baseUrl, service }: RunningService) {
  const { headers } = await quoteTarget(baseUrl);
  const apiKey = bearerKey(headers.authorization);
  const text = JSON.stringify(REQUEST);
  return async () => {
    const idempotencyKey = randomUUID();
    const input = parseJsonBody(text.replace("[<id>]", idempotencyKey));
    const request = { input, credentials: { apiKey, idempotencyKey }, address: "127.0.0.1" };
    const { body } = await perform(requestQuote, request, service);
    return JSON.stringify(namedAnswer(body, "endpoints"));
  };
}

/** Quotes without HTTP. Everybody who asks is answered at once, so that a commit has one of each. */
export async function runInProcess(
  served: RunningService,
  { what, ...load }: { what: InProcess; seconds: number; connections: number },
): Promise<Stretch> {
  const quote = what === "verb" ? await quoter(served) : await operator(served);
  return keepAsking(load, () => quote(REQUEST).then(() => true));
}
