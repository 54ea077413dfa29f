import { mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CatalogError, loadCatalog, readCatalog } from "../../src/catalog/catalog.ts";
import { DEFAULT_SHOP } from "../../src/core/shop.ts";
import { CATALOG_FILE, SHIPPED_CATALOG_FILE, STOCKED } from "../support/catalog.ts";

type Loose = Record<string, unknown>;
interface File {
  products: (Loose & { facts: Loose })[];
}

const read = () => JSON.parse(readFileSync(CATALOG_FILE, "utf8")) as File;

/** The problems of the tests' file after one change. */
function problemsAfter(change: (file: File) => void): readonly string[] {
  const file = read();
  change(file);
  try {
    readCatalog(JSON.stringify(file));
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(CatalogError);
    return (error as CatalogError).problems;
  }
}

describe("the owner's shop in the catalog file", () => {
  const shopOf = (shop?: object) => readCatalog(JSON.stringify({ ...read(), shop })).shop;

  it("has a default for every field", () => {
    expect(shopOf()).toEqual(DEFAULT_SHOP);
    expect(shopOf({ name: "Hill Street Roasters" })).toEqual({
      ...DEFAULT_SHOP,
      name: "Hill Street Roasters",
    });
  });

  it("is refused with every field that is wrong", () => {
    const wrong = { name: " A", contact_email: "nobody", delivery_days: [9, 3], color: "red" };
    const problems = problemsAfter((file) => Object.assign(file, { shop: wrong }));
    for (const field of ["shop.name", "shop.contact_email", "shop.delivery_days", "shop.color"]) {
      expect(problems.join("\n")).toContain(field);
    }
  });
});

