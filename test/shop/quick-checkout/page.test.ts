import { afterAll, describe, expect, test } from "vitest";
import { form, newEmail, readyQuote } from "../../support/purchase.ts";
import { DAY, HOUR, startService, testClock } from "../../support/service.ts";
import { eventually, payAsBuyer, register, send } from "../../support/shopper.ts";
import { linkedFields, stateOf, text } from "../pages/reading.ts";
import { acceptTotal, BROWSER, cartPage, FIELDS, submit, visitor } from "./checkout.ts";

const clock = testClock();
const shop = await startService({ QUOTE_TTL_HOURS: "2" }, clock);
afterAll(() => shop.stop());

const page = (link = "items=kenya-nyeri:2") => cartPage(shop.baseUrl, link);
const sent = (to: string, fields: Record<string, string> = {}) => submit(shop.baseUrl, to, fields);
const quotes = async (email: string) =>
  (await shop.store.queries.ordersOfBuyer(email, 0)).map((order) => order.quote_id);

describe("the form", () => {
  test("names all problems at once and keeps the typed values", async () => {
    const answer = await sent(await page(), {
      email: "not an email",
      name: "",
      line1: "  ",
      line2: "Apartment <4>",
      city: "Austin",
      region: "ZZ",
      postal_code: "787",
    });
    expect(answer.status).toBe(422);
    const wrong = ["email", "name", "line1", "region", "postal_code"];
    expect(linkedFields(answer.text)).toEqual(wrong);
    expect(answer.text).toContain('value="not an email"');
    expect(answer.text).toContain('value="Apartment &lt;4&gt;"');
    expect(answer.text).toContain('value="Austin"');
    expect(answer.text).toContain('value="787"');
  });

  test("accepts autofill: a state by its name, spaces around the ZIP", async () => {
    const answer = await sent(await page(), {
      email: newEmail(),
      region: "texas",
      postal_code: " 78701-1234 ",
    });
    expect(answer.status).toBe(303);
    const review = text((await send(shop.baseUrl, answer.headers.get("location") ?? "")).text);
    expect(review).toContain("Austin, TX 78701-1234");
  });

  test("says where the ZIP is if the state is another one", async () => {
    const answer = await sent(await page(), { region: "TX", postal_code: "53703" });
    expect(text(answer.text)).toContain("That ZIP is in Wisconsin. Check the state or ZIP.");
  });

  test("asks once about an email that looks mistyped", async () => {
    const to = await page();
    const typed = "ann@gmial.con";
    const asked = await sent(to, { email: typed });
    expect([asked.status, text(asked.text)]).toEqual([
      422,
      expect.stringContaining("Did you mean ann@gmail.com"),
    ]);
    expect(asked.text).toContain(`name="sure_of" value="${typed}"`);
    const corrected = await sent(to, { email: typed, corrected_email: "ann@gmail.com" });
    const review = text((await send(shop.baseUrl, corrected.headers.get("location")!)).text);
    expect(review).toContain("for ann@gmail.com");
    expect((await sent(to, { email: typed, sure_of: typed })).status).toBe(303);
    expect((await sent(to, { email: "bob@gmial.con", sure_of: typed })).status).toBe(422);
  });

  test("marks the email from the link, not a typed one", async () => {
    const link = { items: "kenya-nyeri:1", gift_note: "Pay me!", buyer_email: "me@example.com" };
    const page = await cartPage(shop.baseUrl, link);
    const opened = text((await send(shop.baseUrl, page)).text);
    expect(opened).toContain("Pay me!");
    expect(opened).toContain("From the link you opened. Make sure it’s yours.");
    const typed = await submit(shop.baseUrl, page, { email: "mine@example.com", city: "" });
    expect(text(typed.text)).not.toContain("Make sure it’s yours.");
    expect(text(typed.text)).toContain("Pay me!");
  });
});

