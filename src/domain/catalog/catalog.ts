/**
 * What the merchant sells, as read from the catalog file (contract §1). The schema below
 * is the file's format; the functions are the rules that hold over all beans together.
 */
import { z } from "zod";
import { refuseForbiddenTopics } from "./forbidden-topics.ts";

const AVAILABILITIES = ["STOCKED", "WAITLIST", "EXCLUSIVE"] as const;

const text = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((value) => value === value.trim(), "must not begin or end with white space")
    .refine((value) => !/\p{Cc}/u.test(value), "must not hold control characters or line breaks")
    .superRefine(refuseForbiddenTopics);

const brewingSchema = z.strictObject({ method: text(60), advice: text(400) });

const factsSchema = z.strictObject({
  country: text(60),
  region: text(60),
  process: text(120),
  varieties: z.array(text(60)).min(1),
  roast: text(200),
  tasting_notes: z.array(text(60)).min(1),
  /** How to brew it, a sentence or two per method. */
  brewing: z.array(brewingSchema).min(1),
});

const productSchema = z.strictObject({
  /** No colon or comma: both separate items in quick-checkout links (contract §10). */
  product_id: z
    .string()
    .max(60)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must be kebab-case: a-z, 0-9 and single hyphens"),
  name: text(80),
  name_to_use_with_humans: text(80),
  /** Price per 8 oz bag, integer minor units of usd. */
  price_minor: z.int().min(50).max(1_000_000),
  roast_level: text(40),
  summary: text(400),
  choose_if: text(200),
  decaf: z.boolean(),
  availability: z.enum(AVAILABILITIES),
  /** Bags in stock at the first start of a new database. */
  opening_stock: z.int().min(0).max(1_000_000),
  facts: factsSchema,
});

const fileSchema = z.strictObject({ products: z.array(productSchema) });

export type Product = z.infer<typeof productSchema>;

export interface Catalog {
  products: readonly Product[];
  /** Undefined for a bean that is not sold. */
  find(productId: string): Product | undefined;
}

/** What people call the bean of a line; one that left the catalog keeps the name it was sold by. */
export const nameForPeople = (
  catalog: Pick<Catalog, "find">,
  { product_id, name = product_id }: { product_id: string; name?: string },
): string => catalog.find(product_id)?.name_to_use_with_humans ?? name;

/**
 * Everything wrong with a catalog, so that the merchant mends the file once, not once per start.
 */
export class CatalogError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[], file?: string) {
    const which = file === undefined ? "The catalog" : `The catalog file ${file}`;
    super(`${which} is not valid:\n${problems.map((line) => `  - ${line}`).join("\n")}`);
    this.name = "CatalogError";
    this.problems = problems;
  }
}

/** Checks what was read from a catalog file. Throws a CatalogError that names every problem. */
export function parseCatalog(json: unknown): Catalog {
  const parsed = fileSchema.safeParse(json);
  const problems = [
    ...(parsed.success ? [] : parsed.error.issues.map((issue) => describe(issue))),
    ...ruleProblems(json),
  ];
  if (!parsed.success || problems.length > 0) throw new CatalogError(problems);
  return catalogOf(parsed.data.products);
}

/** A catalog over products that are known to be good; parseCatalog is the way in for a file. */
function catalogOf(products: readonly Product[]): Catalog {
  const byId = new Map(products.map((product) => [product.product_id, product]));
  return { products, find: (productId) => byId.get(productId) };
}

/**
 * The rules over all beans (contract §1). They read the raw JSON, not the parsed products: a wrong
 * price in one bean must not hide that two beans share an id.
 */
function ruleProblems(json: unknown): string[] {
  const products = rawProducts(json);
  if (!products) return [];
  const decafs = products.filter((product) => product.decaf === true).length;
  const exclusives = products.filter((product) => product.availability === "EXCLUSIVE").length;
  const waitlisted = products.some((product) => product.availability === "WAITLIST");
  return [
    ...repeatedIds(products),
    ...products.flatMap(countryProblems),
    ...(decafs === 1 ? [] : [`products: exactly one must be decaf, found ${decafs}`]),
    ...(exclusives === 1 ? [] : [`products: exactly one must be EXCLUSIVE, found ${exclusives}`]),
    ...(waitlisted ? [] : ["products: at least one must be WAITLIST, found 0"]),
  ];
}

type JsonRecord = Record<string, unknown>;

const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === "object" && value !== null;

function rawProducts(json: unknown): JsonRecord[] | undefined {
  if (!isRecord(json) || !Array.isArray(json.products)) return undefined;
  return json.products.map((product: unknown) => (isRecord(product) ? product : {}));
}

function repeatedIds(products: JsonRecord[]): string[] {
  return products.flatMap(({ product_id: id }, index) => {
    const first = products.findIndex((product) => product.product_id === id);
    if (typeof id !== "string" || first === index) return [];
    return [`products[${index}].product_id: "${id}" is already the id of products[${first}]`];
  });
}

/** contract §1: the name for humans is the display name with the country. */
function countryProblems(product: JsonRecord, index: number): string[] {
  const { name_to_use_with_humans: name, facts } = product;
  const country = isRecord(facts) ? facts.country : undefined;
  if (typeof name !== "string" || typeof country !== "string" || name.includes(country)) return [];
  return [`products[${index}].name_to_use_with_humans: must include the country, "${country}"`];
}

function describe(issue: z.core.$ZodIssue): string {
  const path = issue.path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
    .join("")
    .replace(/^\./, "");
  return `${path === "" ? "the file" : path}: ${issue.message}`;
}
