import { z } from "zod";
import { decimal } from "../core/fields.ts";
import { cents } from "../core/money.ts";

/** Verbs read from typed text: on the command line and in the desk's forms. */

/** A verb of any noun, found by its name. */
export interface Verb<T> {
  (...given: never[]): Promise<T>;
  readonly fields: z.ZodObject;
}

export interface JsonSchema {
  type?: string;
  const?: string;
  default?: unknown;
  enum?: string[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
}

/** One field as it is typed. */
export interface TypedField {
  path: string[];
  /** The last name of its path, or all of it if another field has that; amounts without their unit. */
  name: string;
  schema: JsonSchema;
  needed: boolean;
  nullable: boolean;
}

const CENTS = /_minor$/;

export function typedFields(fields: z.ZodObject): TypedField[] {
  const all = fieldsOf(z.toJSONSchema(fields, { io: "input" }) as JsonSchema);
  const names = new Set<string>();
  return all.map((field) => {
    const isTaken = names.has(field.name);
    names.add(field.name);
    return isTaken ? { ...field, name: field.path.join(".").replace(CENTS, "") } : field;
  });
}

function fieldsOf(schema: JsonSchema, path: string[] = [], isNeeded = true): TypedField[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const values = field.anyOf?.filter(({ type }) => type !== "null");
    const nullable = values !== undefined && values.length < field.anyOf!.length;
    const bare = values?.length === 1 ? { ...field, ...values[0] } : field;
    const place = [...path, name];
    const isAsked = (schema.required ?? []).includes(name) && field.default === undefined;
    const needed = isNeeded && !nullable && isAsked;
    // A place in a list is one word.
    if (bare.properties && name !== "before") return fieldsOf(bare, place, needed);
    return [{ path: place, name: name.replace(CENTS, ""), schema: bare, needed, nullable }];
  });
}

/** Typed text; several texts of a field that was sent more than once; true for a flag. */
export type Typed = string | readonly string[] | true | undefined;

/** The fields of a verb in typed text. What can't be read is NaN, which the verb refuses. */
export function inputOf(fields: readonly TypedField[], typed: (name: string) => Typed): object {
  const input: Record<string, unknown> = {};
  for (const field of fields) {
    const value = read(field, typed(field.name));
    if (value === undefined) continue;
    let at = input;
    for (const name of field.path.slice(0, -1)) {
      at[name] ??= {};
      at = at[name] as Record<string, unknown>;
    }
    at[field.path.at(-1)!] = value;
  }
  return input;
}

function read({ path, schema, nullable, needed }: TypedField, typed: Typed): unknown {
  if (typed === undefined || typed === "") {
    if (nullable) return null;
    // A box that is not ticked.
    if (schema.type === "boolean" && needed) return false;
    if (schema.type === "array" && needed) return [];
    if (schema.type === "string" && needed) return typed;
    return schema.const ?? schema.default;
  }
  // Sent twice, it has no certain value.
  if (Array.isArray(typed) && schema.type !== "array") return undefined;
  if (schema.type === "boolean") return typed === true || typed === "on";
  if (schema.type === "array") return listOf(schema.items ?? {}, typed);
  const text = String(typed);
  if (schema.type !== "integer") return text;
  return (CENTS.test(path.at(-1)!) ? cents(text) : decimal(text)) ?? Number.NaN;
}

/** A list between commas. Its objects have two properties and are typed one a line, as `first: second`. */
function listOf({ properties }: JsonSchema, typed: Typed): unknown[] {
  const texts = typeof typed === "string" ? typed.split(properties ? "\n" : ",") : [typed].flat();
  const parts = texts.map((text) => String(text).trim()).filter((text) => text !== "");
  if (!properties) return parts;
  const [first = "", second = ""] = Object.keys(properties);
  return parts.map((line) => {
    const colon = line.indexOf(":");
    return {
      [first]: line.slice(0, Math.max(colon, 0)).trim(),
      [second]: line.slice(colon + 1).trim(),
    };
  });
}
