import { afterAll, describe, expect, test } from "vitest";
import { newEmail, purchase } from "../../support/purchase.ts";
import { startService } from "../../support/service.ts";
import { send } from "../../support/shopper.ts";
import { stateOf, text } from "../pages/reading.ts";
import { acceptTotal, cartPage, submit } from "./checkout.ts";

const CODE = "items=kenya-nyeri:1&discount_code=FIRSTBAG";

const shop = await startService();
afterAll(() => shop.stop());

/** Email of a customer with an earlier order. */
const oldCustomer = async (): Promise<string> =>
  (await purchase(shop.baseUrl)).quote.terms.buyer.email;
const offer = (on: boolean) => shop.service.merchant.admin("cli").courtesy.firstOrder({ on });
const total = async (review: string | null) =>
  /Pay (\$[\d.]+)/.exec((await send(shop.baseUrl, review ?? "")).text)?.[1];

describe("a discount that the typed email can't have", () => {
  test("shows the higher total and asks; the accepted total becomes the quote's", async () => {
    const page = await cartPage(shop.baseUrl, CODE);
    const email = await oldCustomer();
    expect(acceptTotal((await send(shop.baseUrl, page)).text)).toBe("2760");
    const asked = await submit(shop.baseUrl, page, { email, accept_total: "2760" });
    expect(asked.status).toBe(409);
    const shown = text(asked.text);
    expect(stateOf(asked.text)).toBe("NOT_ELIGIBLE");
    expect(shown).toContain("The total is now $32.00 . It was $27.60");
    expect(shown).toContain("Accept $32.00 and continue");
    expect(acceptTotal(asked.text)).toBe("3200");
    const agreed = await submit(shop.baseUrl, page, { email, accept_total: "3200" });
    expect(agreed.status).toBe(303);
    expect(await total(agreed.headers.get("location"))).toBe("$32.00");
  });

  test.each(["", "free", "-1", "0", "3199", "3200.00", "1e9"])(
    'is not agreed to by a total of "%s"',
    async (accept_total) => {
      const page = await cartPage(shop.baseUrl, CODE);
      const email = await oldCustomer();
      expect((await submit(shop.baseUrl, page, { email, accept_total })).status).toBe(409);
    },
  );

  test("comes back with another email", async () => {
    const page = await cartPage(shop.baseUrl, CODE);
    await submit(shop.baseUrl, page, { email: await oldCustomer() });
    const other = await submit(shop.baseUrl, page, { email: newEmail(), accept_total: "3200" });
    expect(await total(other.headers.get("location"))).toBe("$27.60");
  });

  test("is not accepted with a form that has mistakes", async () => {
    const page = await cartPage(shop.baseUrl, CODE);
    const email = await oldCustomer();
    const wrong = await submit(shop.baseUrl, page, { email, city: "", accept_total: "2760" });
    expect(wrong.status).toBe(422);
    expect(acceptTotal(wrong.text)).toBe("2760");
    expect((await submit(shop.baseUrl, page, { email, accept_total: "2760" })).status).toBe(409);
  });
});

describe("the offer ends while the page is open", () => {
  test("the buyer is asked before paying more, and the quote carries no code", async () => {
    const page = await cartPage(shop.baseUrl, CODE);
    await offer(false);
    try {
      const email = newEmail();
      const asked = await submit(shop.baseUrl, page, { email, accept_total: "2760" });
      expect(asked.status).toBe(409);
      expect(text(asked.text)).toContain("The first-order offer has ended.");
      const wrong = await submit(shop.baseUrl, page, { city: "", accept_total: "2760" });
      expect(acceptTotal(wrong.text)).toBe("2760");
      const opened = text((await send(shop.baseUrl, page)).text);
      expect(opened).toContain("Code FIRSTBAG was not applied: The offer has ended.");
      expect(opened).toContain("Total $32.00");
      const agreed = await submit(shop.baseUrl, page, { email, accept_total: "3200" });
      expect(await total(agreed.headers.get("location"))).toBe("$32.00");
    } finally {
      await offer(true);
    }
  });

  test("nothing changes if the large-order discount applies instead", async () => {
    const page = await cartPage(shop.baseUrl, "items=kenya-nyeri:23&discount_code=FIRSTBAG");
    await offer(false);
    const answer = await submit(shop.baseUrl, page, { email: newEmail() }).finally(() =>
      offer(true),
    );
    expect(await total(answer.headers.get("location"))).toBe("$406.00");
  });
});

describe("spend courtesy", () => {
  test("replaces the code on the page with an explanation, without asking", async () => {
    const page = await cartPage(shop.baseUrl, "items=kenya-nyeri:23&discount_code=FIRSTBAG");
    const opened = await send(shop.baseUrl, page);
    expect(text(opened.text)).toContain("Large-order discount −$100.00");
    expect(text(opened.text)).toContain("Code FIRSTBAG was not applied: The large-order discount");
    expect(acceptTotal(opened.text)).toBe("40600");
    expect((await submit(shop.baseUrl, page, { email: await oldCustomer() })).status).toBe(303);
  });
});

test("a price raised while the page is open is shown, confirmed, and becomes the quote's", async () => {
  const page = await cartPage(shop.baseUrl, "items=kenya-nyeri:1");
  const { catalog } = shop.service.merchant.admin("cli");
  const raise = async (more: number) => {
    const { product, changed_at: seen } = await catalog.show({ product_id: "kenya-nyeri" });
    await catalog.save({
      product: { ...product, price_minor: product.price_minor + more },
      ...{ on_sale: true, seen },
    });
  };
  await raise(300);
  const email = newEmail();
  const asked = await submit(shop.baseUrl, page, { email, accept_total: "3200" });
  const agreed = await submit(shop.baseUrl, page, { email, accept_total: "3500" });
  await raise(-300);
  expect([asked.status, stateOf(asked.text)]).toEqual([409, "USABLE"]);
  expect(await total(agreed.headers.get("location"))).toBe("$35.00");
});
