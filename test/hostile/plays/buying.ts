/** What honest buyers do in a play. */
import { form } from "../../support/purchase.ts";
import { type Answer, eventually, quoteRequest } from "../../support/shopper.ts";
import { type Stage, stranger } from "../stage.ts";

export type Ready = Awaited<ReturnType<typeof ready>>;

/** A quote of somebody with a key of their own, and its review link. */
export async function ready({ ask, key }: Stage, wanted: Parameters<typeof quoteRequest>[0]) {
  const address = stranger();
  const own = await key(address);
  const quote = await ask(address, "/v1/quote-requests", { key: own, body: quoteRequest(wanted) });
  const { id, quote_hash } = quote.body;
  const path = `/v1/quotes/${id}/checkout`;
  const checkout = await ask(address, path, { key: own, body: { quote_hash } });
  return { address, key: own, id, reviewUrl: checkout.body.review_url as string };
}

/** Pays on the page that pressing pay led to, and waits for the order. */
export async function paidAt(
  { ask }: Stage,
  { address, key, id }: Ready,
  pressed: Answer,
  card = "4242424242424242",
) {
  await ask(address, `${pressed.headers.get("location")}/pay`, form({ card }));
  return eventually(async () => {
    const answer = await ask(address, `/v1/quotes/${id}/order`, { key });
    return answer.status === 200 && answer.body;
  });
}
