import { afterAll, describe, expect, test } from "vitest";
import { startService } from "../support/service.ts";
import { send } from "../support/shopper.ts";
import { linkedFields, text } from "./pages/reading.ts";

const shop = await startService();
afterAll(() => shop.stop());

const build = (fields: Record<string, string>) =>
  send(shop.baseUrl, `/quick-checkout-link?${new URLSearchParams(fields)}`);
const linkIn = (page: string): string =>
  (/<p class="link-out">([^<]+)<\/p>/.exec(page)?.[1] ?? "").replaceAll("&amp;", "&");

describe("the link builder", () => {
  test("makes a complete link of the chosen bags and shows its cart", async () => {
    const { status, text: page } = await build({
      "qty_kenya-nyeri": "2",
      "qty_rwanda-huye": "0",
      discount_code: " firstbag ",
      gift_note: "For you & me\r\n100 % yours",
      buyer_email: "a+b@example.com",
    });
    expect(status).toBe(200);
    const link = linkIn(page);
    expect(link).toBe(
      `${shop.baseUrl}/v1/quick-checkout?items=kenya-nyeri:2&discount_code=FIRSTBAG` +
        "&gift_note=For%20you%20%26%20me%0A100%20%25%20yours&buyer_email=a%2Bb%40example.com",
    );
    expect(text(page)).toContain("Total $35.20");
    expect((await send(shop.baseUrl, link)).status).toBe(303);
  });

  test.each([
    ["no bags", {}, ["qty_kenya-nyeri"]],
    ["only zeros", { "qty_kenya-nyeri": "0" }, ["qty_kenya-nyeri"]],
    ["half a bag", { "qty_rwanda-huye": "0.5" }, ["qty_rwanda-huye"]],
    ["a word", { "qty_kenya-nyeri": "two" }, ["qty_kenya-nyeri"]],
    ["an emptied number", { "qty_kenya-nyeri": "", "qty_rwanda-huye": "1" }, ["qty_kenya-nyeri"]],
    ["too many", { "qty_peru-cajamarca-decaf": "101" }, ["qty_peru-cajamarca-decaf"]],
    [
      "everything wrong",
      { "qty_kenya-nyeri": "-1", discount_code: "X", buyer_email: "x", gift_note: "\u0007" },
      ["qty_kenya-nyeri", "gift_note", "discount_code", "buyer_email"],
    ],
  ])("links to the wrong field for %s", async (_name, fields, wrong) => {
    const { status, text: page } = await build(fields as Record<string, string>);
    expect(status).toBe(422);
    expect(linkedFields(page)).toEqual(wrong);
    for (const name of wrong) expect(page).toContain(`id="${name}"`);
  });

  test("keeps the typed values", async () => {
    const { text: page } = await build({ "qty_kenya-nyeri": "300", gift_note: "Keep <me>" });
    expect(page).toContain('value="300"');
    expect(page).toContain("Keep &lt;me&gt;");
  });

  test("names the bean that is short, with its waitlist", async () => {
    const { stock } = shop.service.merchant.admin("cli");
    await stock.set({ product_id: "rwanda-huye", on_hand: 3 });
    const { status, text: page } = await build({ "qty_rwanda-huye": "5" });
    await stock.set({ product_id: "rwanda-huye", on_hand: 40 });
    expect(status).toBe(422);
    expect(text(page)).toContain("Rwanda Huye has only 3 left. Join the waitlist");
    expect(page).toMatch(/id="qty_rwanda-huye"[^>]* aria-invalid="true"/);
  });

  test("never sells the exclusive bean, even without the form", async () => {
    const { status, text: page } = await build({ "qty_yemen-haraz": "1" });
    expect(status).toBe(422);
    expect(text(page)).toContain("The exclusive bean is not sold");
    expect(linkIn(page)).toBe("");
  });
});
