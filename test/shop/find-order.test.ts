import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { form, newEmail, purchase } from "../support/purchase.ts";
import { startService } from "../support/service.ts";
import { send } from "../support/shopper.ts";
import { linkedFields, text } from "./pages/reading.ts";
import { BROWSER } from "./quick-checkout/checkout.ts";

const shop = await startService();
afterAll(() => shop.stop());

const email = newEmail();
const bought = await purchase(shop.baseUrl, { email });
const other = newEmail();
const { order } = await purchase(shop.baseUrl, { email: other });

const find = (number: string, email: string, { baseUrl } = shop) =>
  send(baseUrl, "/find-order", form({ number, email }));

describe("Find my order", () => {
  test("is linked in the footer of every page", async () => {
    const { text: page } = await send(shop.baseUrl, "/shipping", { headers: BROWSER });
    expect(page).toContain('href="/find-order"');
  });

  test.each([
    ["the number", (number: string) => number, email],
    ["a number sign", (number: string) => `#${number} `, email],
    ["another spelling of the email", (number: string) => number, email.toUpperCase()],
  ])("leads to the order's page with %s", async (_, typed, email) => {
    const { status, headers } = await find(typed(String(bought.order.number)), email);
    expect([status, headers.get("location")]).toEqual([303, new URL(bought.reviewUrl).pathname]);
  });

  test("says the same of another's order, an unknown one and a wrong email", async () => {
    const wrong = [
      await find(String(order.number), email),
      await find("999999", email),
      await find("nothing", email),
      await find(String(order.number), "no email"),
    ];
    for (const { status, text: page } of wrong) {
      expect([status, linkedFields(page)]).toEqual([422, ["number"]]);
      expect(text(page)).toContain("We found no order with this number and email.");
    }
  });

  test("can't be guessed: tries are limited by email and by address", async () => {
    const limited = await startService({ RATE_LIMITS: "find_order=2" });
    onTestFinished(() => limited.stop());
    const email = newEmail();
    const tries = [];
    for (let i = 0; i < 3; i++) tries.push((await find("1", email, limited)).status);
    expect(tries).toEqual([422, 422, 429]);
    for (let i = 2; i < 32; i++) expect((await find("1", newEmail(), limited)).status).toBe(422);
    expect((await find("1", newEmail(), limited)).status).toBe(429);
  });
});
