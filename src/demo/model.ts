import { randomUUID } from "node:crypto";
import { ADDRESS } from "./agent.ts";
import type { AnyJson, Scene } from "./scene.ts";

const bytesOf = (text: string): number => Buffer.byteLength(text);
const figure = (bytes: number): string => `${bytes.toLocaleString("en-US")} bytes`;

/**
 * A purchase as a language model makes it, over MCP and with nothing but what it is told there: every
 * word that it reads on the way, and what they come to.
 */
export async function buyAsModel({ story, web }: Scene): Promise<void> {
  let read = 0;
  let calls = 0;
  const hears = (text: string): string => {
    read += bytesOf(text);
    return figure(bytesOf(text));
  };

  story.chapter("The model", "connects, and is told what there is");
  const { instructions } = await web.rpc("initialize", HELLO);
  story.tell(`reads the instructions, ${hears(instructions)}`, ...instructions.split("\n"));
  const { tools } = await web.rpc("tools/list");
  story.check(tools.length > 0, "there are tools", tools.length);
  const listed = hears(JSON.stringify({ tools }));
  story.tell(`reads tools/list, ${tools.length} tools, ${listed}`);

  const call = async (name: string, args: AnyJson): Promise<AnyJson> => {
    calls += 1;
    const result = await web.rpc("tools/call", { name, arguments: args });
    const { text } = result.content[0];
    story.tell(`calls ${name}, and reads ${hears(text)}`, ...text.split("\n"));
    return result;
  };
  const answer = async (name: string, args: AnyJson = {}): Promise<AnyJson> => {
    const { isError, structuredContent } = await call(name, args);
    story.check(!isError, `${name} answers`);
    return structuredContent;
  };

  story.chapter("The model", "buys");
  const { products } = await answer("get_catalog");
  const { api_key } = await answer("register_agent", {
    name: "Demo model",
    contact_email: "agent@example.com",
    idempotency_key: randomUUID(),
  });
  const order = wish(products[0].product_id);
  const forgot = await call("request_quote", { ...order, api_key });
  story.check(forgot.isError === true, "a slip is refused");
  const quote = await answer("request_quote", {
    ...order,
    idempotency_key: randomUUID(),
    api_key,
  });
  const checkout = await answer("create_checkout", {
    quote_id: quote.id,
    quote_hash: quote.quote_hash,
    idempotency_key: randomUUID(),
    api_key,
  });
  story.tell(`has its buyer's link after ${calls} calls, one of them a slip`);

  story.chapter("The buyer", "pays, while the model waits");
  const ordered = answer("get_quote_order", { quote_id: quote.id, wait: 25, api_key });
  await web.form(`${await web.form(checkout.review_url)}/pay`, { card: "4242424242424242" });
  const { status } = await ordered;
  story.check(status === "CONFIRMED", "the order is there", status);
  story.tell(`In all the model has read ${figure(read)}`);
}

const wish = (product_id: string) => ({
  buyer: { email: "alex@example.com" },
  shipments: [
    {
      recipient_ref: "home",
      address: { ...ADDRESS, region: "Texas" },
      items: [{ product_id, quantity: 1 }],
    },
  ],
});

const HELLO = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "demo", version: "1.0.0" },
};
