/** A buyer with a question finds the shop. */
import { afterAll, describe, expect, test } from "vitest";
import { form, purchase } from "../support/purchase.ts";
import { startService } from "../support/service.ts";
import { send } from "../support/shopper.ts";

const shop = await startService();
afterAll(() => shop.stop());

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
    const typo = { ...fields, email: "ada@gmial.com", message: "Do you sell mugs?" };
    const asked = await send(shop.baseUrl, "/contact", form(typo));
    expect(asked.text).toContain("Did you mean <bdi>ada@gmail.com</bdi>?");
    const meant = { ...typo, corrected_email: "ada@gmail.com" };
    const answered = await send(shop.baseUrl, "/contact", form(meant));
    expect(answered.text).toContain("<bdi>ada@gmail.com</bdi>");
    const good = { ...fields, email: "ada@example.com", message: "Do you sell filters?" };
    expect((await send(shop.baseUrl, "/contact", form(good))).status).toBe(200);
    expect((await messages()).map(({ message }) => message)).toContainEqual(
      expect.stringContaining("Do you sell filters?"),
    );
  });
});
