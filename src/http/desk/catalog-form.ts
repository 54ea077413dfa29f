import { PRICE, type Product } from "../../domain/catalog/catalog.ts";
import type { Problem } from "../../domain/shared/errors.ts";
import { cents, display } from "../../domain/shared/money.ts";
import { LIMITS } from "../../domain/shared/policy.ts";
import type { FieldProblem } from "../pages/form-parts.ts";
import type { Fields } from "./act.ts";

/** The fields of a bean's form, in its order. */
export const BEAN_FIELDS = [
  "product_id",
  "name_to_use_with_humans",
  "name",
  "price",
  "availability",
  "decaf",
  "on_sale",
  "opening_stock",
  "country",
  "region",
  "process",
  "varieties",
  "roast_level",
  "roast",
  "tasting_notes",
  "brewing",
  "choose_if",
  "summary",
] as const;

export type BeanField = (typeof BEAN_FIELDS)[number];
export type BeanValues = Partial<Record<BeanField, string>>;

/** A bean as its form shows it: lists on lines or between commas, the price in dollars. */
export function beanValues(product: Product, onSale: boolean): BeanValues {
  const { facts, price_minor, decaf, opening_stock, ...rest } = product;
  return {
    ...rest,
    price: (price_minor / 100).toFixed(2),
    decaf: decaf ? "on" : "",
    on_sale: onSale ? "on" : "",
    opening_stock: String(opening_stock),
    country: facts.country,
    region: facts.region,
    process: facts.process,
    roast: facts.roast,
    varieties: facts.varieties.join(", "),
    tasting_notes: facts.tasting_notes.join(", "),
    brewing: facts.brewing.map(({ method, advice }) => `${method}: ${advice}`).join("\n"),
  };
}

export const typedValues = (fields: Fields): BeanValues =>
  Object.fromEntries(BEAN_FIELDS.map((name) => [name, fields(name)]));

/** What a colleague has kept meanwhile, at each field where it is not what was typed. */
export const keptOtherwise = (kept: BeanValues, typed: BeanValues): FieldProblem[] =>
  BEAN_FIELDS.filter((name) => (kept[name] ?? "") !== typed[name]?.replaceAll("\r\n", "\n")).map(
    (field) => ({ field, message: `It is “${kept[field] ?? ""}” now.` }),
  );

/** What was typed, as the verb takes it; whether it is right, the verb says. */
export function typedProduct(fields: Fields): Product {
  const parts = (name: BeanField, by: RegExp | string) =>
    fields(name)
      .slice(0, LIMITS.form_bytes)
      .split(by)
      .map((part) => part.trim())
      .filter((part) => part !== "");
  return {
    product_id: fields("product_id"),
    name: fields("name"),
    name_to_use_with_humans: fields("name_to_use_with_humans"),
    price_minor: cents(fields("price")) ?? Number.NaN,
    roast_level: fields("roast_level"),
    summary: fields("summary"),
    choose_if: fields("choose_if"),
    decaf: fields("decaf") === "on",
    availability: fields("availability") as Product["availability"],
    opening_stock: Number(/^\d{1,7}$/.exec(fields("opening_stock"))?.[0] ?? Number.NaN),
    facts: {
      country: fields("country"),
      region: fields("region"),
      process: fields("process"),
      varieties: parts("varieties", ","),
      roast: fields("roast"),
      tasting_notes: parts("tasting_notes", ","),
      brewing: parts("brewing", "\n").map((typed) => {
        const colon = typed.indexOf(":");
        return {
          method: typed.slice(0, Math.max(colon, 0)).trim(),
          advice: typed.slice(colon + 1).trim(),
        };
      }),
    },
  };
}

/** What the verb finds wrong, at the field that it was typed into. */
export const beanProblems = (problems: readonly Problem[]): FieldProblem[] =>
  problems.map(({ pointer, code, detail }) => {
    const field = fieldOf(pointer);
    const told = ["TAKEN", "TOO_BIG"].includes(code) ? undefined : field && WANTED[field];
    return { field, message: told ?? detail };
  });

/** Where the verb speaks of its own form of a value. */
const WANTED: Partial<Record<BeanField, string>> = {
  product_id: "Small letters, digits and single hyphens, such as kenya-nyeri.",
  price: `A price in dollars from ${display(PRICE.least)} to ${display(PRICE.most)}, such as 22.50.`,
  availability: "Choose how it is sold.",
  opening_stock: "A whole number of bags.",
  brewing: "On each line a way of brewing, a colon, and how: “Pour over: 15 g to 250 g of water.”",
};

function fieldOf(pointer: string): BeanField | null {
  const names = pointer.split("/").filter((name) => !["", "product", "facts"].includes(name));
  if (names[0] === "price_minor") return "price";
  return BEAN_FIELDS.find((name) => name === names[0]) ?? null;
}