describe("the catalog we ship", () => {
  const { products } = loadCatalog(SHIPPED_CATALOG_FILE);

  it("has four beans: one decaf, one exclusive, and a small lot", () => {
    const of = (wanted: string) => products.filter(({ availability }) => availability === wanted);
    const decafs = products.filter(({ decaf }) => decaf);
    expect([products.length, decafs.length, of("EXCLUSIVE").length]).toEqual([4, 1, 1]);
    expect(of("WAITLIST").length).toBeGreaterThan(0);
  });

  it("tells origin, process, varieties, roast and notes in every summary", () => {
    for (const { summary, facts } of products) {
      const said = summary.toLowerCase();
      const told = [facts.country, facts.region, ...facts.varieties, ...facts.tasting_notes];
      for (const word of told) expect(said).toContain(word.toLowerCase());
      expect(said).toContain(facts.process.split(",")[0]?.toLowerCase());
      expect(said).toContain("roast");
    }
  });

  it("has one image, a JPEG of at most 150 KB", () => {
    expect(statSync("resources/coffee.jpg").size).toBeLessThanOrEqual(150 * 1024);
    expect([...readFileSync("resources/coffee.jpg").subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
  });
});

it("a bean is found by its id only", () => {
  const catalog = loadCatalog(CATALOG_FILE);
  expect(catalog.find(STOCKED)?.price_minor).toBe(2200);
  for (const id of ["", "Kenya-Nyeri", "constructor", "__proto__"])
    expect(catalog.find(id)).toBeUndefined();
});

describe("a catalog is refused", () => {
  it.each<[string, (file: File) => void, string]>([
    [
      "an altitude key",
      (f) => (f.products[0]!.altitude = 1),
      'products[0].altitude: "altitude" is not a field here.',
    ],
    [
      "a producer fact",
      (f) => (f.products[1]!.facts.producer = "x"),
      'products[1].facts.producer: "producer" is not a field here.',
    ],
    [
      "an altitude in a sentence",
      (f) => (f.products[0]!.summary = "Grown at 1800 masl."),
      "products[0].summary",
    ],
    [
      "metres in a sentence",
      (f) => (f.products[0]!.summary = "Picked at 1,900 m."),
      "mentions altitude",
    ],
    [
      "a farm in a sentence",
      (f) => (f.products[0]!.choose_if = "You like small farms."),
      "mentions a producer",
    ],
    ["a price of 49", (f) => (f.products[0]!.price_minor = 49), "products[0].price_minor"],
    ["a price of 22.5", (f) => (f.products[0]!.price_minor = 22.5), "products[0].price_minor"],
    ["a price as text", (f) => (f.products[0]!.price_minor = "2200"), "products[0].price_minor"],
    [
      "a price over the top",
      (f) => (f.products[0]!.price_minor = 1_000_001),
      "products[0].price_minor",
    ],
    ["an id with a colon", (f) => (f.products[0]!.product_id = "a:b"), "products[0].product_id"],
    ["an id with a comma", (f) => (f.products[0]!.product_id = "a,b"), "products[0].product_id"],
    ["an id with capitals", (f) => (f.products[0]!.product_id = "Nyeri"), "products[0].product_id"],
    [
      "an id with two hyphens",
      (f) => (f.products[0]!.product_id = "a--b"),
      "products[0].product_id",
    ],
    [
      "one id twice",
      (f) => (f.products[1]!.product_id = "kenya-nyeri"),
      "is already the id of products[0]",
    ],
    [
      "two exclusives",
      (f) => (f.products[0]!.availability = "EXCLUSIVE"),
      "only one can be EXCLUSIVE, found 2",
    ],
    [
      "another availability",
      (f) => (f.products[0]!.availability = "SOON"),
      'products[0].availability: Send one of "STOCKED", "WAITLIST", "EXCLUSIVE".',
    ],
    [
      "text in place of true or false",
      (f) => (f.products[0]!.decaf = "no" as never),
      "products[0].decaf: Send true or false.",
    ],
    [
      "a field by another name",
      (f) => (f.products[0]!.price_cents = 2200),
      'products[0].price_cents: "price_cents" is not a field here.',
    ],
    ["negative stock", (f) => (f.products[0]!.opening_stock = -1), "products[0].opening_stock"],
    [
      "no notes",
      (f) => (f.products[0]!.facts.tasting_notes = []),
      "products[0].facts.tasting_notes",
    ],
    ["a blank name", (f) => (f.products[0]!.name = " "), "products[0].name"],
    ["a line break", (f) => (f.products[0]!.name = "a\nb"), "control characters"],
    [
      "a name without its country",
      (f) => (f.products[0]!.name_to_use_with_humans = "Nyeri"),
      "must include the country",
    ],
    ["no products", (f) => (f.products = []), "at least one must be on sale"],
    ["a product that is none", (f) => (f.products[0] = null as never), "products[0]"],
  ])("for %s", (_what, change, expected) => {
    const problems = problemsAfter(change);
    expect(problems.join("\n")).toContain(expected);
  });

  it.each([null, [], "text", 4, {}, { products: {} }])("when it is %j", (json) => {
    expect(() => readCatalog(JSON.stringify(json))).toThrow(CatalogError);
  });

  it("with every problem at once, of single beans and between them", () => {
    const problems = problemsAfter(({ products }) => {
      products[0]!.price_minor = -1;
      products[0]!.altitude = 1900;
      products[1]!.product_id = "kenya-nyeri";
      products[0]!.availability = "EXCLUSIVE";
    });
    expect(problems).toHaveLength(4);
  });
});

describe("a catalog file", () => {
  const path = join(mkdtempSync(join(tmpdir(), "catalog-")), "beans.json");
  const loading = (text: string) => () => {
    writeFileSync(path, text);
    return loadCatalog(path);
  };

  it("is named in the error with every problem", () => {
    const file = read();
    file.products[0]!.price_minor = 0;
    file.products[0]!.farm = "x";
    expect(loading(JSON.stringify(file))).toThrow(/beans\.json[\s\S]*price_minor[\s\S]*farm/);
  });

  it("is named when it is not there or not JSON", () => {
    expect(() => loadCatalog(`${path}.missing`)).toThrow(
      /beans\.json\.missing[\s\S]*cannot be read/,
    );
    expect(loading("{,}")).toThrow(/beans\.json[\s\S]*is not JSON/);
  });

  it("may begin with a byte order mark", () => {
    expect(loading(`\uFEFF${JSON.stringify(read())}`)().products).toHaveLength(4);
  });
});
