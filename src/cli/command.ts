import { Argument, type Command as Commander, Option } from "commander";
import { z } from "zod";
import { LIST_ROWS, type ListRow, placeIn, placeOf } from "../core/admin-verb.ts";
import { MerchantError } from "../core/errors.ts";
import { decimal } from "../core/fields.ts";
import { type Admin, adminVerbs, type Merchant } from "../merchant/merchant.ts";
import { amountTyped } from "../orders/merchant-refund.ts";
import { type Columns, inShopTime, orderText, table } from "./text.ts";

/** Environment of the command line; tests pass their own. */
export interface CliEnvironment {
  /** The command as typed in a terminal here. */
  command: string;
  /** Opens the shop's database and closes it after the act. */
  withMerchant<T>(act: (merchant: Merchant) => Promise<T>): Promise<T>;
  out(text: string): void;
  err(text: string): void;
}

/**
 * A command by its usage, such as `orders cancel <order_id>`. The usage names the fields of the verb that
 * are arguments. Its other fields are options, with their names and descriptions.
 */
export type Commands = Record<string, Command>;

/** Typed text by option or argument; true for a flag. */
export type Typed = Record<string, string | string[] | true | undefined>;

interface Command {
  does: string;
  fields: z.ZodObject;
  /** Returns the output, in parts if it may be longer than memory. `err` takes what JSON has no place for. */
  run(
    merchant: Merchant,
    input: object,
    json: boolean,
    err: CliEnvironment["err"],
  ): Promise<string> | AsyncIterable<string>;
}

interface Described<T> {
  (...given: never[]): Promise<T>;
  readonly fields: z.ZodObject;
}
type VerbOf<T> = (admin: Admin) => Described<T>;
type Show<T> = (value: T, input: Record<string, unknown>) => string;

/** No shop. Verbs over it tell their fields, so that help and typing errors need no database. */
const NOWHERE: never = new Proxy((() => {}) as never, {
  get: () => NOWHERE,
  apply: () => NOWHERE,
});
const DESCRIBED = adminVerbs(NOWHERE, NOWHERE, NOWHERE);

/**
 * A command with one result, shown as text or, with --json, as one JSON value. `rest`: how to read on, after
 * the text or beside the JSON.
 */
export const own = <S extends z.core.$ZodLooseShape, T>(
  does: string,
  shape: S,
  act: (merchant: Merchant, input: z.output<z.ZodObject<S>>) => T | Promise<T>,
  text: Show<Awaited<T>>,
  rest: Show<Awaited<T>> = () => "",
): Command => ({
  does,
  fields: z.object(shape) as unknown as z.ZodObject,
  async run(merchant, input, json, err) {
    const value = await act(merchant, input as never);
    const more = rest(value, { ...input });
    if (!json) return inShopTime(text(value, { ...input })) + more;
    if (more !== "") err(more);
    return `${JSON.stringify(value, null, 2)}\n`;
  },
});

/** A command over a verb. `fixed`: values of fields that the command's name stands for. */
export const over = <T>(
  does: string,
  verb: VerbOf<T>,
  text: Show<T>,
  fixed = {},
  rest?: Show<T>,
): Command => {
  const { fields } = verb(DESCRIBED);
  const kept = Object.entries(fields.shape).filter(([name]) => !(name in fixed));
  return own(
    does,
    Object.fromEntries(kept),
    (merchant, input) => verb(merchant.admin("cli"))({ ...input, ...fixed } as never) as Promise<T>,
    text as Show<Awaited<T>>,
    rest as Show<Awaited<T>> | undefined,
  );
};

/** Acts on an order, by usage and description. Each is the verb of that name, and shows the order. */
export const onOrders = (acts: Record<string, string>): [usage: string, Command][] =>
  Object.entries(acts).map(([usage, does]) => {
    const [noun = "", name = ""] = usage.split(" ");
    return [usage, onOrder(does, (admin) => (admin as unknown as Nouns<string>)[noun]![name]!)];
  });

type Nouns<T> = Record<string, Record<string, Described<T>>>;

/** An act on an order, whose id the verb returns. */
export const onOrder = (does: string, verb: VerbOf<string>, fixed = {}): Command => {
  const { fields } = over(does, verb, String, fixed);
  const act = async (merchant: Merchant, input: object) => {
    const admin = merchant.admin("cli");
    return admin.orders.show({ order_id: await verb(admin)({ ...input, ...fixed } as never) });
  };
  return own(does, fields.shape, act, orderText);
};

type Listing = { [K in keyof Admin]: Admin[K] extends { list: unknown } ? K : never }[keyof Admin];
export type RowOf<K extends Listing> = Awaited<ReturnType<Admin[K]["list"]>>[number];

