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
  /** Where in the file, the value there, and the problem: by default, of that place. */
  it.each<[place: string, value: unknown, problem?: string]>([
    ["products[0].altitude", 1, 'products[0].altitude: "altitude" is not a field here.'],
    ["products[1].facts.producer", "x", '"producer" is not a field here.'],
    ["products[0].price_cents", 2200, '"price_cents" is not a field here.'],
    ["products[0].summary", "Grown at 1800 masl."],
    ["products[0].summary", "Picked at 1,900 m.", "mentions altitude"],
    ["products[0].choose_if", "You like small farms.", "mentions a producer"],
    ...[49, 22.5, "2200", 1_000_001].map((price): [string, unknown] => [
      "products[0].price_minor",
      price,
    ]),
    ...["a:b", "a,b", "Nyeri", "a--b"].map((id): [string, unknown] => [
      "products[0].product_id",
      id,
    ]),
    ["products[1].product_id", "kenya-nyeri", "is already the id of products[0]"],
    ["products[0].availability", "EXCLUSIVE", "only one can be EXCLUSIVE, found 2"],
    ["products[0].availability", "SOON", 'Send one of "STOCKED", "WAITLIST", "EXCLUSIVE".'],
    ["products[0].decaf", "no", "products[0].decaf: Send true or false."],
    ["products[0].opening_stock", -1],
    ["products[0].facts.tasting_notes", []],
    ["products[0].name", " "],
    ["products[0].name", "a\nb", "control characters"],
    ["products[0].name_to_use_with_humans", "Nyeri", "must include the country"],
    ["products", [], "at least one must be on sale"],
    ["products[0]", null],
  ])("with %s set to %j", (place, value, problem = place) => {
    const problems = problemsAfter((file) => {
      const path = place.split(/[.[\]]+/).filter(Boolean);
      const parent = path.slice(0, -1).reduce<Loose>((at, key) => at[key] as Loose, { ...file });
      (path.length === 1 ? (file as unknown as Loose) : parent)[path.at(-1)!] = value;
    });
    expect(problems.join("\n")).toContain(problem);
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
