import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { GRANTED } from "../../src/core/shop.ts";
import { allRows } from "../support/all-rows.ts";
import { startService } from "../support/service.ts";
import { send } from "../support/shopper.ts";
import { linkedFields, text } from "./pages/reading.ts";
import { BROWSER } from "./quick-checkout/checkout.ts";

const shop = await startService();
afterAll(() => shop.stop());

/** One browser, which keeps its cookie. */
function browser(kept = "") {
  let cookie = kept;
  const ask = async (path: string, fields?: Record<string, string>) => {
    const answer = await send(shop.baseUrl, path, {
      headers: {
        ...BROWSER,
        cookie,
        ...(fields && { "content-type": "application/x-www-form-urlencoded" }),
      },
      ...(fields && { raw: `${new URLSearchParams(fields)}` }),
    });
    const set = answer.headers.get("set-cookie");
    if (set !== null) cookie = set.split(";")[0]!;
    return answer;
  };
  /** Sends the cart's form, and returns where it leads. */
  const change = async (fields: Record<string, string>) => {
    const { status, headers } = await ask("/cart", fields);
    expect(status).toBe(303);
    return headers.get("location");
  };
  /** Numbers in the form of the cart, by bean. */
  const inCart = async () => {
    const { text: page } = await ask("/");
    const fields = page.matchAll(/ name="qty_([^"]+)" value="([^"]*)"/g);
    return Object.fromEntries([...fields].map(([, bean, bags]) => [bean, bags]));
  };
  return { get: (path: string) => ask(path), post: ask, change, inCart, cookie: () => cookie };
}

const get = (path: string) => browser().get(path);

describe("the shop", () => {
  test("shows each bean with its picture, flavors, price and availability", async () => {
    const { text: page } = await get("/");
    for (const { product_id, name_to_use_with_humans } of shop.service.merchant.catalog.products) {
      expect(page).toMatch(
        new RegExp(`<h3><a href="/beans/[a-z-]+">${name_to_use_with_humans}</a></h3>`),
      );
      expect(page).toContain(`src="/assets/beans/${product_id}.svg"`);
      expect(page).not.toContain(`>${product_id}<`);
    }
    expect(text(page)).toContain("blackcurrant");
    expect(text(page)).toContain("In stock");
  });

  test("a picture is drawn from the bean's facts, the same each time", async () => {
    const kenya = await get("/assets/beans/kenya-nyeri.svg");
    expect(kenya.headers.get("content-type")).toBe("image/svg+xml");
    expect(kenya.text).toContain("KENYA");
    expect(kenya.text).not.toMatch(/<script|href=|style=/);
    expect(kenya.text.length).toBeLessThan(4000);
    expect((await get("/assets/beans/kenya-nyeri.svg")).text).toBe(kenya.text);
    expect((await get("/assets/beans/rwanda-huye.svg")).text).not.toBe(kenya.text);
    expect((await get("/assets/beans/nothing.svg")).status).toBe(404);
  });
});

describe("the page of a bean", () => {
  test("shows varieties and brewing, and adds to the buyer's cart", async () => {
    const { text: page } = await get("/beans/kenya-nyeri");
    expect(text(page)).toContain("How to brew it");
    expect(text(page)).toContain("93 °C (199 °F)");
    expect(page).toContain('name="add" value="kenya-nyeri"');
  });

  test("tells crawlers price, availability, shipping and returns as schema.org data", async () => {
    const { text: page } = await get("/beans/kenya-nyeri");
    const [, json] = /<script type="application\/ld\+json">([^<]*)<\/script>/.exec(page)!;
    const url = `${shop.baseUrl}/beans/kenya-nyeri`;
    expect(JSON.parse(json!)).toMatchObject({
      "@type": "Product",
      ...{ sku: "kenya-nyeri", url },
      offers: {
        ...{ "@type": "Offer", url, price: "22.00", priceCurrency: "USD" },
        availability: "https://schema.org/InStock",
        shippingDetails: {
          shippingRate: { value: "10.00", currency: "USD" },
          shippingDestination: { addressCountry: "US" },
          deliveryTime: { transitTime: { minValue: 5, maxValue: 14 } },
        },
        hasMerchantReturnPolicy: {
          returnPolicyCategory: "https://schema.org/MerchantReturnNotPermitted",
        },
      },
    });
  });

  test("offers crawlers nothing of the exclusive bean", async () => {
    const { text: page } = await get("/beans/yemen-haraz");
    expect(page).toContain('"@type":"Product"');
    expect(page).not.toContain('"offers"');
  });

  test("says so if we don't sell the bean", async () => {
    const page = await get("/beans/nothing");
    expect([page.status, text(page.text)]).toEqual([404, expect.stringContaining("don’t sell")]);
  });

  test("shipping and returns grant what the policy grants, with a link to the order's page", async () => {
    const { text: page } = await get("/shipping");
    expect(page).toContain('href="/find-order"');
    const { body: policy } = await send(shop.baseUrl, "/v1/policy");
    const said = JSON.stringify(policy);
    for (const granted of Object.values(GRANTED)) {
      expect([text(page).includes(granted), said.includes(granted)]).toEqual([true, true]);
    }
  });

  test.each(["/shipping", "/privacy"])("%s is linked in the footer", async (path) => {
    expect((await get("/")).text).toContain(`href="${path}"`);
    expect((await get(path)).status).toBe(200);
  });
});

