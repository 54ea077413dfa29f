/** What holds of any catalog and any order of it: laws of the answers, not cases. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEngine } from "../../src/ask/engine.ts";
import type { Catalog, Product } from "../../src/catalog/catalog.ts";
import { loadCatalog } from "../../src/catalog/catalog-file.ts";
import { LIMITS } from "../../src/core/policy.ts";
import { namedBeans } from "./judging.ts";

const shipped = loadCatalog("resources/catalog.json");
const other = loadCatalog("test/ask/questions/other-catalog.json");

/** Without the rules that a file is held to: a shop may have one bean less for a moment. */
const catalogOf = (products: readonly Product[]): Catalog => {
  const find = (id: string) => products.find(({ product_id }) => product_id === id);
  return { products, find, known: find };
};

/** What a shop of these beans names to a question; reading a catalog costs as much as seventy answers. */
function shopOf(products: readonly Product[]) {
  const catalog = catalogOf(products);
  const ask = createEngine(catalog);
  return (question: string) => [...namedBeans(ask(question), catalog)].sort();
}

const SUPERLATIVES = [
  "which is the cheapest?",
  "most expensive coffee?",
  "what is the darkest roast?",
  "lowest acidity?",
  "the most acidic one?",
  "heaviest body?",
  "which is the fruitiest?",
  "which uses the hottest water?",
  "longest cold brew?",
  "cheapest washed coffee that is not decaf?",
  "Which AeroPress recipe has the lowest temperature?",
];

describe("a superlative", () => {
  it("is the same in any order of the beans", () => {
    for (const { products } of [shipped, other]) {
      const named = shopOf(products);
      const orders = fc.shuffledSubarray([...products], { minLength: products.length });
      fc.assert(
        fc.property(orders, (order) => {
          const again = shopOf(order);
          for (const question of SUPERLATIVES) expect(again(question)).toEqual(named(question));
        }),
        { numRuns: 10 },
      );
    }
  });

  it("is unbeaten by any bean there is", () => {
    for (const { products } of [shipped, other])
      for (const dropped of products) {
        const rest = products.filter((product) => product !== dropped);
        const cheapest = Math.min(...rest.map(({ price_minor }) => price_minor));
        const ids = rest.filter(({ price_minor }) => price_minor === cheapest);
        expect(shopOf(rest)("cheapest?")).toEqual(ids.map(({ product_id }) => product_id));
      }
  });
});

const TRAITS = [
  ["washed", "not washed"],
  ["which coffees have nut notes?", "which coffees have no nut notes?"],
  ["which coffees have chocolate notes?", "which coffees have no chocolate notes?"],
  ["which have floral notes?", "which do not have floral notes?"],
  ["which are from Africa?", "which are not from Africa?"],
  ["which work as espresso?", "which don't work as espresso?"],
  ["which are decaf?", "which are not decaf?"],
] as const;

describe("a not", () => {
  const shops = [shipped, other].map(({ products }) => ({ products, named: shopOf(products) }));

  it.each(TRAITS)("turns the set round: %s / %s", (yes, no) => {
    for (const { products, named } of shops) {
      const all = products.map(({ product_id }) => product_id).sort();
      const [having, lacking] = [named(yes), named(no)];
      expect([...having, ...lacking].sort()).toEqual(all);
    }
  });

  it("is kept to: no bean is named that has what is not wished", () => {
    for (const { products, named } of shops) {
      const notes = [...new Set(products.flatMap(({ facts }) => facts.tasting_notes))];
      for (const note of notes)
        for (const wish of [`something without ${note}`, `I hate ${note}`, `no ${note} please`])
          for (const id of named(wish)) {
            const found = products.find(({ product_id }) => product_id === id);
            expect([wish, found?.facts.tasting_notes]).not.toEqual([
              wish,
              expect.arrayContaining([note]),
            ]);
          }
    }
  });
});

/** Every name, place, variety and note with other letters, the same everywhere. */
function renamed(text: string, names: ReadonlyMap<string, string>): string {
  return [...names].reduce(
    (said, [from, to]) => said.replaceAll(new RegExp(`(?<!\\p{L})${from}(?!\\p{L})`, "giu"), to),
    text,
  );
}

