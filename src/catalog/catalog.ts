/** The catalog file's format, and the rules over all its beans together (contract §1). */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { exact, field, list, type TextRule, text, whole } from "../core/fields.ts";
import { inputProblems } from "../core/input-problems.ts";
import { DEFAULT_SHOP, type Shop, ShopFields } from "../core/shop.ts";

/**
 * Topics that a catalog must not mention: altitude and producer (contract §1). The schema refuses unknown
 * keys; this reads the texts, because a summary may be pasted from an importer's sheet.
 */
const anyOf = (...alternatives: string[]) => new RegExp(`\\b(?:${alternatives.join("|")})\\b`, "i");

const FORBIDDEN_TOPICS: readonly { what: string; pattern: RegExp }[] = [
  {
    what: "altitude",
    pattern: anyOf(
      "altitudes?|elevations?|above sea level|high[- ]grown",
      "m\\.?\\s?a\\.?\\s?s\\.?\\s?l",
      "(?<![\\d.,])\\d[\\d.,]{2,}\\s?(?:m|metres?|meters?|ft|feet)",
    ),
  },
  {
    what: "a producer",
    pattern: anyOf(
      "producers?|farm(?:s|ers?|ed)?|estates?|fincas?|haciendas?|fazendas?|plantations?",
      "co-?operativ(?:e|a)s?|co-?ops?|growers?|grown by|smallholders?|washing stations?",
    ),
  },
];

/** Names the first forbidden topic of a text. */
export const noForbiddenTopic: TextRule = (value) => {
  for (const { what, pattern } of FORBIDDEN_TOPICS) {
    const found = pattern.exec(value);
    if (found) return `"${found[0]}" mentions ${what}, which the catalog must not`;
  }
  return null;
};

const written: TextRule = (value) => {
  if (value !== value.trim()) return "must not begin or end with white space";
  return /\p{Cc}/u.test(value) ? "must not hold control characters or line breaks" : null;
};

const words = (what: string, most: number, least: 0 | 1 = 1) =>
  text({ what, most, least, rules: [written, noForbiddenTopic] });

const BrewingFields = z.strictObject({
  method: words("The method", 60),
  advice: words("The advice", 400),
});

const FactFields = z.strictObject({
  country: words("The country", 60),
  /** Empty if the owner has not stated it, like the next two and the recipes. */
  region: words("The region", 60, 0),
  process: words("The process", 120, 0),
  varieties: list(words("A variety", 60), { most: 12, of: "varieties" }),
  roast: words("The roast in words", 200),
  tasting_notes: list(words("A note", 60), {
    empty: "At least one flavor.",
    most: 12,
    of: "notes",
  }),
  /** How to brew it, a sentence or two per method. */
  brewing: list(BrewingFields, { most: 12, of: "methods" }),
});

/** Range of the price of an 8 oz bag, in cents. */
export const PRICE = { least: 50, most: 1_000_000 } as const;

/** One bean, in the catalog file and at the desk. */
export const ProductFields = z.strictObject({
  /** No colon or comma: both separate items in quick-checkout links (contract §10). */
  product_id: exact(
    "product_id",
    60,
    /^[a-z0-9]+(-[a-z0-9]+)*$/,
    "must be kebab-case: a-z, 0-9 and single hyphens",
  ),
  name: words("The full name", 80),
  name_to_use_with_humans: words("The name", 80),
  price_minor: whole({ ...PRICE, of: "cents" }),
  roast_level: words("The roast", 40),
  summary: words("The summary", 400),
  choose_if: words("“Choose it if”", 200),
  decaf: z.boolean(),
  availability: z.enum(["STOCKED", "WAITLIST", "EXCLUSIVE"]),
  opening_stock: whole({ least: 0, most: 1_000_000, of: "bags" }),
  facts: FactFields,
});

const fileSchema = z.strictObject({
  products: list(ProductFields, { most: 500, of: "beans" }),
  /** Settings for an empty database, like the beans. */
  shop: ShopFields.default(DEFAULT_SHOP),
});

export type Product = z.infer<typeof ProductFields>;

/** Sold only to agents with a finder key (contract §9). */
export const isExclusive = ({ availability }: Pick<Product, "availability">): boolean =>
  availability === "EXCLUSIVE";

export interface Catalog {
  /** Beans on sale, in the shop's order. */
  readonly products: readonly Product[];
  /** Undefined for a bean that is not on sale. */
  find(productId: string): Product | undefined;
  /** Also finds a bean that was taken off sale, because orders still name it. */
  known(productId: string): Product | undefined;
}

/** Display name of a bean. One that left the catalog keeps the name it was sold by. */
export const nameForPeople = (
  catalog: Pick<Catalog, "known">,
  { product_id, name = product_id }: { product_id: string; name?: string | undefined },
): string => catalog.known(product_id)?.name_to_use_with_humans ?? name;

/** Beans listed in an error about an unknown bean. */
const MOST_NAMED = 20;