describe("from the form to the order", () => {
  test("the buyer reviews, pays, and the order belongs to no key", async () => {
    const email = newEmail();
    const agent = await register(shop.baseUrl);
    const to = await page("items=kenya-nyeri:2&gift_note=Enjoy%20it");
    const answer = await sent(to, { email });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const review = answer.headers.get("location") ?? "";
    expect(review).toMatch(new RegExp(`^${shop.baseUrl}/review/`));
    const shown = text((await send(shop.baseUrl, review)).text);
    for (const words of [email, "Kenya Nyeri", "2 bags × $22.00", "Enjoy it", "Pay $44.00"]) {
      expect(shown).toContain(words);
    }
    await payAsBuyer(shop.baseUrl, review);
    const [order] = await eventually(async () => {
      const found = await shop.store.queries.ordersOfBuyer(email, 0);
      return found.length > 0 && found;
    });
    expect(text((await send(shop.baseUrl, review)).text)).toContain(`#${order?.number}`);
    for (const path of [
      `/v1/orders/${order?.id}`,
      `/v1/orders/${order?.id}/events`,
      `/v1/quotes/${order?.quote_id}`,
      `/v1/quotes/${order?.quote_id}/order`,
    ]) {
      expect((await send(shop.baseUrl, path, { key: agent })).status).toBe(404);
    }
    const list = await send(shop.baseUrl, `/v1/orders?buyer_email=${email}`, { key: agent });
    expect(list.body.orders).toEqual([]);
  });

  test("makes one quote, even if it is sent twice at the same time", async () => {
    const to = await page();
    const email = newEmail();
    const answers = await Promise.all(Array.from({ length: 8 }, () => sent(to, { email })));
    expect(new Set(answers.map(({ headers }) => headers.get("location"))).size).toBe(1);
    const again = await sent(to, { email });
    expect(again.headers.get("location")).toBe(answers[0]?.headers.get("location"));
  });

  test("sent twice after it was paid, it is still the same order", async () => {
    const to = await page("items=kenya-nyeri:2&discount_code=FIRSTBAG&gift_note=Enjoy%20it");
    const email = newEmail();
    const review = (await sent(to, { email })).headers.get("location") ?? "";
    await payAsBuyer(shop.baseUrl, review);
    await eventually(async () => (await quotes(email)).length > 0);
    expect((await sent(to, { email })).headers.get("location")).toBe(review);
  });

  test("buys the bags that were typed with it, and none that another window changed", async () => {
    const buyer = visitor(shop.baseUrl);
    const to = await page("items=kenya-nyeri:2");
    const { text: html } = await buyer.send(to);
    const [, version = ""] = /name="version" value="(\d+)"/.exec(html)!;
    const shown = { version, accept_total: acceptTotal(html)!, email: newEmail() };
    const bought = await buyer.submit(to, { ...shown, "qty_kenya-nyeri": "3" });
    const review = await buyer.send(bought.headers.get("location")!);
    expect([bought.status, text(review.text)]).toEqual([303, expect.stringContaining("3 bags ×")]);
    const late = await buyer.submit(to, { ...shown, "qty_kenya-nyeri": "1" });
    expect([late.status, text(late.text)]).toEqual([
      409,
      expect.stringContaining("The bags were changed in another window."),
    ]);
    expect(late.text).toContain('name="qty_kenya-nyeri" value="3"');
  });

  test("asks for an emptied number of bags and keeps the bean", async () => {
    const to = await page("items=kenya-nyeri:2,rwanda-huye:1");
    for (const press of [{}, { update: "total" }]) {
      const answer = await sent(to, { "qty_kenya-nyeri": "", "qty_rwanda-huye": "1", ...press });
      expect([answer.status, linkedFields(answer.text)]).toEqual([422, ["qty_kenya-nyeri"]]);
    }
    const { text: shown } = await send(shop.baseUrl, to);
    expect(shown).toContain('name="qty_kenya-nyeri" value="2"');
  });

  test("makes another quote for another email or address", async () => {
    const to = await page();
    const email = newEmail();
    const reviews = [
      await sent(to, { email }),
      await sent(to, { email: newEmail() }),
      await sent(to, { email, line1: "2 Main Street" }),
    ].map(({ headers }) => headers.get("location"));
    expect(new Set(reviews).size).toBe(3);
  });

  test("makes one new quote after the last has expired, however often it is sent", async () => {
    const to = await page();
    const email = newEmail();
    const first = (await sent(to, { email })).headers.get("location") ?? "";
    clock.advance(2 * HOUR);
    expect(stateOf((await send(shop.baseUrl, first)).text)).toBe("EXPIRED");
    const second = (await sent(to, { email })).headers.get("location") ?? "";
    expect(second).not.toBe(first);
    expect(text((await send(shop.baseUrl, second)).text)).toContain("Pay $44.00");
    clock.advance(1000);
    expect((await sent(to, { email })).headers.get("location")).toBe(second);
  });
});