describe("the cart in a cookie", () => {
  test("starts with an Add, and leads back to the bean", async () => {
    const { change, get } = browser();
    const to = await change({ bags: "2", add: "kenya-nyeri" });
    expect(to).toBe("/#bean-kenya-nyeri");
    const { text: page, headers } = await get("/");
    expect(headers.get("cache-control")).toBe("no-store, no-transform");
    expect(text(page)).toContain("2 bags in your cart");
    expect(text(page)).toContain("Total $44.00");
  });

  test("is counted in the header of every page", async () => {
    const { change, get } = browser();
    await change({ bags: "3", add: "kenya-nyeri" });
    for (const path of ["/", "/beans/rwanda-huye", "/shipping", "/waitlist?bean=rwanda-huye"]) {
      const { text: page } = await get(path);
      expect([path, text(page).includes("Cart: 3 bags")]).toEqual([path, true]);
    }
    expect(text((await get("/beans/kenya-nyeri")).text)).toContain("3 bags in your cart");
    expect(text((await browser().get("/")).text)).not.toContain("Cart:");
  });

  test("is hidden from scripts and other sites, and tells nothing about the buyer", async () => {
    const { post } = browser();
    const { headers } = await post("/cart", {
      ...{ bags: "1", add: "kenya-nyeri", gift_note: "Hi" },
      ...{ buyer_email: "b@example.com", email: "b@example.com" },
    });
    const set = headers.get("set-cookie")!;
    expect(set).toMatch(/HttpOnly/);
    expect(set).toMatch(/SameSite=Lax/);
    expect(set).toMatch(/^cart=chk_[\w-]{22}\.1;/);
    const rows = await allRows(shop.store, "checkouts");
    expect(JSON.stringify(rows)).not.toContain("b@example.com");
  });

  test.each([
    ["no base64", "%00%ff"],
    ["no JSON", "x"],
    ["a cookie too large", "a".repeat(9000)],
    ...Object.entries({
      "no object": "null",
      "a list": "[3]",
      "wrong types": '{"items":5,"gift_note":{}}',
      "broken bags": '{"items":"a:1e9,:,b,kenya-nyeri:-4,kenya-nyeri:1.5,nothing:1"}',
      "an inherited cart": '{"__proto__":{"items":"kenya-nyeri:1"}}',
    }).map(([name, json]) => [name, Buffer.from(json).toString("base64url")]),
  ])("survives %s", async (_, value) => {
    const { get, post } = browser(`cart=${value}`);
    for (const path of ["/", "/beans/kenya-nyeri", "/shipping"]) {
      expect((await get(path)).status).toBe(200);
    }
    expect((await post("/cart", { bags: "1", add: "rwanda-huye" })).status).toBeLessThan(500);
  });

  test("adds, changes and removes bags; the empty cart is the shop again", async () => {
    const { change, inCart, get } = browser();
    await change({ bags: "2", add: "kenya-nyeri" });
    await change({ bags: "1", add: "rwanda-huye" });
    await change({ bags: "3", add: "kenya-nyeri" });
    expect(await inCart()).toEqual({ "kenya-nyeri": "5", "rwanda-huye": "1" });
    expect(await change({ "qty_kenya-nyeri": "7" })).toBe("/#cart");
    expect(await inCart()).toEqual({ "kenya-nyeri": "7", "rwanda-huye": "1" });
    await change({ "qty_kenya-nyeri": "7", more: "kenya-nyeri" });
    await change({ "qty_rwanda-huye": "1", less: "rwanda-huye" });
    expect(await inCart()).toEqual({ "kenya-nyeri": "8" });
    expect(text((await get("/")).text)).toContain("Total $176.00");
    expect(await change({ "qty_kenya-nyeri": "8", remove: "kenya-nyeri" })).toBe("/#beans");
    expect(text((await get("/")).text)).toContain("roasted when you order");
    await change({ bags: "1", add: "kenya-nyeri" });
    expect(await change({ "qty_kenya-nyeri": "0", go: "checkout" })).toBe("/#beans");
  });

  test.each<[string, Record<string, string>]>([
    ["Enter", {}],
    ["Check out", { go: "checkout" }],
    ["One bag less", { less: "kenya-nyeri" }],
  ])("keeps a bean whose number was emptied and asks for it on %s", async (_, press) => {
    const { change, post, inCart } = browser();
    await change({ bags: "2", add: "kenya-nyeri" });
    await change({ bags: "1", add: "rwanda-huye" });
    const emptied = { "qty_kenya-nyeri": " ", "qty_rwanda-huye": "1" };
    const { status, text: page } = await post("/cart", { ...emptied, ...press });
    expect([status, linkedFields(page)]).toEqual([422, ["qty_kenya-nyeri"]]);
    expect(await inCart()).toEqual({ "kenya-nyeri": "2", "rwanda-huye": "1" });
    expect(await change({ ...emptied, remove: "kenya-nyeri" })).toBe("/#cart");
    expect(await inCart()).toEqual({ "rwanda-huye": "1" });
  });

  test("shows a removed bean with 0 bags until the other numbers are right", async () => {
    const { change, post, inCart } = browser();
    await change({ bags: "2", add: "kenya-nyeri" });
    await change({ bags: "1", add: "rwanda-huye" });
    const wrong = { "qty_kenya-nyeri": "", "qty_rwanda-huye": "1", remove: "rwanda-huye" };
    const { text: page } = await post("/cart", wrong);
    expect(page).toContain('name="qty_rwanda-huye" value="0"');
    await change({ "qty_kenya-nyeri": "3", "qty_rwanda-huye": "0" });
    expect(await inCart()).toEqual({ "kenya-nyeri": "3" });
  });

  test("keeps bags that were added in another window", async () => {
    const { change, inCart } = browser();
    await change({ bags: "1", add: "kenya-nyeri" });
    await change({ bags: "2", add: "rwanda-huye" });
    await change({ "qty_kenya-nyeri": "1", more: "kenya-nyeri" });
    expect(await inCart()).toEqual({ "kenya-nyeri": "2", "rwanda-huye": "2" });
  });

  test("is replaced by the bags of a link, and keeps the rest of its address out", async () => {
    const { change, get, inCart } = browser();
    await change({ bags: "1", add: "rwanda-huye" });
    const { status, headers } = await get("/?items=kenya-nyeri:2&gift_note=Hi&utm_source=x");
    expect([status, headers.get("location")]).toEqual([303, "/"]);
    expect(await inCart()).toEqual({ "kenya-nyeri": "2" });
    expect((await get("/")).text).toMatch(/>\s*Hi<\/textarea>/);
  });

  test("keeps the note and code on the way to checkout", async () => {
    const { change, get } = browser();
    const fields = { "qty_kenya-nyeri": "1", gift_note: "For you & me", discount_code: "firstbag" };
    expect(await change(fields)).toBe("/#cart");
    expect(text((await get("/")).text)).toContain("−$4.40");
    const checkout = await change({ ...fields, go: "checkout" });
    expect(checkout).toMatch(/^\/checkout\/chk_[\w-]{22}$/);
    const form = await get(checkout!);
    expect(form.text).toMatch(/>\s*For you &amp; me<\/textarea>/);
    expect(form.text).toContain('value="FIRSTBAG"');
    expect(text(form.text)).not.toContain("link you opened");
  });

  test.each([
    ["set to 0", { "qty_kenya-nyeri": "0" }],
    ["taken out", { "qty_kenya-nyeri": "1", remove: "kenya-nyeri" }],
  ])("keeps the note and code for the next bean if its last bean is %s", async (_, bags) => {
    const { change, get, inCart } = browser();
    const texts = { gift_note: "For you", discount_code: "firstbag" };
    expect(await change({ ...(bags as Record<string, string>), ...texts })).toBe("/#cart");
    const { text: page, headers } = await get("/");
    expect(headers.get("cache-control")).toBe("no-store, no-transform");
    expect(text(page)).toContain(
      "Your cart is empty. We’ll keep your note and code for the next coffee",
    );
    expect(page).toMatch(/>\s*For you<\/textarea>/);
    expect(page).toContain('value="FIRSTBAG"');
    expect(page).not.toContain('value="checkout"');
    await change({ bags: "1", add: "rwanda-huye" });
    expect(await inCart()).toEqual({ "rwanda-huye": "1" });
    expect((await get("/")).text).toMatch(/>\s*For you<\/textarea>/);
  });

  test("names a bean that isn't sold any more", async () => {
    const { catalog } = shop.service.merchant.admin("cli");
    const file = await catalog.export();
    const [kenya, ...others] = file.products;
    const another = { ...kenya!, product_id: "kenya-other" };
    await catalog.import({ file: JSON.stringify({ products: [another, ...others] }) });
    onTestFinished(async () => void (await catalog.import({ file: JSON.stringify(file) })));
    for (const items of ["kenya-nyeri:2", "kenya-nyeri:2,rwanda-huye:1", "kenya-nyeri:0"]) {
      const { text: page, headers } = await get(`/?items=${items},nothing:1`);
      const named = text(page).includes("Kenya Nyeri isn’t sold any more.");
      expect([items, named]).toEqual([items, !items.endsWith(":0")]);
      if (named) expect(headers.get("cache-control")).toBe("no-store, no-transform");
      expect(page.match(/isn’t sold any more/g) ?? []).toHaveLength(named ? 1 : 0);
    }
    const { post, change } = browser();
    const bags = { "qty_kenya-nyeri": "2", "qty_rwanda-huye": "1", go: "checkout" };
    const left = await post("/cart", bags);
    expect([left.status, text(left.text)]).toEqual([
      422,
      expect.stringContaining("isn’t sold any more"),
    ]);
    expect(await change({ "qty_rwanda-huye": "1", go: "checkout" })).toMatch(/^\/checkout\//);
  });

  test("says how much to add for free shipping", async () => {
    const { change, get } = browser();
    await change({ bags: "1", add: "kenya-nyeri" });
    const { text: page } = await get("/");
    expect(text(page)).toContain("Add $18.00 for free shipping.");
  });

  test.each([
    ["half a bag", { "qty_kenya-nyeri": "0.5" }, "Kenya Nyeri: a whole number of bags"],
    ["a word", { "qty_kenya-nyeri": "two" }, "Kenya Nyeri: a whole number of bags"],
    [
      "too many of one coffee",
      { "qty_kenya-nyeri": "101" },
      "a whole number of bags, at most 100.",
    ],
    [
      "bags added to a wrong number",
      { "qty_kenya-nyeri": "1e1", bags: "1", add: "kenya-nyeri" },
      "Kenya Nyeri: a whole number of bags",
    ],
    ["an unknown code", { "qty_kenya-nyeri": "1", discount_code: "X", go: "checkout" }, "No such"],
    [
      "a bean that is short",
      { "qty_rwanda-huye": "41", go: "checkout" },
      "Rwanda Huye has only 40 left.",
    ],
  ])("says what is wrong with %s and stays on the page", async (_name, fields, said) => {
    const { status, text: page } = await browser().post(
      "/cart",
      fields as unknown as Record<string, string>,
    );
    expect(status).toBe(422);
    expect(text(page)).toContain(said);
    expect(page).toContain('aria-invalid="true"');
  });

  test("offers the waitlist and the bags that are left for a short bean, and no Add for a sold-out one", async () => {
    const { stock } = shop.service.merchant.admin("cli");
    const offered = async (items: string) => {
      const { text: page } = await get(`/?items=${items}`);
      return / href="\/waitlist\?bean=rwanda-huye&amp;bags=(\d+)"/.exec(page)?.[1];
    };
    expect(await offered("rwanda-huye:41")).toBeUndefined();
    await stock.set({ product_id: "rwanda-huye", on_hand: 3 });
    expect([await offered("rwanda-huye:5"), await offered("rwanda-huye:30")]).toEqual(["5", "20"]);
    await stock.set({ product_id: "rwanda-huye", on_hand: 0 });
    const { text: page } = await get("/");
    await stock.set({ product_id: "rwanda-huye", on_hand: 3 });
    const choices = async () =>
      text(/ id="bags-rwanda-huye".*?>(.*?)<\/select>/s.exec((await get("/")).text)![1]!).trim();
    expect(await choices()).toBe("1 2 3");
    await stock.set({ product_id: "rwanda-huye", on_hand: 11 });
    expect(await choices()).toBe("1 2 3 4 5 6 8 10");
    expect(text((await get("/")).text)).toContain("Only 11 bags left");
    await stock.set({ product_id: "rwanda-huye", on_hand: 40 });
    expect(page).toContain('href="/waitlist?bean=rwanda-huye"');
    expect(page).not.toContain('id="bags-rwanda-huye"');
  });

  test("never sells the exclusive bean, even without the form", async () => {
    expect((await get("/")).text).not.toContain('id="bags-yemen-haraz"');
    const { status, text: page } = await browser().post("/cart", {
      "qty_yemen-haraz": "1",
      go: "checkout",
    });
    expect(status).toBe(422);
    expect(text(page)).toContain("not sold over quick checkout");
  });

  test.each([
    ["an unknown bean", "nope:1", ["We don’t sell “nope”, so we left it out."]],
    ["a word", "garbage", ["We don’t sell “garbage”, so we left it out."]],
    [
      "unknown beans",
      "nope:1,other:2,nope:3",
      ["We don’t sell “nope” and “other”, so we left them out."],
    ],
    ["no bags", "kenya-nyeri:0", ["This link asks for 0 bags of Kenya Nyeri, so we left it out."]],
    ["markup", "<b>:2", ["We couldn’t read a part of this link, so we left it out."]],
    ["a colon", ":", []],
    ["a number", ":3", ["We couldn’t read a part of this link, so we left it out."]],
    [
      "too many characters",
      `${"a".repeat(3000)}:1`,
      ["This link names too many coffees to read, so we left them out."],
    ],
    [
      "two lists",
      "kenya-nyeri:2&items=rwanda-huye:1",
      ["This link has two lists of coffee, so we left both out."],
    ],
  ])(
    "says what it left out of a cart address with %s, and keeps the cart",
    async (_, items, said) => {
      const { change, get: visit, inCart } = browser();
      await change({ bags: "1", add: "rwanda-huye" });
      const link = `/?items=${items}`;
      for (const { status, text: page } of [await visit(link), await get(link)]) {
        expect([status, problemsOf(page)]).toEqual([200, said]);
      }
      expect(await inCart()).toEqual({ "rwanda-huye": "1" });
    },
  );

  test("says what it left out beside the good bags of a cart address", async () => {
    const { get, inCart } = browser();
    const items = "kenya-nyeri:1,nope:2, rwanda-huye:1,kenya-nyeri:2,";
    const { status, text: page } = await get(`/?items=${encodeURIComponent(items)}`);
    expect([status, problemsOf(page)]).toEqual([200, [expect.stringContaining("“nope”")]]);
    expect(await inCart()).toEqual({ "kenya-nyeri": "3", "rwanda-huye": "1" });
  });

  test("asks to complete a gift note that an & in a cart address cut", async () => {
    const { text: page } = await get("/?items=kenya-nyeri:1&gift_note=Mom&Dad&utm_source=x");
    expect(linkedFields(page)).toEqual(["gift_note"]);
    expect(page).toMatch(/>\s*Mom<\/textarea>/);
  });

  test("asks for the number of bags that a cart address left out", async () => {
    const { text: page } = await get("/?items=kenya-nyeri,rwanda-huye:1");
    expect(linkedFields(page)).toEqual(["qty_kenya-nyeri"]);
  });

  test("shows the shop for an empty cart address", async () => {
    expect((await get("/?items=")).text).toContain("roasted when you order");
  });
});

/** Problems in the summary above the cart. */
function problemsOf(page: string): string[] {
  const [, summary = ""] = /<div [^>]*id="problems".*?<ul>(.*?)<\/ul>/s.exec(page) ?? [];
  return [...summary.matchAll(/<li>(.*?)<\/li>/gs)].map(([, told]) => text(told!).trim());
}
