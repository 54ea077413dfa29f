import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { startService } from "../support/service.ts";
import { send } from "../support/shopper.ts";
import { text } from "./pages/reading.ts";
import { BROWSER } from "./quick-checkout/checkout.ts";

const shop = await startService();
afterAll(() => shop.stop());

const get = (path: string) => send(shop.baseUrl, path, { headers: BROWSER });
const cart = (fields: Record<string, string>) => get(`/cart?${new URLSearchParams(fields)}`);
const leadsTo = async (fields: Record<string, string>) => {
  const { status, headers } = await cart(fields);
  expect(status).toBe(303);
  return headers.get("location");
};

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

  test("has a link preview with title, description, address and picture", async () => {
    const { text: page } = await get("/");
    for (const name of ["og:title", "og:description", "og:url", "og:image", "og:image:alt"]) {
      expect(page).toContain(`<meta property="${name}" content="`);
    }
    expect(page).toContain(`content="${shop.baseUrl}/assets/coffee.jpg"`);
    expect(page).toContain('name="twitter:card"');
  });

  test("has a sample conversation with a real bean and total", async () => {
    const talk = text((await get("/")).text);
    expect(talk).toContain("2 bags come to $44.00, shipping is free.");
    expect(talk).toContain("register_agent");
  });
});