describe("another name for everything", () => {
  const names = new Map([
    ["Huila", "Zumbala"],
    ["Guji", "Qorvane"],
    ["Chiapas", "Wexilto"],
    ["Boquete", "Tirrabal"],
    ["Geisha", "Mirandel"],
    ["blueberry", "quorberry"],
    ["jasmine", "velmint"],
    ["caramel", "sorpane"],
  ]);
  const asked = [
    "What does the Guji taste like?",
    "where is the Geisha from?",
    "is the Huila washed?",
    "which has caramel?",
    "jasmine?",
    "anything with blueberry",
    "which is cheaper, the Huila or the Guji?",
    "cheapest?",
    "how do I brew the Chiapas as espresso?",
    "how much are two bags of the Huila?",
    "tell me about the Boquete",
  ];
  const products = JSON.parse(renamed(JSON.stringify(shipped.products), names)) as Product[];
  const ask = createEngine(shipped);
  const askRenamed = createEngine(catalogOf(products));

  it.each(asked)("renames the answer, and nothing else: %s", (question) => {
    const before = ask(question).answer;
    const after = askRenamed(renamed(question, names)).answer;
    expect(after.toLowerCase()).toBe(renamed(before, names).toLowerCase());
  });
});

describe("what can be had now", () => {
  it("is told by its number, but of more than a line takes only that there is some", () => {
    const ask = createEngine(shipped);
    const [huila, guji, decaf] = shipped.products.map(({ product_id }) => product_id);
    const free = new Map([
      [huila!, LIMITS.quantity_per_line],
      [guji!, 3],
      [decaf!, 0],
    ]);
    const told = (question: string) => ask(question, { free }).answer;
    expect(told("Is the Huila in stock?")).toContain("(in stock now)");
    expect(told("How many bags of the Guji are left?")).toContain("(3 in stock now, ");
    expect(told("How many bags of the decaf are left?")).toContain("(sold out now)");
    expect(told("Can I get 30 bags of the Guji?")).toContain("(3 in stock now, ");
    expect(told("Could I have 4 bags of the decaf today?")).toMatch(/^No: .*sold out now/);
    expect(told("Can I get 3 bags of the Guji?")).toMatch(/^Yes: /);
    expect(told("Can six bags of the Guji be had?")).toMatch(/^No: /);
    expect(told("I'd like three bags of the Guji. Is that possible?")).toMatch(/^Yes: /);
    expect(told("Could I order 40 Huila to my office and 40 Huila to my home?")).toContain(
      "at most 50 bags of Colombia Huila",
    );
    expect(told("Can I get 60 bags of the Huila?")).toMatch(
      /^No: .*at most 50 bags of Colombia Huila/,
    );
    expect(told("5 Guji and 2 Huila, total?")).toMatch(
      /\$166\.50.*Guji \(3 in stock now, [^)]+\)\.$/,
    );
    expect(ask("How many bags of the Guji are left?", { free })).not.toHaveProperty("not_answered");
    expect(ask("How many Guji are left?", { free })).not.toHaveProperty("not_answered");
    for (const question of [
      "How many bags of the Huila could I buy now?",
      "How many Huila can I have?",
      "What's the max I can order of the Huila?",
    ])
      expect(told(question), question).toContain("at most 50 bags of Colombia Huila");
    expect(told("Do you have any Ethiopian left?")).toContain("(3 in stock now, ");
    expect(told("Could we still get the Guji?")).toContain("(3 in stock now, ");
    expect(told("Do you have the Guji?")).toContain("(3 in stock now, ");
    expect(told("Do you have anything with walnut?")).toContain("(sold out now)");
    expect(told("Can I have a bag of decaf?")).toContain("(sold out now)");
    expect(told("What makes the Guji special, and how many bags could I order?")).toContain(
      "(3 in stock now, ",
    );
    expect(told("Can I get 10 bags of the Guji, and if not how many?")).toMatch(/^No: [^.]+\.$/);
    expect(told("How many bags of the Huila can I have in one order?")).toContain(
      "at most 50 bags",
    );
    expect(told("Compare the Guji and the Huila for price and stock.")).toContain(
      "(3 in stock now, ",
    );
    expect(told("Can I get 10 Ethiopias by Friday?")).toContain("No: Availability");
    expect(told("can I get Mexico right now")).toContain("(sold out now)");
    expect(told("Why can't I buy the decaf?")).toContain("(sold out now)");
    expect(told("Which coffee isn't available at the moment?")).toContain("Decaf (sold out now)");
    expect(told("Which coffee isn't available at the moment?")).not.toContain("Huila");
    expect(told("Which ones aren't sold out?")).not.toContain("Chiapas");
    expect(told("What is in stock that is no light roast?")).toContain("Huila (in stock now)");
    expect(told("Which light roasts are sold out?")).toContain("Panama Boquete Geisha");
    expect(told("Which light roasts are in stock?")).not.toContain("Panama Boquete Geisha");
  });
});
