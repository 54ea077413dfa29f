import { afterAll, describe, expect, test } from "vitest";
import type { Product } from "../../../src/catalog/catalog.ts";
import { type LastingDatabase, lastingDatabase } from "../../support/lasting-database.ts";
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

  test("is also asked about without a total in the form, as from curl", async () => {
    const page = await cartPage(shop.baseUrl, CODE);
    expect((await submit(shop.baseUrl, page, { email: await oldCustomer() })).status).toBe(409);
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

describe("the catalog changes while the page is open", () => {
  /** The shop after a restart with the same database and other beans. */
  async function reopened(
    at: LastingDatabase,
    change: (catalog: { products: readonly Product[] }) => void,
  ) {
    const after = await startService({ DATABASE_URL: at.url });
    const { catalog } = after.service.merchant.admin("cli");
    const file = structuredClone(await catalog.export());
    change(file);
    await catalog.import({ file: JSON.stringify(file) });
    return after;
  }

  /** A cart's page, opened before the restart. */
  async function openedBefore(at: LastingDatabase, link: string): Promise<string> {
    const before = await startService({ DATABASE_URL: at.url });
    const page = await cartPage(before.baseUrl, link);
    await before.stop();
    return new URL(page).pathname;
  }

  test("a higher price is shown, needs a confirmation, and becomes the quote's", async () => {
    const at = await lastingDatabase();
    const page = await openedBefore(at, "items=kenya-nyeri:1");
    const after = await reopened(at, ({ products }) => {
      for (const bean of products) if (bean.product_id === "kenya-nyeri") bean.price_minor = 2500;
    });
    const email = newEmail();
    const asked = await submit(after.baseUrl, page, { email, accept_total: "3200" });
    const agreed = await submit(after.baseUrl, page, { email, accept_total: "3500" });
    const review = await send(after.baseUrl, agreed.headers.get("location") ?? "");
    await after.stop();
    expect(asked.status).toBe(409);
    expect(stateOf(asked.text)).toBe("USABLE");
    expect(text(review.text)).toContain("Pay $35.00");
  });

  test("a bean that left the catalog is named on the page, and can't be ordered", async () => {
    const at = await lastingDatabase();
    const page = await openedBefore(at, "items=peru-cajamarca-decaf:1");
    const after = await reopened(at, ({ products }) => {
      for (const bean of products) {
        if (bean.product_id === "peru-cajamarca-decaf") bean.product_id = "peru-decaf";
      }
    });
    const shown = await send(after.baseUrl, page);
    const sent = await submit(after.baseUrl, page, {});
    await after.stop();
    expect([shown.status, sent.status]).toEqual([200, 409]);
    for (const { text } of [shown, sent]) {
      expect(text).toContain("Peru Cajamarca Decaf right now");
    }
  });
});
