/** Honest buyers in a play. */
import { form } from "../../support/purchase.ts";
import { type Answer, eventually, quoteRequest, VISA } from "../../support/shopper.ts";
import { type Stage, stranger } from "../stage.ts";

export type Ready = Awaited<ReturnType<typeof ready>>;

/** A quote with its review link, of a key and an address of its own unless one is given. */
export async function ready(
  { ask, key }: Stage,
  wanted: Parameters<typeof quoteRequest>[0],
  own?: { address: string; key: string },
) {
  const address = own?.address ?? stranger();
  const by = { key: own?.key ?? (await key(address)) };
  const quote = await ask(address, "/v1/quote-requests", { ...by, body: quoteRequest(wanted) });
  const { id, quote_hash } = quote.body;
  const path = `/v1/quotes/${id}/checkout`;
  const checkout = await ask(address, path, { ...by, body: { quote_hash } });
  return { address, ...by, id, reviewUrl: checkout.body.review_url as string };
}

export const press = ({ ask }: Stage, { address, reviewUrl }: Ready, from = address) =>
  ask(from, reviewUrl, form({}));

/** Pays on the page that pressing pay led to, and waits for the order. */
export async function paidAt(
  { ask }: Stage,
  { address, key, id }: Ready,
  pressed: Answer,
  card = VISA,
) {
  await ask(address, `${pressed.headers.get("location")}/pay`, form({ card }));
  return eventually(async () => {
    const answer = await ask(address, `/v1/quotes/${id}/order`, { key });
    return answer.status === 200 && answer.body;
  });
}

export async function bought(stage: Stage, wanted: Parameters<typeof quoteRequest>[0]) {
  const buying = await ready(stage, wanted);
  return { ...buying, order: await paidAt(stage, buying, await press(stage, buying)) };
}
