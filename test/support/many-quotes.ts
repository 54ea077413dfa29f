import { insert, type Write } from "../../src/core/command.ts";
import { newId } from "../../src/core/ids.ts";
import { write } from "../db/rules.ts";
import { allRows } from "./all-rows.ts";
import { newAgent, quoteFor, type Shop } from "./shop.ts";

/** Rows per transaction. */
const AT_ONCE = 1000;

/** Stores this many quotes of a stranger under spellings of one mailbox, as copies of one quote. */
export async function strangersQuotes(shop: Shop, count: number): Promise<void> {
  const { store } = shop;
  const agentId = await newAgent(shop);
  const { id } = await quoteFor(shop, { agentId, email: "ada.lovelace@gmail.com" });
  const quote = (await allRows(store, "quotes")).find((row) => row.id === id)!;
  const state = (await allRows(store, "quote_states")).find((row) => row.quote_id === id)!;
  for (let made = 1; made < count; made += AT_ONCE) {
    const copies = Math.min(AT_ONCE, count - made);
    const writes = Array.from({ length: copies }, (_, i): Write[] => {
      const copy = newId("qte", quote.created_at);
      const email = `ada.lovelace+${made + i}@gmail.com`;
      const terms = quote.terms.replaceAll(quote.buyer_email, email);
      const own = { id: copy, buyer_email: email, terms };
      return [
        insert("quotes", { ...quote, ...own }),
        insert("quote_states", { ...state, quote_id: copy }),
      ];
    });
    await store.run(write, writes.flat());
  }
}
