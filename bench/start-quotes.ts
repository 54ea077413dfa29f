import autocannon from "autocannon";
import { end, memoryMb, toReady, WAYS } from "./start-process.ts";
import { REQUEST } from "./variants.ts";

const CONNECTIONS = 32;
/** Memory is read this often on the way. */
const STEPS = 6;

export interface Memory {
  quotes: number;
  mb: number;
}

/** The built service, and what memory it has while it makes so many quotes and half as many again. */
export async function quotesOf(
  env: { PORT: string; [name: string]: string },
  quotes: number,
): Promise<Memory[]> {
  const { child } = await toReady([...WAYS.built, "start"], env);
  const url = `http://127.0.0.1:${env.PORT}`;
  try {
    const key = await register(url);
    const read: Memory[] = [];
    const amount = Math.ceil((quotes * 1.5) / STEPS);
    for (let step = 1; step <= STEPS; step++) {
      await ask(url, key, amount);
      read.push({ quotes: step * amount, mb: memoryMb(child.pid) });
    }
    return read;
  } finally {
    await end(child);
  }
}

async function register(url: string): Promise<string> {
  const answer = await fetch(`${url}/v1/agents/register`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": crypto.randomUUID() },
    body: JSON.stringify({ name: "Bench", contact_email: "bench@example.com" }),
  });
  return ((await answer.json()) as { api_key: string }).api_key;
}

async function ask(url: string, key: string, amount: number): Promise<void> {
  const { "2xx": done } = await autocannon({
    url: `${url}/v1/quote-requests`,
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${key}`,
      "idempotency-key": "[<id>]",
    },
    body: JSON.stringify(REQUEST),
    connections: CONNECTIONS,
    amount,
    idReplacement: true,
  });
  if (done < amount) throw new Error(`only ${done} of ${amount} quotes were made`);
}
