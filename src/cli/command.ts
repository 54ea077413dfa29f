import { Argument, type Command as Commander, Option } from "commander";
import { z } from "zod";
import { LIST_ROWS, type ListRow, placeIn, placeOf } from "../core/admin-verb.ts";
import { MerchantError } from "../core/errors.ts";
import { type Admin, adminVerbs, type Merchant } from "../merchant/merchant.ts";
import {
  inputOf,
  type Typed,
  type TypedField,
  typedFields,
  type Verb,
} from "../merchant/typed-input.ts";
import { textOf } from "./views.ts";

/** Environment of the command line; tests pass their own. */
export interface CliEnvironment {
  /** The command as typed in a terminal here. */
  command: string;
  /** Opens the shop's database and closes it after the act. */
  withMerchant<T>(act: (merchant: Merchant) => Promise<T>): Promise<T>;
  out(text: string): void;
  err(text: string): void;
}

export interface Command {
  does: string;
  fields: z.ZodObject;
  /** Returns the result, or a file in parts. */
  act(merchant: Merchant, input: object): Promise<object | AsyncIterable<string>>;
  /** Replaces the usual text of a result. */
  text?: ((result: never) => string) | undefined;
}

/** No shop. Verbs over it tell their fields, so that help and typing errors need no database. */
const NOWHERE: never = new Proxy((() => {}) as never, {
  get: () => NOWHERE,
  apply: () => NOWHERE,
});
const DESCRIBED = adminVerbs(NOWHERE, NOWHERE, NOWHERE);

/**
 * A command over a verb. `fixed`: values of fields that the command's name stands for. A verb that acts on
 * an order returns its id; the result is then the order.
 */
export const commandOf = <T extends object | string>(
  does: string,
  verb: (admin: Admin, merchant: Merchant) => Verb<T>,
  { fixed = {}, text }: { fixed?: object; text?: (result: T) => string } = {},
): Command => {
  const described: Partial<Verb<T>> | undefined = verb(DESCRIBED, NOWHERE);
  if (!described?.fields) throw new Error(`The command "${does}" names no verb.`);
  const { shape } = described.fields;
  const typed = Object.entries(shape).filter(([name]) => !(name in fixed));
  return {
    does,
    fields: z.object(Object.fromEntries(typed)),
    async act(merchant, input) {
      const admin = merchant.admin("cli");
      const result = await verb(admin, merchant)({ ...input, ...fixed } as never);
      return typeof result === "string" ? admin.orders.show({ order_id: result }) : result;
    },
    text,
  };
};

type Nouns = Record<string, Record<string, Verb<object | string>>>;

/** How to read on after a page; nothing if these were all rows. */
function readOn({ fields: { shape } }: Command, rows: unknown, input: { limit?: number }): string {
  const last: ListRow | undefined = Array.isArray(rows) ? rows.at(-1) : undefined;
  if (!shape.limit || !last || (rows as ListRow[]).length < (input.limit ?? LIST_ROWS)) return "";
  return shape.after ? `More: --after ${last.id}\n` : `Older: --before ${placeOf(last)}\n`;
}

/** Shorter names of options. */
const NAMES: Record<string, string> = { postal_code: "zip" };

/** The fields of a verb without `seen`, which only the desk's pages send. */
const optionsOf = (fields: z.ZodObject): TypedField[] =>
  typedFields(fields)
    .filter(({ name }) => name !== "seen")
    .map((field) => ({ ...field, name: NAMES[field.name] ?? field.name }));

function placeTyped(typed: unknown) {
  const place = placeIn(typed);
  if (place) return place;
  throw new MerchantError("VALIDATION_FAILED", "--before takes the value printed below a page.");
}

function optionOf({ name, schema, needed, path }: TypedField): Option {
  const kind = path.at(-1)!.endsWith("_minor")
    ? "dollars"
    : schema.type === "integer"
      ? "n"
      : "text";
  const flag = schema.type === "boolean" ? `--${name}` : `--${name} <${kind}>`;
  const about = [schema.description, needed && "(required)"].filter(Boolean).join(" ");
  return new Option(flag, about).makeOptionMandatory(needed);
}

/** Adds a command by its usage: its noun if it has one, its name, its arguments. */
export function addCommand(
  parent: Commander,
  usage: readonly string[],
  row: string | Command,
  world: CliEnvironment,
): void {
  const [name = "", ...words] = usage;
  const noun = parent.name();
  const of =
    typeof row === "string"
      ? commandOf(row, (admin) => (admin as unknown as Nouns)[noun]![name]!)
      : row;
  const fields = optionsOf(of.fields);
  const names = words.map((word) => word.replace(/\W/g, ""));
  const named = names.map((name) => fields.find((field) => field.name === name)!);
  const command = parent.command(name).description(of.does);
  words.forEach((word, i) => {
    const { description, type, enum: values } = named[i]!.schema;
    const choices = type === "boolean" ? ["on", "off"] : values;
    const argument = new Argument(word, description);
    command.addArgument(choices ? argument.choices(choices) : argument);
  });
  const options = fields.filter((field) => !named.includes(field) && !field.schema.const);
  for (const field of options) command.addOption(optionOf(field));
  command.action(() =>
    world.withMerchant(async (merchant) => {
      const { json = false, ...options } = command.optsWithGlobals<
        Record<string, Typed> & { json?: boolean }
      >();
      const words = Object.fromEntries(names.map((name, i) => [name, command.processedArgs[i]]));
      const typed = { ...options, ...words };
      const input: { before?: unknown; limit?: number } = inputOf(fields, (name) => typed[name]);
      if (input.before !== undefined) input.before = placeTyped(input.before);
      const result = await of.act(merchant, input);
      if (Symbol.asyncIterator in result) {
        if (json) throw new MerchantError("VALIDATION_FAILED", "This is CSV, not JSON.");
        for await (const part of result) world.out(part);
        return;
      }
      const more = readOn(of, result, input);
      if (json && more !== "") world.err(more);
      if (json) return world.out(`${JSON.stringify(result, null, 2)}\n`);
      const isRest = "before" in input || "after" in input;
      const text = of.text?.(result as never) ?? textOf(noun, result, isRest);
      world.out(text + more);
    }),
  );
}
