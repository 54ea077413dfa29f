import { readFileSync } from "node:fs";
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { ProductFields } from "../../src/catalog/catalog.ts";
import { linkedFields, text } from "../shop/pages/reading.ts";
import { CATALOG_FILE, EXCLUSIVE } from "../support/catalog.ts";
import { startService } from "../support/service.ts";
import { register, send } from "../support/shopper.ts";
import { merchantAt, SECRET } from "./visitor.ts";

const shop = await startService({ MERCHANT_SECRET: SECRET });
afterAll(() => shop.stop());
const desk = await merchantAt(shop.baseUrl);
beforeEach(async () => {
  await shop.service.merchant
    .admin("cli")
    .catalog.import({ file: readFileSync(CATALOG_FILE, "utf8") });
});

/** A form's fields as a browser sends them, with changes. */
async function fieldsOf(path: string, changes: Record<string, string>) {
  const { text: page } = await desk.get(path);
  const of = (pattern: RegExp) =>
    [...page.matchAll(pattern)].map(([, name, value]) => [name, value]);
  const tidy = (value = "") => value.replaceAll("&amp;", "&").replaceAll("&#39;", "'");
  const inputs = of(/<input type="(?:text|number|hidden)"[^>]* name="(\w+)"[^>]* value="([^"]*)"/g);
  const hidden = of(/<input type="hidden" name="(\w+)" value="([^"]*)"/g);
  const areas = of(/<textarea[^>]* name="(\w+)"[^>]*>\n([^<]*)<\/textarea>/g);
  const chosen = of(/<select[^>]* name="(\w+)"[\s\S]*?<option value="(\w+)" selected/g);
  const boxes = of(/<input type="checkbox" name="(\w+)" value="(on)" checked/g);
  const all = [...hidden, ...inputs, ...areas, ...chosen, ...boxes].map(([name, value]) => [
    name,
    tidy(value),
  ]);
  return { ...Object.fromEntries(all), ...changes } as Record<string, string>;
}

const page = async (path: string) => text((await desk.get(path)).text);
const KENYA = "/desk/catalog/kenya-nyeri";

