/** A review link names its quote, and proves that it was given out (contract §5). */
import { describe, expect, it } from "vitest";
import { update } from "../../src/core/command.ts";
import { write } from "../db/rules.ts";
import { intent, newAgent, openShop, quoteFor } from "../support/shop.ts";
import { openUsual } from "../support/stores.ts";

async function linkedQuote() {
  const shop = await openShop((await openUsual()).store);
  const agentId = await newAgent(shop);
  const { id } = await quoteFor(shop, { agentId, email: "b@example.com" });
  const token = new URL(shop.merchant.quotes.reviewUrl(id)).pathname.split("/").at(-1)!;
  const opened = async (token: string) => (await shop.merchant.reviews.open(token)).quote.id;
  return { ...shop, agentId, id, token, opened };
}

describe("a review link", () => {
  it("opens its quote, and is always the same for a quote", async () => {
    const { merchant, id, token, opened } = await linkedQuote();
    expect(await opened(token)).toBe(id);
    expect(merchant.quotes.reviewUrl(id)).toBe(`https://coffee.test/review/${token}`);
  });

  it("can be requested again after an update, with a message for the buyer", async () => {
    const { store, merchant, id, agentId } = await linkedQuote();
    const { quote_hash } = await merchant.quotes.get(id, agentId);
    const asked = intent();
    const ask = () => {
      const asker = { agentId, finderKey: null };
      return merchant.quotes.checkout({ quote_id: id, quote_hash }, asker, asked);
    };
    const { body } = await ask();
    const key = { scope: asked.scope, key_hash: asked.keyHash };
    const older = { reply: JSON.stringify({ quote_id: id }) };
    await store.run(write, [update("idempotency", key, older)]);
    expect(await ask()).toEqual({ body, replayed: true });
  });

  it("that was guessed does not reveal whether a quote exists", async () => {
    const { id, token, opened } = await linkedQuote();
    const [, proof = ""] = token.split(".");
    const guessed = [id, `${id}.`, `${id}.${"A".repeat(proof.length)}`, `qte_none.${proof}`, ""];
    const refusals = await Promise.all(guessed.map((one) => opened(one).catch((error) => error)));
    for (const refusal of refusals) expect(refusal).toEqual(refusals.at(-1));
    expect(refusals.at(-1)).toMatchObject({ code: "NOT_FOUND" });
  });
});
