import { randomUUID } from "node:crypto";
import type { Target } from "./messages.ts";

/** Where quotes are asked for, and with whose key: a new agent's. */
export async function quoteTarget(baseUrl: string): Promise<Target> {
  const answer = await fetch(`${baseUrl}/v1/agents/register`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": randomUUID() },
    body: JSON.stringify({ name: "Bench", contact_email: "bench@example.com" }),
  });
  const { api_key } = (await answer.json()) as { api_key: string };
  return { url: `${baseUrl}/v1/quote-requests`, headers: { authorization: `Bearer ${api_key}` } };
}
