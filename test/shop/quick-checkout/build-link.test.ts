import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { perform } from "../../../src/api/perform.ts";
import { MerchantError } from "../../../src/core/errors.ts";
import { GiftNote } from "../../../src/quotes/quote-request.ts";
import { buildQuickCheckoutLink } from "../../../tools/checkouts.ts";
import { HOUR, startService } from "../../support/service.ts";
import { eventually, payAsBuyer, register, send } from "../../support/shopper.ts";
import { submit } from "./checkout.ts";

const shop = await startService();
afterAll(() => shop.stop());

interface Built {
  checkout_url: string;
  gift_note?: string;
  items: { product_id: string; quantity: number }[];
  pricing: { total_minor: number; total_display: string };
  message_for_buyer: string;
}

/** The tool as an agent calls it, over any interface. */
async function build(input: unknown, apiKey?: string): Promise<Built> {
  const request = {
    input,
    credentials: { apiKey },
    address: "test",
    signal: AbortSignal.timeout(5000),
  };
  const { body } = await perform(
    buildQuickCheckoutLink as unknown as Parameters<typeof perform>[0],
    request as unknown as Parameters<typeof perform>[1],
    shop.service,
  );
  return body as Built;
}

const refusal = (input: unknown): Promise<string> =>
  build(input).then(
    () => "built",
    (error: unknown) => (error instanceof MerchantError ? error.code : String(error)),
  );

const item = fc.record({
  product_id: fc.constantFrom("kenya-nyeri", "peru-cajamarca-decaf", "rwanda-huye"),
  quantity: fc.integer({ min: 1, max: 100 }),
});
/** Characters with a meaning in a query, line breaks, and letters of every kind. */
const note = fc
  .array(
    fc.oneof(
      fc.constantFrom("&", "=", "#", "%", "+", "?", "/", "\n", " ", '"', "<", "%20", "é", "🫘"),
      fc.string({ unit: "grapheme", maxLength: 3 }),
    ),
    { minLength: 1, maxLength: 30 },
  )
  .map((parts) => parts.join(""))
  .filter((text) => GiftNote.safeParse(text).success);
const email = fc
  .stringMatching(/^[a-z0-9][a-z0-9+._%&=#'-]{0,20}$/)
  .map((name) => `${name}@example.com`);

describe("the link that the tool builds", () => {
  test("opens exactly the cart it was built from", async () => {
    const carts = fc.record(
      {
        items: fc.array(item, { minLength: 1, maxLength: 4 }),
        gift_note: note,
        buyer_email: email,
        discount_code: fc.constantFrom("FIRSTBAG", "firstbag", ""),
      },
      { requiredKeys: ["items"] },
    );
    await fc.assert(
      fc.asyncProperty(carts, async (cart) => {
        const bags = new Map<string, number>();
        for (const { product_id, quantity } of cart.items) {
          bags.set(product_id, (bags.get(product_id) ?? 0) + quantity);
        }
        fc.pre((bags.get("rwanda-huye") ?? 0) <= 40);
        fc.pre([...bags.values()].every((n) => n <= 100));
        fc.pre([...bags.values()].reduce((sum, n) => sum + n, 0) <= 250);
        const built = await build(cart);
        const got = built.items.map(({ product_id, quantity }) => [product_id, quantity]);
        expect(got).toEqual([...bags]);
        expect(built.gift_note).toBe(cart.gift_note && GiftNote.parse(cart.gift_note));
        const page = await send(shop.baseUrl, built.checkout_url);
        expect(typedInto(page.text, "email")).toBe(cart.buyer_email ?? "");
        expect(noteOf(page.text)).toBe(cart.gift_note && GiftNote.parse(cart.gift_note));
      }),
      { numRuns: 120 },
    );
  });

  test("is complete and clickable on its own line", async () => {
    const built = await build({ items: [{ product_id: "kenya-nyeri", quantity: 2 }] });
    expect(built.checkout_url).toMatch(/\/checkout\/chk_[\w-]{22}$/);
    expect(built.message_for_buyer.split("\n")).toContain(built.checkout_url);
    expect(built.message_for_buyer).toContain(built.pricing.total_display);
    // A new page asks for payment. What became of it is told once something did.
    const { message } = await shop.service.merchant.orders.ofLink(built.checkout_url);
    expect(built.message_for_buyer).not.toContain(message);
  });

  test("opens the same page for an agent that asks again within a day, also after payment", async () => {
    const key = await register(shop.baseUrl);
    const cart = { items: [{ product_id: "kenya-nyeri", quantity: 3 }], gift_note: "Again" };
    const first = await build(cart, key);
    expect((await build(cart, key)).checkout_url).toBe(first.checkout_url);
    expect((await build(cart)).checkout_url).not.toBe(first.checkout_url);
    const page = new URL(first.checkout_url).pathname;
    const { headers } = await submit(shop.baseUrl, page, {});
    await payAsBuyer(shop.baseUrl, headers.get("location")!);
    await eventually(async () => {
      const again = await build(cart, key);
      expect(again.checkout_url).toBe(first.checkout_url);
      return /^Paid: \$66\.00, order \d+/.test(again.message_for_buyer);
    });
    shop.clock.advance(25 * HOUR);
    expect((await build(cart, key)).checkout_url).not.toBe(first.checkout_url);
  });
});

const one = { product_id: "kenya-nyeri", quantity: 1 };

test.each([
  ["the exclusive bean", { items: [{ product_id: "yemen-haraz", quantity: 1 }] }, "GEISHA_LOCKED"],
  ["more than there is", { items: [{ product_id: "rwanda-huye", quantity: 41 }] }, "OUT_OF_STOCK"],
  ["an unknown bean", { items: [{ ...one, product_id: "mystery" }] }, "VALIDATION_FAILED"],
  ["no bean", { items: [] }, "VALIDATION_FAILED"],
  ["half a bag", { items: [{ ...one, quantity: 0.5 }] }, "VALIDATION_FAILED"],
  ["101 bags in two lines", { items: [one, { ...one, quantity: 100 }] }, "LIMIT_EXCEEDED"],
  ["101 bags in a line", { items: [{ ...one, quantity: 101 }] }, "LIMIT_EXCEEDED"],
  ["an unknown code", { items: [one], discount_code: "NOPE" }, "DISCOUNT_CODE_INVALID"],
  ["a price of its own", { items: [one], total_minor: 1 }, "VALIDATION_FAILED"],
])("the tool refuses %s", async (_name, input, code) => {
  expect(await refusal(input)).toBe(code);
});

test("a refusal leads to a key first, unless the caller has one", async () => {
  const steps = async (apiKey?: string): Promise<string[]> => {
    const refused = build({ items: [{ product_id: "yemen-haraz", quantity: 1 }] }, apiKey);
    const error = await refused.catch((thrown: unknown) => thrown);
    return (error as MerchantError).next.map(({ action }) => action);
  };
  const [first, ...rest] = await steps();
  expect([first, rest]).toEqual(["register_agent", await steps(await register(shop.baseUrl))]);
});

const unescaped = (html: string): string =>
  html
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

function typedInto(page: string, name: string): string | undefined {
  const value = new RegExp(`name="${name}"[^>]* value="([^"]*)"`).exec(page)?.[1];
  return value === undefined ? undefined : unescaped(value);
}

function noteOf(page: string): string | undefined {
  const note = /<textarea[^>]* name="gift_note"[^>]*>\n?([\s\S]*?)<\/textarea>/.exec(page)?.[1];
  return note ? unescaped(note) : undefined;
}