test("an expired page makes no quote", async () => {
  const to = await page();
  clock.advance(DAY);
  expect((await sent(to)).status).toBe(410);
});

describe("the review page of a cart", () => {
  const follow = async (path: string) =>
    (await send(shop.baseUrl, path, { headers: BROWSER })).headers.get("location")!;

  test("leads back to the bags and the typed details, as the same purchase", async () => {
    const buyer = visitor(shop.baseUrl);
    const email = newEmail();
    const to = await page("items=kenya-nyeri:2&gift_note=Hi");
    const review = (await buyer.submit(to, { email, line2: "Unit 4" })).headers.get("location")!;
    const { text: shown } = await buyer.send(review);
    const { pathname } = new URL(to);
    for (const place of ["#email", "#name", "#total"]) {
      expect(shown).toContain(`href="${pathname}?change${place}"`);
    }
    const { text: again } = await buyer.send(`${pathname}?change`);
    for (const typed of [email, FIELDS.line1, "Unit 4", FIELDS.city, FIELDS.postal_code]) {
      expect(again).toContain(`value="${typed}"`);
    }
    expect(again).toMatch(/<option value="TX" selected>/);
    expect(text(again)).not.toContain("link you opened");
    const other = newEmail();
    const changed = (await buyer.submit(to, { email: other })).headers.get("location")!;
    expect(text((await buyer.send(changed)).text)).toContain(`for ${other}`);
    // The older page leads to the newest.
    expect((await buyer.send(review)).headers.get("location")).toBe(`${changed}?from=older`);
    await payAsBuyer(shop.baseUrl, changed);
    await eventually(async () => (await quotes(other)).length === 1 || undefined);
    expect(await quotes(email)).toEqual([]);
    expect((await buyer.send(to)).headers.get("location")).toBe(changed);
  });

  test("shows nothing that was typed to another browser", async () => {
    const to = await page("items=kenya-nyeri:2");
    const email = newEmail();
    await visitor(shop.baseUrl).submit(to, { email });
    const { text: shown } = await visitor(shop.baseUrl).send(to);
    for (const typed of [email, FIELDS.line1, FIELDS.city]) expect(shown).not.toContain(typed);
  });

  test("of an agent's quote has nothing to change", async () => {
    const { reviewUrl } = await readyQuote(shop.baseUrl);
    const { pathname } = new URL(reviewUrl);
    expect((await send(shop.baseUrl, pathname)).text).not.toContain("/change");
    expect(await follow(`${pathname}/change`)).toBe(pathname);
  });

  test("empties the shop's cart once exactly that was paid", async () => {
    const buyer = visitor(shop.baseUrl);
    await buyer.send("/cart", form({ add: "kenya-nyeri", bags: "2" }));
    const to = (await buyer.send("/cart", form({ go: "checkout" }))).headers.get("location")!;
    expect(to).toMatch(/^\/checkout\/chk_/);
    await buyer.press(to, { more: "kenya-nyeri" });
    expect(text((await buyer.send("/shipping")).text)).toContain("Cart: 3 bags");
    const review = (await buyer.submit(to, { email: newEmail() })).headers.get("location")!;
    expect(text((await buyer.send(review)).text)).toContain("Cart:");
    await payAsBuyer(shop.baseUrl, review);
    const paid = await eventually(async () => {
      const shown = await buyer.send(`${review}?from=checkout`);
      return stateOf(shown.text) === "ORDERED" && shown;
    });
    expect(text(paid.text)).not.toContain("Cart:");
    await buyer.send("/cart", form({ add: "kenya-nyeri", bags: "3" }));
    expect(text((await buyer.send(review)).text)).toContain("Cart:");
  });
});