/** The rows of a noun, in pages if the verb has them. */
export const list = <K extends Listing>(noun: K, does: string, columns: Columns<RowOf<K>>) =>
  rows<RowOf<K>>(does, (admin) => admin[noun].list as unknown as Described<RowOf<K>[]>, columns);

export const rows = <R>(does: string, verb: VerbOf<R[]>, columns: Columns<NoInfer<R>>): Command => {
  const pages = verb(DESCRIBED).fields.shape;
  const text: Show<R[]> = (found, { before, after }) =>
    table(found, columns, before || after ? "No more rows." : "None.");
  const rest: Show<R[]> = (found, { limit = LIST_ROWS }) => {
    const last = found.at(-1) as ListRow | undefined;
    if (!pages.limit || !last || found.length < Number(limit)) return "";
    return `${pages.after ? `More: --after ${last.id}` : `Older: --before ${placeOf(last)}`}\n`;
  };
  return over(does, verb, text, {}, rest);
};

interface JsonSchema {
  type?: string;
  const?: string;
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  anyOf?: JsonSchema[];
}

/** One field as it is typed. */
interface Field {
  path: string[];
  name: string;
  schema: JsonSchema;
  needed: boolean;
}

/** Shorter names of options. */
const NAMES: Record<string, string> = { postal_code: "zip", amount_minor: "amount" };

function typedFields(schema: JsonSchema, path: string[] = [], isNeeded = true): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    // The desk's check for stale pages.
    if (name === "seen") return [];
    const needed = isNeeded && !field.anyOf && (schema.required ?? []).includes(name);
    const place = [...path, name];
    if (field.properties && name !== "before") return typedFields(field, place, needed);
    return [{ path: place, name: NAMES[name] ?? name, schema: field, needed }];
  });
}

/** Reads typed text; undefined if nothing was typed. */
function read({ path, name, schema }: Field, typed: Typed[string]): unknown {
  if (path.at(-1) === "amount_minor") return amountTyped(typed as string | undefined);
  if (typed === undefined) return schema.const;
  if (name === "before") return placeTyped(typed);
  if (schema.type === "boolean") return typed === true || typed === "on";
  return schema.type === "integer" ? whole(String(typed), name) : typed;
}

function placeTyped(typed: unknown) {
  const place = placeIn(typed);
  if (place) return place;
  throw new MerchantError("VALIDATION_FAILED", "--before takes the value printed below a page.");
}

function whole(text: string, name: string): number {
  const value = decimal(text);
  if (value !== null) return value;
  throw new MerchantError(
    "VALIDATION_FAILED",
    `${name} must be a whole number such as 12, not "${text}".`,
  );
}

function optionOf({ name, schema, needed }: Field): Option {
  const kind = name === "amount" ? "dollars" : schema.type === "integer" ? "n" : "text";
  const flag = schema.type === "boolean" ? `--${name}` : `--${name} <${kind}>`;
  const required = needed ? "required" : "";
  const about = [schema.description, required].filter(Boolean).join("; ");
  return new Option(flag, about).makeOptionMandatory(needed);
}

/** `words`: the rest of the usage after the command's name. */
export function addCommand(
  command: Commander,
  words: readonly string[],
  of: Command,
  world: CliEnvironment,
): void {
  const fields = typedFields(z.toJSONSchema(of.fields, { io: "input" }) as JsonSchema);
  const names = words.map((word) => word.replace(/\W/g, ""));
  const named = names.map((name) => fields.find((field) => field.name === name)!);
  command.description(of.does);
  words.forEach((word, i) => {
    const { description, type } = named[i]!.schema;
    const argument = new Argument(word, description);
    command.addArgument(type === "boolean" ? argument.choices(["on", "off"]) : argument);
  });
  const options = fields.filter((field) => !named.includes(field) && !field.schema.const);
  for (const field of options) command.addOption(optionOf(field));
  command.action(() =>
    world.withMerchant(async (merchant) => {
      const { json = false, ...options } = command.optsWithGlobals<Typed & { json?: boolean }>();
      const words = Object.fromEntries(names.map((name, i) => [name, command.processedArgs[i]]));
      const output = of.run(merchant, inputOf(fields, { ...options, ...words }), json, world.err);
      if (!(Symbol.asyncIterator in output)) return world.out(await output);
      for await (const part of output) world.out(part);
    }),
  );
}

function inputOf(fields: readonly Field[], typed: Typed): object {
  const input: Record<string, unknown> = {};
  for (const field of fields) {
    const value = read(field, typed[field.name]);
    if (value === undefined) continue;
    const [name = "", inner] = field.path;
    input[name] = inner === undefined ? value : { ...(input[name] as object), [inner]: value };
  }
  return input;
}
