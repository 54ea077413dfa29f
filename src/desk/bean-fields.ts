import { PRICE, type Product } from "../catalog/catalog.ts";
import type { MerchantError } from "../core/errors.ts";
import { display, typedDollars } from "../core/money.ts";
import type { Field, FieldProblem } from "../web/form-parts.ts";
import type { Fields } from "./forms.ts";

export interface BeanFieldInfo extends Omit<Field, "name" | "value"> {
  /** Drawn as a box to tick. */
  box?: true;
  /** Error text, if the verb's own speaks of another form of the value. */
  wanted?: string;
}

const text = { area: true, maxlength: 6000 } as const;

/** The fields of a bean's form, in its order. */
export const BEAN_FORM = {
  "How it is sold": {
    product_id: {
      label: "Id",
      hint: "For agents and links: small letters and hyphens. It can’t be changed later.",
      wanted: "Small letters, digits and single hyphens, such as kenya-nyeri.",
    },
    name_to_use_with_humans: { label: "Name", hint: "With the country, such as Colombia Huila" },
    name: { label: "Full name", hint: "For agents, such as Huila Washed" },
    price: {
      label: "Price",
      hint: "Dollars per 8 oz bag",
      inputmode: "decimal",
      wanted: `A price in dollars from ${display(PRICE.least)} to ${display(PRICE.most)}, such as 26, 26.5 or 26.50.`,
    },
    availability: {
      label: "Sold",
      choices: [
        { value: "STOCKED", label: "From stock" },
        { value: "WAITLIST", label: "Small lot, with a waitlist" },
        { value: "EXCLUSIVE", label: "Exclusive, for agents that find it" },
      ],
      wanted: "Choose how it is sold.",
    },
    opening_stock: {
      label: "Opening stock",
      hint: "Bags on the shelf at the start. Later, count them under Stock.",
      inputmode: "numeric",
      wanted: "A whole number of bags.",
    },
    on_sale: { label: "For sale", box: true },
    decaf: { label: "Decaf", box: true },
  },
  "What it is": {
    country: { label: "Country" },
    region: { label: "Region", optional: true },
    process: { label: "Process", optional: true },
    varieties: { label: "Varieties", hint: "Separated by commas", optional: true },
    roast_level: { label: "Roast", hint: "Light, Medium, Medium-dark …" },
    roast: { label: "The roast in words", hint: "One sentence on how the roast tastes" },
    tasting_notes: {
      label: "Flavors",
      hint: "Separated by commas; the first sets the color of the bag",
    },
    brewing: {
      label: "Brewing",
      hint: "One method per line: “Pour over: 15 g to 250 g of water …”",
      optional: true,
      ...text,
      wanted: "One method per line, a colon, and the advice: “Pour over: 15 g to 250 g of water.”",
    },
  },
  "What it says": {
    choose_if: {
      label: "Choose it if",
      hint: "One sentence: “You want an easy, sweet everyday cup.”",
      ...text,
    },
    summary: {
      label: "Summary",
      hint: "Origin, process, varieties, roast and notes, for agents",
      ...text,
    },
  },
} satisfies Record<string, Record<string, BeanFieldInfo>>;

/** Fields of a new bean that only the owner knows; the others are derived if they stay empty. */
export const NEEDED: readonly BeanField[] = [
  "name_to_use_with_humans",
  "price",
  "opening_stock",
  "roast_level",
  "tasting_notes",
];

type Groups = typeof BEAN_FORM;
export type BeanField = { [G in keyof Groups]: keyof Groups[G] }[keyof Groups];
export type BeanValues = Partial<Record<BeanField, string>>;

const FIELDS: Record<BeanField, BeanFieldInfo> = Object.assign({}, ...Object.values(BEAN_FORM));
const NAMES = Object.keys(FIELDS) as BeanField[];

/** A bean as its form shows it: lists on lines or between commas, the price in dollars. */
export function beanValues(product: Product, onSale: boolean): BeanValues {
  const { facts, price_minor, decaf, opening_stock, ...texts } = product;
  return {
    ...texts,
    ...facts,
    price: typedDollars(price_minor),
    decaf: decaf ? "on" : "",
    on_sale: onSale ? "on" : "",
    opening_stock: String(opening_stock),
    varieties: listed(facts.varieties),
    tasting_notes: listed(facts.tasting_notes),
    brewing: brewingLines(facts.brewing),
  };
}

const listed = (words: readonly string[]): string => words.join(", ");

const brewingLines = (brewing: Product["facts"]["brewing"]): string =>
  brewing.map(({ method, advice }) => `${method}: ${advice}`).join("\n");

/** Label of a value that is chosen from a list. */
const labelOf = (value: string, choices: BeanFieldInfo["choices"] = []): string =>
  choices.find((choice) => choice.value === value)?.label ?? value;

export const typedValues = (fields: Fields): BeanValues =>
  Object.fromEntries(NAMES.map((name) => [name, fields(name)]));

/** A problem for each field that a colleague saved with another value meanwhile. */
export const savedMeanwhile = (kept: BeanValues, typed: BeanValues): FieldProblem[] =>
  NAMES.filter((name) => (kept[name] ?? "") !== typed[name]?.replaceAll("\r\n", "\n")).map(
    (field) => ({ field, message: `It is ${inWords(FIELDS[field], kept[field])} now.` }),
  );

function inWords({ box, choices }: BeanFieldInfo, value = ""): string {
  if (box) return value === "on" ? "ticked" : "not ticked";
  return `“${labelOf(value, choices)}”`;
}

/** The verb's problems, each at its field. */
export function beanProblems(error: MerchantError | undefined): FieldProblem[] {
  if (error?.problems.length === 0) return [{ field: null, message: error.message }];
  return (error?.problems ?? []).map(({ pointer, code, detail }) => {
    const field = fieldOf(pointer);
    if (code === "RULE") return { field, message: ruleInWords(detail) };
    // The verb's bound of a price is in cents.
    const own = field === "price" || (field !== null && !["TAKEN", "TOO_BIG"].includes(code));
    return { field, message: (own && FIELDS[field].wanted) || detail };
  });
}

/** A rule over all beans, which speaks of a file, in the words of the form. */
function ruleInWords(detail: string): string {
  const said = detail.replace("EXCLUSIVE", (value) => inWords(FIELDS.availability, value));
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}.`;
}

function fieldOf(pointer: string): BeanField | null {
  const names = pointer.split("/").filter((name) => !/^(products?|facts|\d*)$/.test(name));
  if (names[0] === "price_minor") return "price";
  return NAMES.find((name) => name === names[0]) ?? null;
}
