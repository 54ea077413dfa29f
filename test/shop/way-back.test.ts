/** A buyer who has only the checkout page, or a question, finds the order and the shop. */
import { afterAll, describe, expect, test } from "vitest";
import { form, newEmail, purchase } from "../support/purchase.ts";
import { startService } from "../support/service.ts";
import { eventually, payAsBuyer, send } from "../support/shopper.ts";
import { cartPage, submit } from "./quick-checkout/checkout.ts";

const shop = await startService({ RATE_LIMITS: "presses=10" });
afterAll(() => shop.stop());

async function paidPage() {
  const page = await cartPage(shop.baseUrl, "items=kenya-nyeri:1");
  const email = newEmail();
  const { headers } = await submit(shop.baseUrl, page, { email, accept_total: "99999" });
  const review = headers.get("location")!;
  await payAsBuyer(shop.baseUrl, review);
  await eventually(async () =>
    (await send(shop.baseUrl, page)).text.includes("Email of the order"),
  );
  return { page, email, review };
}

describe("a paid checkout page", () => {
  test("opens the order page for the order's email, in any spelling", async () => {
    const { page, email, review } = await paidPage();
    const opened = await send(shop.baseUrl, page, form({ email: ` ${email.toUpperCase()} ` }));
    expect([opened.status, opened.headers.get("location")]).toEqual([303, review]);
  });

  test("still does after the page's day", async () => {
    const { page, email, review } = await paidPage();
    shop.clock.advance(25 * 3_600_000);
    const opened = await send(shop.baseUrl, page, form({ email }));
    expect(opened.headers.get("location")).toBe(review);
  });

  test("says the same of every other email, shows nothing of the buyer, and ends guessing", async () => {
    const { page, email, review } = await paidPage();
    const answers = [];
    for (const guess of [newEmail(), "no address", ""]) {
      const { status, text } = await send(shop.baseUrl, page, form({ email: guess }));
      answers.push([status, text.replaceAll(guess || "\0", "")]);
      expect(text).not.toContain(email);
      expect(text).not.toContain(new URL(review).pathname);
    }
    expect(new Set(answers.map(([status]) => status))).toEqual(new Set([422]));
    const more = Array.from({ length: 10 }, () =>
      send(shop.baseUrl, page, form({ email: newEmail() })),
    );
    expect((await Promise.all(more)).map(({ status }) => status)).toContain(429);
  });
});

describe("the contact form", () => {
  const nonce = (page: string) => /name="form" value="([^"]+)"/.exec(page)![1]!;
  const messages = async () =>
    (await shop.service.merchant.admin("cli").feedback.list({})) as unknown as {
      message: string;
      number?: number;
      agent_email: string | null;
    }[];

  test("of an order's page tells the merchant who asks about which order, once", async () => {
    const { order, reviewUrl } = await purchase(shop.baseUrl);
    const page = await send(shop.baseUrl, reviewUrl, { headers: { accept: "text/html" } });
    const [, path = ""] = /href="(\/review\/[^"]+\/message)"/.exec(page.text)!;
    const asked = await send(shop.baseUrl, path, { headers: { accept: "text/html" } });
    const sent = { form: nonce(asked.text), email: order.buyer_email, message: "Is it ground?" };
    for (let i = 0; i < 2; i++) {
      expect((await send(shop.baseUrl, path, form(sent))).text).toContain("We got your message");
    }
    const found = (await messages()).filter(({ message }) => message.includes("Is it ground?"));
    expect(found).toMatchObject([{ number: order.number, agent_email: order.buyer_email }]);
  });

  test("is on every page without a support address, and keeps what was typed", async () => {
    const { text } = await send(shop.baseUrl, "/", { headers: { accept: "text/html" } });
    expect(text).toContain('href="/contact"');
    const fields = { form: "f", email: "none", message: "My card is 4242 4242 4242 4242" };
    const refused = await send(shop.baseUrl, "/contact", form(fields));
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('value="none"');
    const good = { ...fields, email: "ada@example.com", message: "Do you sell filters?" };
    expect((await send(shop.baseUrl, "/contact", form(good))).status).toBe(200);
    expect((await messages()).map(({ message }) => message)).toContainEqual(
      expect.stringContaining("Do you sell filters?"),
    );
  });
});