export function beansOnSale({ products }: Pick<Catalog, "products">): string {
  const named = products.slice(0, MOST_NAMED).map(({ product_id }) => product_id);
  const more = products.length - named.length;
  return `The catalog has: ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}

/** All problems of a catalog, so that the merchant fixes the file once. */
export class CatalogError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[], file?: string) {
    const which = file === undefined ? "The catalog" : `The catalog file ${file}`;
    super(`${which} is not valid:\n${problems.map((line) => `  - ${line}`).join("\n")}`);
    this.name = "CatalogError";
    this.problems = problems;
  }
}

/** A catalog file: the beans, and the owner's shop. */
export interface CatalogFile extends Catalog {
  readonly shop: Shop;
}

/** Reads the text of a catalog file. Throws a CatalogError that names every problem. */
export function readCatalog(text: string): CatalogFile {
  let json: unknown;
  try {
    // Some editors write a byte order mark, which JSON.parse refuses.
    json = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new CatalogError([`This is not JSON: ${(error as Error).message}`]);
  }
  const parsed = fileSchema.safeParse(json);
  const problems = [
    ...(parsed.success ? [] : fieldProblems(parsed.error, json)),
    ...ruleProblems(json).map(ruleText),
  ];
  if (!parsed.success || problems.length > 0) throw new CatalogError(problems);
  return { ...catalogOf(parsed.data.products), shop: parsed.data.shop };
}

/** Reads the merchant's catalog file. Throws a CatalogError that names the file and every problem. */
export function loadCatalog(path: string): CatalogFile {
  try {
    return readCatalog(readFileSync(path, "utf8"));
  } catch (error) {
    if (error instanceof CatalogError) throw new CatalogError(error.problems, path);
    throw new CatalogError([`cannot be read: ${(error as Error).message}`], path);
  }
}

/** A catalog of valid products. For a file, use `readCatalog`. */
export function catalogOf(onSale: readonly Product[], offSale: readonly Product[] = []): Catalog {
  const products = onSale.map(withRoast);
  const byId = (some: readonly Product[]) => new Map(some.map((one) => [one.product_id, one]));
  const sold = byId(products);
  const all = byId([...offSale.map(withRoast), ...products]);
  return { products, find: (id) => sold.get(id), known: (id) => all.get(id) };
}

/** The roast begins sentences: `light` → `Light`. */
const withRoast = (product: Product): Product => {
  const roast = product.roast_level;
  return { ...product, roast_level: `${roast.charAt(0).toUpperCase()}${roast.slice(1)}` };
};

/** A broken rule. `index`: the bean in the file; null for a rule over all beans. */
interface RuleProblem {
  index: number | null;
  field: string;
  detail: string;
}

/** A broken rule as a line about a file. */
export const ruleText = ({ index, field, detail }: RuleProblem): string =>
  index === null ? `products: ${detail}` : `products[${index}].${field}: ${detail}`;

/**
 * Problems with the rules over all beans (contract §1). Reads the raw JSON: a wrong price in one bean must
 * not hide that two beans share an id.
 */
export function ruleProblems(json: unknown): RuleProblem[] {
  const products = field(json, "products");
  if (!Array.isArray(products)) return [];
  const exclusives = products.filter(
    (product) => field(product, "availability") === "EXCLUSIVE",
  ).length;
  const ofAll = (name: string, detail: string) => ({ index: null, field: name, detail });
  return [
    ...repeatedIds(products),
    ...products.flatMap(countryProblems),
    ...(products.length > 0 ? [] : [ofAll("on_sale", "at least one must be on sale")]),
    // A finder key opens the exclusive bean, so there is at most one.
    ...(exclusives < 2
      ? []
      : [ofAll("availability", `only one can be EXCLUSIVE, found ${exclusives}`)]),
  ];
}

function repeatedIds(products: readonly unknown[]): RuleProblem[] {
  const ids = products.map((product) => field(product, "product_id"));
  return ids.flatMap((id, index) => {
    const first = ids.indexOf(id);
    if (typeof id !== "string" || first === index) return [];
    const detail = `"${id}" is already the id of products[${first}]`;
    return [{ index, field: "product_id", detail }];
  });
}

/** The name for people includes the country (contract §1). */
function countryProblems(product: unknown, index: number): RuleProblem[] {
  const name = field(product, "name_to_use_with_humans");
  const country = field(field(product, "facts"), "country");
  if (typeof name !== "string" || typeof country !== "string" || name.includes(country)) return [];
  const detail = `must include the country, "${country}"`;
  return [{ index, field: "name_to_use_with_humans", detail }];
}

function fieldProblems(error: z.ZodError, input: unknown): string[] {
  const { problems, more } = inputProblems(error.issues, { schema: fileSchema, input });
  const lines = problems.map(({ pointer, detail }) => `${placeIn(pointer)}: ${detail}`);
  return more === 0 ? lines : [...lines, `and ${more} more`];
}

/** Turns `/products/0/price_minor` into products[0].price_minor. */
const placeIn = (pointer: string): string =>
  pointer
    .slice(1)
    .replace(/\/(\d+)/g, "[$1]")
    .replaceAll("/", ".") || "the file";
