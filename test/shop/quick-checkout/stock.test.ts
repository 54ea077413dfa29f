import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { newEmail } from "../../support/purchase.ts";
import { startService } from "../../support/service.ts";
import { text } from "../pages/reading.ts";
import { BROWSER, cartPage, openLink, submit } from "./checkout.ts";

const shop = await startService();
afterAll(() => shop.stop());

const page = (link: string) => cartPage(shop.baseUrl, link);
const sent = (to: string, fields: Record<string, string>) => submit(shop.baseUrl, to, fields);

describe("the bags in stock", () => {
  const stock = (bean: string, bags: number) =>
    shop.service.merchant.admin("cli").stock.set({ product_id: bean, on_hand: bags });

  test("a bean that sells out while the page is open is named; the form is kept and nothing charged", async () => {
    const to = await page("items=peru-cajamarca-decaf:2");
    await stock("peru-cajamarca-decaf", 1);
    const answer = await sent(to, { email: newEmail(), city: "Dallas" });
    await stock("peru-cajamarca-decaf", 500);
    expect(answer.status).toBe(409);
    const shown = text(answer.text);
    expect(shown).toContain("Peru Cajamarca Decaf has only 1 left.");
    expect(answer.text).toContain('name="take"');
    expect(answer.text).toContain('value="Dallas"');
    expect((await sent(to, { email: newEmail() })).status).toBe(303);
  });

  test("a bean of which none is left can only be removed", async () => {
    const to = await page("items=peru-cajamarca-decaf:2");
    await stock("peru-cajamarca-decaf", 0);
    const answer = await sent(to, { email: newEmail() });
    await stock("peru-cajamarca-decaf", 500);
    expect(text(answer.text)).toContain("Peru Cajamarca Decaf is sold out.");
    expect(answer.text).not.toContain('name="take"');
  });

  test("a waitlist bean that sells out meanwhile leads to its waitlist", async () => {
    const to = await page("items=rwanda-huye:2");
    await stock("rwanda-huye", 1);
    const answer = await sent(to, { email: newEmail() });
    const closed = await openLink(shop.baseUrl, "items=rwanda-huye:2", BROWSER);
    await stock("rwanda-huye", 40);
    expect(closed.status).toBe(409);
    expect(text(closed.text)).toContain("Rwanda Huye has only 1 left. Join its waitlist");
    expect(closed.text).toContain('href="/waitlist?bean=rwanda-huye&amp;bags=2"');
    expect(answer.status).toBe(409);
    expect(text(answer.text)).toContain("Rwanda Huye has only 1 left.");
    expect(answer.text).toContain('href="/waitlist?bean=rwanda-huye&amp;bags=2"');
  });
});

test("a form over a limit comes back with what was typed", async () => {
  const limited = await startService({ RATE_LIMITS: "buyers=1" });
  onTestFinished(limited.stop);
  const to = await cartPage(limited.baseUrl, "items=kenya-nyeri:1&discount_code=FIRSTBAG");
  const fill = (i: number, city: string) =>
    submit(limited.baseUrl, to, { city, email: `form-${i}@example.com` });
  // A wrong form is not counted.
  for (let i = 0; i < 32; i++) expect((await fill(i, "")).status).toBe(422);
  for (let i = 0; i < 16; i++) expect((await fill(i, "Austin")).status).toBe(303);
  const refused = await fill(16, "Dallas");
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(refused.text).toContain('value="Dallas"');
  expect(text(refused.text)).toContain("Please wait 24 hours, then try again.");
});

// A code may also be added later, in the cart or by a UCP client.
test.each(["&discount_code=FIRSTBAG", ""])(
  "a press that stores a typed email counts it, however often it is pressed (%s)",
  async (code) => {
    const limited = await startService({ RATE_LIMITS: "buyers=1" });
    onTestFinished(limited.stop);
    const to = await cartPage(limited.baseUrl, `items=kenya-nyeri:1${code}`);
    const press = async (email: string) =>
      (await submit(limited.baseUrl, to, { email, update: "total" })).status;
    for (let i = 0; i < 20; i++) expect(await press("same@example.com")).toBe(303);
    for (let i = 1; i < 16; i++) expect(await press(`press-${i}@example.com`)).toBe(303);
    expect(await press("press-16@example.com")).toBe(429);
  },
);