describe("the page of a bean", () => {
  test("shows varieties and brewing, and adds to the buyer's cart", async () => {
    const page = await get("/beans/kenya-nyeri?items=kenya-nyeri:2");
    expect(page.status).toBe(200);
    expect(text(page.text)).toContain("How to brew it");
    expect(page.text).toContain('<input type="hidden" name="qty_kenya-nyeri" value="2">');
    expect(page.text).toContain('name="add" value="kenya-nyeri"');
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

  test.each(["/shipping", "/privacy"])("%s is linked in the footer", async (path) => {
    expect((await get("/")).text).toContain(`href="${path}"`);
    expect((await get(path)).status).toBe(200);
  });
});

describe("the cart in the page's address", () => {
  test("starts with an Add, and leads back to the bean", async () => {
    const to = await leadsTo({
      "bags_kenya-nyeri": "2",
      "bags_rwanda-huye": "1",
      add: "kenya-nyeri",
    });
    expect(to).toBe("/?items=kenya-nyeri:2#bean-kenya-nyeri");
    const { text: page, headers } = await get(to!);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(text(page)).toContain("2 bags in your cart");
    expect(text(page)).toContain("Total $44.00");
  });

  test("adds, changes and removes bags; the empty cart is the shop again", async () => {
    const two = { "qty_kenya-nyeri": "2", "qty_rwanda-huye": "1" };
    expect(await leadsTo({ ...two, "bags_kenya-nyeri": "3", add: "kenya-nyeri" })).toBe(
      "/?items=kenya-nyeri:5,rwanda-huye:1#bean-kenya-nyeri",
    );
    expect(await leadsTo({ ...two, "qty_kenya-nyeri": "7" })).toBe(
      "/?items=kenya-nyeri:7,rwanda-huye:1#cart",
    );
    expect(await leadsTo({ ...two, remove: "kenya-nyeri" })).toBe("/?items=rwanda-huye:1#cart");
    for (const pressed of [{}, { go: "checkout" }]) {
      expect(await leadsTo({ "qty_kenya-nyeri": "0", ...pressed })).toBe("/#beans");
    }
  });

  test("keeps the note and code on the way to checkout", async () => {
    const fields = { "qty_kenya-nyeri": "1", gift_note: "For you & me", discount_code: "firstbag" };
    const query = "items=kenya-nyeri:1&discount_code=firstbag&gift_note=For%20you%20%26%20me";
    expect(await leadsTo(fields)).toBe(`/?${query}#cart`);
    expect(text((await get(`/?${query}`)).text)).toContain("−$4.40");
    const checkout = await leadsTo({ ...fields, go: "checkout" });
    expect(checkout).toBe(`/v1/quick-checkout?${query}`);
    const opened = await get(checkout!);
    expect(opened.status).toBe(303);
    const form = await get(new URL(opened.headers.get("location")!).pathname);
    expect(text(form.text)).toMatch(/Gift note in this cart\W+For you/);
    expect(text(form.text)).not.toContain("link you opened");
  });

  test.each([
    ["emptied", { "qty_kenya-nyeri": "" }],
    ["set to 0", { "qty_kenya-nyeri": "0" }],
    ["taken out", { "qty_kenya-nyeri": "1", remove: "kenya-nyeri" }],
  ])("keeps the note and code for the next bean if its last bean is %s", async (_, bags) => {
    const texts = { gift_note: "For you", discount_code: "firstbag" };
    const query = "discount_code=firstbag&gift_note=For%20you";
    const to = await leadsTo({ ...(bags as Record<string, string>), ...texts });
    expect(to).toBe(`/?${query}#cart`);
    const { text: page, headers } = await get(to!);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(text(page)).toContain(
      "Your cart is empty. We’ll keep your note and code for the next coffee",
    );
    expect(page).toMatch(/>\s*For you<\/textarea>/);
    expect(page).toContain('value="firstbag"');
    expect(page).not.toContain('value="checkout"');
    const added = await leadsTo({ ...texts, "bags_rwanda-huye": "1", add: "rwanda-huye" });
    expect(added).toBe(`/?items=rwanda-huye:1&${query}#bean-rwanda-huye`);
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
      if (named) expect(headers.get("cache-control")).toBe("no-store");
      expect(page.match(/isn’t sold any more/g) ?? []).toHaveLength(named ? 1 : 0);
    }
    const left = await cart({ "qty_kenya-nyeri": "2", "qty_rwanda-huye": "1", go: "checkout" });
    expect([left.status, text(left.text)]).toEqual([
      422,
      expect.stringContaining("isn’t sold any more"),
    ]);
    expect(await leadsTo({ "qty_rwanda-huye": "1", go: "checkout" })).toContain("quick-checkout");
  });

  test("says how much to add for free shipping", async () => {
    const { text: page } = await get("/?items=kenya-nyeri:1");
    expect(text(page)).toContain("Add $18.00 for free shipping.");
  });

  test.each([
    ["half a bag", { "qty_kenya-nyeri": "0.5" }, "Kenya Nyeri: a whole number of bags"],
    ["a word", { "qty_kenya-nyeri": "two" }, "Kenya Nyeri: a whole number of bags"],
    [
      "bags added to a wrong number",
      { "qty_kenya-nyeri": "1e1", "bags_kenya-nyeri": "1", add: "kenya-nyeri" },
      "Kenya Nyeri: a whole number of bags",
    ],
    ["an unknown code", { "qty_kenya-nyeri": "1", discount_code: "X", go: "checkout" }, "No such"],
    [
      "a bean that is short",
      { "qty_rwanda-huye": "41", go: "checkout" },
      "Rwanda Huye has only 40 left.",
    ],
  ])("says what is wrong with %s and stays on the page", async (_name, fields, said) => {
    const { status, text: page } = await cart(fields as unknown as Record<string, string>);
    expect(status).toBe(422);
    expect(text(page)).toContain(said);
    expect(page).toContain('aria-invalid="true"');
  });

  test("offers the waitlist and the bags that are left for a short bean, and no Add for a sold-out one", async () => {
    const { stock } = shop.service.merchant.admin("cli");
    expect((await get("/?items=rwanda-huye:41")).text).toContain(
      'href="/waitlist?bean=rwanda-huye&amp;bags=41"',
    );
    await stock.set({ product_id: "rwanda-huye", on_hand: 0 });
    const { text: page } = await get("/");
    await stock.set({ product_id: "rwanda-huye", on_hand: 3 });
    const choices = async () =>
      text(/ name="bags_rwanda-huye".*?>(.*?)<\/select>/s.exec((await get("/")).text)![1]!).trim();
    expect(await choices()).toBe("1 2 3");
    await stock.set({ product_id: "rwanda-huye", on_hand: 11 });
    expect(await choices()).toBe("1 2 3 4 5 6 8 10");
    expect(text((await get("/")).text)).toContain("Only 11 bags left");
    await stock.set({ product_id: "rwanda-huye", on_hand: 40 });
    expect(page).toContain('href="/waitlist?bean=rwanda-huye"');
    expect(page).not.toContain('name="bags_rwanda-huye"');
  });

  test("never sells the exclusive bean, even without the form", async () => {
    expect((await get("/")).text).not.toContain('name="bags_yemen-haraz"');
    const { status, text: page } = await cart({ "qty_yemen-haraz": "1", go: "checkout" });
    expect(status).toBe(422);
    expect(text(page)).toContain("not sold over quick checkout");
  });

  test("shows the shop for a broken cart address, without its text", async () => {
    for (const items of ["", "nothing", "<b>:2", "mystery:2", ":", `${"a".repeat(3000)}:1`]) {
      const { status, text: page } = await get(`/?items=${encodeURIComponent(items)}`);
      expect(status).toBe(200);
      expect(page).toContain("roasted when you order");
    }
  });
});
