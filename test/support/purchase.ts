import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CATALOG_FILE } from "./catalog.ts";
import { eventually, payAsBuyer, quoteRequest, register, send } from "./shopper.ts";

/** An unused email, so that tests on one service do not affect each other. */
export const newEmail = (): string => `buyer-${randomUUID()}@example.com`;

type QuoteChange = NonNullable<Parameters<typeof quoteRequest>[0]>;

/** Creates a quote and its review link, with a new key by default. */
export async function readyQuote(baseUrl: string, wanted: QuoteChange = {}, agent?: string) {
  const key = agent ?? (await register(baseUrl));
  const body = quoteRequest({ email: newEmail(), ...wanted });
  const quote = (await send(baseUrl, "/v1/quote-requests", { key, body })).body;
  const checkout = await send(baseUrl, `/v1/quotes/${quote.id}/checkout`, {
    key,
    body: { quote_hash: quote.quote_hash },
  });
  return { key, quote, reviewUrl: checkout.body.review_url as string };
}

/** Waits for the order of a quote, which the webhook creates. */
export const orderOf = (baseUrl: string, key: string, quoteId: string) =>
  eventually(async () => {
    const answer = await send(baseUrl, `/v1/quotes/${quoteId}/order`, { key });
    return answer.status === 200 && answer.body;
  });

/** Quotes, pays and waits for the order. */
export async function purchase(baseUrl: string, wanted: QuoteChange = {}, agent?: string) {
  const ready = await readyQuote(baseUrl, wanted, agent);
  await payAsBuyer(baseUrl, ready.reviewUrl);
  return { ...ready, order: await orderOf(baseUrl, ready.key, ready.quote.id) };
}

/** Fields of a form; pairs if a name repeats. */
export type FormFields = Record<string, string> | [string, string][];

/** Options that send a form like a browser. */
export const form = (fields: FormFields) => ({
  method: "POST",
  raw: new URLSearchParams(fields).toString(),
  headers: { "content-type": "application/x-www-form-urlencoded" },
  idempotencyKey: null,
});

/** Writes the tests' catalog with these opening stocks, and returns its path. */
export async function catalogWith(folder: string, stock: Record<string, number>): Promise<string> {
  const catalog = JSON.parse(await readFile(CATALOG_FILE, "utf8"));
  for (const product of catalog.products) {
    product.opening_stock = stock[product.product_id] ?? product.opening_stock;
  }
  const file = join(folder, "catalog.json");
  await writeFile(file, JSON.stringify(catalog));
  return file;
}
