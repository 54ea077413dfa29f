import { askAgain } from "./ask-again.ts";
import { quoteTarget } from "./quote-target.ts";
import { end, memoryMb, toReady, WAYS } from "./start-process.ts";

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
  try {
    const target = await quoteTarget(`http://127.0.0.1:${env.PORT}`);
    const read: Memory[] = [];
    const amount = Math.ceil((quotes * 1.5) / STEPS);
    for (let step = 1; step <= STEPS; step++) {
      const { "2xx": done } = await askAgain(target, { connections: CONNECTIONS, amount });
      if (done < amount) throw new Error(`only ${done} of ${amount} quotes were made`);
      read.push({ quotes: step * amount, mb: memoryMb(child.pid) });
    }
    return read;
  } finally {
    await end(child);
  }
}