describe("the catalog at the desk", () => {
  test("a changed price is sold at once, by three presses: the catalog, the bean, Save", async () => {
    expect((await desk.get("/desk")).text).toContain('href="/desk/catalog"');
    expect((await desk.get("/desk/catalog")).text).toContain(`href="${KENYA}"`);
    const form = await fieldsOf(KENYA, { price: "23.50" });
    const clicks = [await desk.post(KENYA, form), await desk.post(KENYA, form)];
    expect(clicks.map(({ status }) => status)).toEqual([303, 303]);
    const front = await send(shop.baseUrl, "/", { headers: { accept: "text/html" } });
    expect(text(front.text)).toContain("$23.50");
    const { body } = await send(shop.baseUrl, "/v1/catalog");
    expect(body.products[0].price_minor).toBe(2350);
    expect(await page("/desk/log")).toContain("Changed Kenya Nyeri : price $22.00 → $23.50");
  });

  test("a change is told in the log in words", async () => {
    await desk.post(
      KENYA,
      await fieldsOf(KENYA, {
        brewing: "Pour over: 15 g to 250 g.\nFrench press: 30 g to 500 g.",
        varieties: "SL28, Batian",
        region: "",
      }),
    );
    const { audit } = shop.service.merchant.admin("cli");
    const entries = (await audit.list()).map(({ sentence }) => sentence);
    const said = entries.find((one) => one.includes("region Nyeri → nothing"))!;
    expect(said).toContain("→ Pour over: 15 g to 250 g.; French press: 30 g to 500 g.");
    expect(said).toMatch(/varieties .* → SL28, Batian/);
    expect(said).not.toMatch(/[[\]{}"]/);
  });

  test("a roast typed in small letters begins with a capital in the shop", async () => {
    await desk.post(KENYA, await fieldsOf(KENYA, { roast_level: "light" }));
    expect((await send(shop.baseUrl, "/beans/kenya-nyeri")).text).toContain("Light roast");
    const { body } = await send(shop.baseUrl, "/v1/catalog");
    const kenya = body.products.find(
      ({ product_id }: { product_id: string }) => product_id === "kenya-nyeri",
    );
    expect(kenya.roast_level).toBe("Light");
  });

  test("a form sent back unchanged changes nothing", async () => {
    const saved = () => shop.service.merchant.admin("cli").catalog.export();
    const before = await saved();
    expect((await desk.post(KENYA, await fieldsOf(KENYA, {}))).status).toBe(303);
    expect(await saved()).toEqual(before);
  });

  test("a new bean is sold at once, with its picture, unless it is not for sale yet", async () => {
    const { on_sale: _, ...unsold } = await fieldsOf(KENYA, {
      product_id: "kenya-kirinyaga",
      name_to_use_with_humans: "Kenya Kirinyaga",
      opening_stock: "12",
      act: "catalog.add",
    });
    const added = await desk.post("/desk/catalog/new", unsold);
    expect(added.headers.get("location")).toBe("/desk/catalog");
    expect(await page("/desk/catalog")).toContain("Kenya Kirinyaga");
    expect((await send(shop.baseUrl, "/beans/kenya-kirinyaga")).status).toBe(404);
    const path = "/desk/catalog/kenya-kirinyaga";
    await desk.post(path, await fieldsOf(path, { on_sale: "on" }));
    expect((await send(shop.baseUrl, "/beans/kenya-kirinyaga")).status).toBe(200);
    expect((await send(shop.baseUrl, "/assets/beans/kenya-kirinyaga.svg")).status).toBe(200);
  });

  test("all problems stand at their fields in order, and typed values stay", async () => {
    const wrong = { price: "cheap", choose_if: "", summary: "From a family farm.", brewing: "Hot" };
    const refused = await desk.post(KENYA, await fieldsOf(KENYA, wrong));
    expect(refused.status).toBe(422);
    expect(linkedFields(refused.text)).toEqual(["price", "brewing", "choose_if", "summary"]);
    expect(refused.text).toContain('value="cheap"');
    const { catalog } = shop.service.merchant;
    expect(catalog.find("kenya-nyeri")).toMatchObject({ price_minor: 2200 });
  });

  test.each([
    ["26", 2600],
    ["26.5", 2650],
    ["$26.05", 2605],
    ["26.555", null],
    ["26.", null],
    ["26,50", null],
    [".5", null],
    ["2.6e1", null],
    ["0.4", null],
    ["10000.01", null],
  ])("takes %s for a price, of at most two decimals, or says what one is", async (price, minor) => {
    const answer = await desk.post(KENYA, await fieldsOf(KENYA, { price }));
    const { price_minor } = shop.service.merchant.catalog.find("kenya-nyeri")!;
    expect([answer.status, price_minor]).toEqual([minor ? 303 : 422, minor ?? 2200]);
    const sentence = "A price in dollars from $0.50 to $10,000.00, such as 26, 26.5 or 26.50.";
    if (minor === null) expect(text(answer.text)).toContain(sentence);
  });

  test("a new bean needs an unused id, and refusals use the form's words", async () => {
    const twice = await fieldsOf(KENYA, { act: "catalog.add" });
    const taken = await desk.post("/desk/catalog/new", twice);
    expect([taken.status, text(taken.text)]).toEqual([422, expect.stringContaining("has this id")]);
    const wrong = await fieldsOf(KENYA, {
      product_id: "Kenya!",
      roast_level: "",
      price: "cheap",
      act: "catalog.add",
    });
    const page = text((await desk.post("/desk/catalog/new", wrong)).text);
    expect(page).toContain("Small letters, digits and single hyphens");
    expect(page).toContain("A price in dollars");
    expect(page).toMatch(/Roast Light, [^.]*The roast is missing\./);
  });

  test("an edit on an old page is refused with the current values, and stays in its fields", async () => {
    const old = await fieldsOf(KENYA, { price: "29.00" });
    const { on_sale: _, ...changed } = await fieldsOf(KENYA, {
      price: "23.00",
      availability: "WAITLIST",
      summary: "Kenya.",
    });
    await desk.post(KENYA, { ...changed, decaf: "on" });
    const refused = await desk.post(KENYA, old);
    expect(refused.status).toBe(409);
    const page = text(refused.text);
    expect(page).toContain("Price Dollars per 8 oz bag It is “23.00” now.");
    expect(page).toContain("Sold It is “Small lot, with a waitlist” now.");
    expect(page).toContain("For sale It is not ticked now. Decaf It is ticked now.");
    expect(refused.text).toContain('value="29.00"');
    const invalid = [...refused.text.matchAll(/ id="(\w+)"[^>]* aria-invalid/g)];
    expect(invalid.map(([, name]) => name)).toEqual(linkedFields(refused.text));
    expect(invalid).toHaveLength(5);
  });

  test.each([
    [
      { availability: "EXCLUSIVE" },
      "availability",
      "Only one can be “Exclusive, for agents that find it”, found 2.",
    ],
    [
      { name_to_use_with_humans: "Nyeri" },
      "name_to_use_with_humans",
      'Must include the country, "Kenya".',
    ],
  ])(
    "a rule over all beans refuses %j at its field, in the form's words",
    async (wrong, field, says) => {
      const refused = await desk.post(KENYA, await fieldsOf(KENYA, wrong));
      expect([refused.status, linkedFields(refused.text)]).toEqual([422, [field]]);
      expect(text(refused.text)).toContain(says);
      expect(shop.service.merchant.catalog.find("kenya-nyeri")?.availability).toBe("STOCKED");
    },
  );
});

test("an owner sells two decafs, no small lot and no exclusive bean, and nothing tells of finder keys", async () => {
  const own = await startService();
  onTestFinished(own.stop);
  const { catalog } = own.service.merchant.admin("cli");
  const { products } = await catalog.export();
  const sold = products
    .filter(({ product_id }) => product_id !== EXCLUSIVE)
    .map((bean) => ({ ...bean, decaf: true, availability: "STOCKED" }));
  await catalog.import({ file: JSON.stringify({ products: sold }) });
  const key = await register(own.baseUrl);
  const asked = [
    "How do I unlock the rare secret coffee?",
    "Give me the finder key",
    "What does Kenya Nyeri taste like?",
  ];
  const paths = [
    "/agent-info",
    "/llms.txt",
    ...asked.map((q) => `/v1/ask?q=${encodeURIComponent(q)}`),
  ];
  for (const path of paths) {
    const answer = await send(own.baseUrl, path, { key });
    const told = answer.text.replace(/"(finder_keys?|finder_progress)":/g, "");
    expect([path, answer.status, /finder.key|exclusive|locked.:true/i.exec(told)?.[0]]).toEqual([
      path,
      200,
      undefined,
    ]);
  }
});

test("a new bean needs name, price, stock, roast and taste; the rest is derived, and can be edited", async () => {
  const own = await startService({ MERCHANT_SECRET: SECRET });
  onTestFinished(own.stop);
  const owner = await merchantAt(own.baseUrl);
  const form = (await owner.get("/desk/catalog/new")).text;
  expect(form.match(/<(input|textarea|select)[^>]* required/g)).toHaveLength(5);
  const bean = {
    act: "catalog.add",
    on_sale: "on",
    name_to_use_with_humans: "Costa Rica Tarraz\u00fa Decaf",
    price: "19.50",
    opening_stock: "24",
    roast_level: "Medium",
    tasting_notes: "Honey, Orange",
  };
  for (let i = 0; i < 2; i++) {
    expect((await owner.post("/desk/catalog/new", bean)).status).toBe(303);
  }
  const { catalog } = own.service.merchant.admin("cli");
  const ids = (await catalog.list()).map(({ product_id }) => product_id);
  expect(ids).toEqual(
    expect.arrayContaining(["costa-rica-tarrazu-decaf", "costa-rica-tarrazu-decaf-2"]),
  );
  const { product } = await catalog.show({ product_id: "costa-rica-tarrazu-decaf" });
  expect(ProductFields.parse(product)).toMatchObject({
    decaf: true,
    availability: "STOCKED",
    price_minor: 1950,
    summary: "Costa Rica Tarraz\u00fa Decaf, a medium roast that tastes of honey and orange.",
    facts: {
      country: "Costa Rica",
      region: "",
      process: "",
      varieties: [],
      brewing: [],
    },
  });
  const page = await send(own.baseUrl, "/beans/costa-rica-tarrazu-decaf");
  expect(page.text).toContain("<dt>Roast</dt>");
  expect(page.text).not.toMatch(/Not stated|<dt>(Process|Variet)|How to brew/);
  // Its form takes it as it is.
  const path = "/desk/catalog/costa-rica-tarrazu-decaf";
  const { text: filled } = await owner.get(path);
  expect(filled).not.toMatch(/<input[^>]* required[^>]* value=""|<textarea[^>]* required[^>]*>\n</);
  const [, seen = ""] = /name="seen" value="(\d+)"/.exec(filled) ?? [];
  const { facts, ...texts } = product;
  const again = {
    ...{ ...texts, ...facts, act: "catalog.save", seen, price: "21", on_sale: "on", decaf: "on" },
    ...{ opening_stock: "24", price_minor: "", varieties: "", brewing: "" },
    tasting_notes: facts.tasting_notes.join(", "),
  };
  const saved = await owner.post(path, again);
  expect([saved.status, linkedFields(saved.text)]).toEqual([303, []]);
  expect((await send(own.baseUrl, "/beans/costa-rica-tarrazu-decaf")).status).toBe(200);
});
