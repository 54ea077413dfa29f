import { setTimeout as delay } from "node:timers/promises";
import { form } from "../test/support/purchase.ts";
import { type Answer, quoteRequest, send, VISA } from "../test/support/shopper.ts";
import { answerParent } from "./measure.ts";

/** Buyers of one bag each. Every step of a buyer goes to the next instance. */
export interface Buy {
  urls: string[];
  key: string;
  productId: string;
  /** Makes emails and addresses unique. */
  run: string;
  connections: number;
  /** Every buyer presses *Pay* before the first one pays. */
  together: boolean;
  /** Stops after this many buyers, or else after these seconds. */
  buyers?: number;
  seconds?: number;
}

export interface Bought {
  /** Buyers who reached the payment page. */
  pressed: number;
  ordered: number;
  /** From the first quote, or from the first payment if they pay together. */
  seconds: number;
  /** HTTP answers of 500 and more. */
  failed: number;
}

/** Rare enough that the questions cost little beside the purchase. */
const LOOK_MS = 200;
const LOOKING_MS = 20_000;

interface Ready {
  buyer: number;
  quoteId: string;
  /** Path of the payment page. */
  hosted: string;
}

// The buyers run in their own process, so that their CPU time is not counted as the server's.
answerParent(async (buy: Buy): Promise<Bought> => {
  const { urls, key, buyers = Number.POSITIVE_INFINITY, seconds = Number.POSITIVE_INFINITY } = buy;
  let failed = 0;
  const ask: typeof send = async (...call) => {
    const answer = await send(...call);
    if (answer.status >= 500) failed++;
    return answer;
  };
  const instance = (buyer: number, step: number) => urls[(buyer + step) % urls.length]!;

  async function press(buyer: number): Promise<Ready> {
    const body = quoteRequest({
      email: `buyer-${buy.run}-${buyer}@example.com`,
      line1: `${buyer} ${buy.run} Street`,
      product_id: buy.productId,
    });
    const quoted = await ask(instance(buyer, 0), "/v1/quote-requests", { key, body });
    const quote = expected(201, quoted).body;
    const checkout = await ask(instance(buyer, 1), `/v1/quotes/${quote.id}/checkout`, {
      key,
      body: { quote_hash: quote.quote_hash },
    });
    const review = new URL(expected(200, checkout).body.review_url).pathname;
    const pressed = await ask(instance(buyer, 2), review, form({}));
    const hosted = new URL(expected(303, pressed).headers.get("location")!).pathname;
    return { buyer, quoteId: quote.id, hosted };
  }

  /** Whether it came to an order. */
  async function pay({ buyer, quoteId, hosted }: Ready): Promise<boolean> {
    await ask(instance(buyer, 3), `${hosted}/pay`, form({ card: VISA }));
    // A buyer's agent asks until it knows: an order, or a payment that was released.
    for (const end = performance.now() + LOOKING_MS; performance.now() < end; ) {
      const order = await ask(instance(buyer, 4), `/v1/quotes/${quoteId}/order`, { key });
      if (order.status === 200) return true;
      if (buy.together) {
        const { body } = await ask(instance(buyer, 4), `/v1/quotes/${quoteId}`, { key });
        if (["INVALIDATED", "CHECKOUT_READY"].includes(body.status)) return false;
      }
      await delay(LOOK_MS);
    }
    return false;
  }

  /** Runs `act` for every buyer, as many at once as there are connections. */
  async function each<T>(act: (buyer: number) => Promise<T>): Promise<T[]> {
    const done: T[] = [];
    let next = 0;
    const end = performance.now() + 1000 * seconds;
    const one = async () => {
      while (next < buyers && performance.now() < end) done.push(await act(next++));
    };
    await Promise.all(Array.from({ length: buy.connections }, one));
    return done;
  }

  let began = performance.now();
  let outcomes: boolean[];
  if (buy.together) {
    const ready = await each(press);
    began = performance.now();
    outcomes = await each((buyer) => pay(ready[buyer]!));
  } else {
    outcomes = await each(async (buyer) => pay(await press(buyer)));
  }
  return {
    pressed: outcomes.length,
    ordered: outcomes.filter(Boolean).length,
    seconds: (performance.now() - began) / 1000,
    failed,
  };
});

function expected(status: number, answer: Answer): Answer {
  if (answer.status === status) return answer;
  throw new Error(`Status ${answer.status} instead of ${status}: ${answer.text.slice(0, 500)}`);
}
