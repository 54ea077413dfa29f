import { randomUUID } from "node:crypto";
import { ADDRESS, type AnyJson, GOOD_CARD, type Scene } from "./story.ts";

/** A purchase by a language model over MCP: prints every word the model reads, and the total size. */
export async function buyAsModel({ story, web }: Scene): Promise<void> {
  let total = 0;
  let calls = 0;
  const bytes = (count: number) => `${count.toLocaleString("en-US")} bytes`;
  const sizeOf = (text: string): string => {
    const size = Buffer.byteLength(text);
    total += size;
    return bytes(size);
  };
  const call = async (name: string, args: object): Promise<AnyJson> => {
    calls += 1;
    const result = await web.rpc("tools/call", { name, arguments: args });
    const { text } = result.content[0];
    story.tell(`calls ${name} and reads ${sizeOf(text)}`, ...text.split("\n"));
    return result;
  };
  const succeed = async (name: string, args: object): Promise<AnyJson> => {
    const { isError, structuredContent } = await call(name, args);
    story.check(!isError, `${name} succeeds`);
    return structuredContent;
  };

  story.chapter("The model", "connects and lists the tools");
  const clientInfo = { name: "demo", version: "1.0.0" };
  const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const { instructions } = await web.rpc("initialize", hello);
  story.tell(`reads the instructions, ${sizeOf(instructions)}`, ...instructions.split("\n"));
  const { tools } = await web.rpc("tools/list");
  story.tell(`reads tools/list, ${tools.length} tools, ${sizeOf(JSON.stringify({ tools }))}`);

  story.chapter("The model", "buys");
  const { products } = await succeed("get_catalog", {});
  const agent = { name: "Demo model", contact_email: "agent@example.com" };
  const idempotency_key = randomUUID();
  const { api_key } = await succeed("register_agent", { ...agent, idempotency_key });
  const items = [{ product_id: products[0].product_id, quantity: 1 }];
  const order = {
    buyer: { email: "alex@example.com" },
    shipments: [{ recipient_ref: "home", address: { ...ADDRESS, region: "Texas" }, items }],
    api_key,
  };
  const { isError } = await call("request_quote", order);
  story.check(isError === true, "a request without its idempotency key is refused");
  const quote = await succeed("request_quote", { ...order, idempotency_key: randomUUID() });
  const { review_url } = await succeed("create_checkout", {
    quote_id: quote.id,
    quote_hash: quote.quote_hash,
    idempotency_key: randomUUID(),
    api_key,
  });
  story.tell(`has the buyer's review link after ${calls} calls, one of them a mistake`);

  story.chapter("The buyer", "pays while the model waits");
  const waiting = succeed("get_quote_order", { quote_id: quote.id, wait: 25, api_key });
  await web.submit(`${await web.submit(review_url)}/pay`, { card: GOOD_CARD });
  const { status } = await waiting;
  story.check(status === "CONFIRMED", "the payment confirms the order", status);
  story.tell(`In all the model has read ${bytes(total)}`);
}
