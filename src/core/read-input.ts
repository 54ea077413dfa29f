import { z } from "zod";
import { type Bounded, type BoundedText, spellingOf, trimmed } from "./fields.ts";
import { bareField, type Issue } from "./input-problems.ts";
import { sameWord } from "./nearest.ts";

interface InputRead {
  input: Bounded;
  /** Text and lists that were cut out because they are over their field's limit. */
  over: Issue[];
}

/**
 * Reads input from outside beside its schema. Each text and list over its limit is cut out before anything
 * reads it. Spellings whose meaning is certain are rewritten for the schema: null or blank text for an absent
 * optional field and at the end of a list of texts, "2" for 2, 78701 for "78701", one object for a list of
 * one, JSON text for a list or an object. Everything else stays as it is, for the schema to refuse.
 */
export function readInput(schema: z.ZodType, sent: unknown): InputRead {
  const over: Issue[] = [];
  return { input: readerOf(schema)(sent, over), over };
}

export type Parsed<T> =
  | { success: true; data: T; input: Bounded }
  | { success: false; issues: Issue[]; input: Bounded };

/** Reads input and parses it by its schema. This is the only way that input reaches a schema. */
export function parseInput<S extends z.ZodType>(schema: S, sent: unknown): Parsed<z.output<S>> {
  const { input, over } = readInput(schema, sent);
  const parsed = schema.safeParse(input);
  if (parsed.success && over.length === 0) return { success: true, data: parsed.data, input };
  const cut = new Set(over.map(({ path }) => JSON.stringify(path)));
  // A field that was cut out is not missing.
  const isCut = ({ path }: Issue) =>
    cut.size > 0 && [...path, ""].some((_, i) => cut.has(JSON.stringify(path.slice(0, i))));
  const others = parsed.error?.issues.filter((issue) => !isCut(issue)) ?? [];
  return { success: false, issues: [...over, ...others], input };
}

type Reader = (sent: unknown, over: Issue[]) => Bounded;

/** Reading a schema takes longer than reading a value by it. */
const READERS = new WeakMap<z.ZodType, Reader>();

function readerOf(schema: z.ZodType): Reader {
  const known = READERS.get(schema);
  if (known) return known;
  const field = bareField(schema);
  const reader = shapeReader(field);
  READERS.set(schema, reader);
  return reader;
}

function shapeReader(field: z.ZodType): Reader {
  const { read: spell = same, most } = spellingOf(field) ?? {};
  if (field instanceof z.ZodObject || field instanceof z.ZodArray) {
    const read = field instanceof z.ZodObject ? objectReader(field) : listReader(field);
    return (sent, over) => spell(read(sent, over)) as Bounded;
  }
  const own = field instanceof z.ZodString ? field.maxLength : null;
  const within = textReader(field, most ?? own ?? MOST_OF_OTHERS);
  const convert = converterOf(field);
  const bare = SCALARS.some((kind) => field instanceof kind) ? bareObjects : same;
  return (sent, over) => convert(spell(bare(within(sent, over))) as Bounded);
}

const SCALARS = [z.ZodString, z.ZodNumber, z.ZodBoolean, z.ZodEnum, z.ZodLiteral];

/** Objects without their fields: code that wants a word calls their `toString`, zod compares their `length`. */
const bareObjects = (value: Bounded): Bounded =>
  Array.isArray(value)
    ? value.slice(0, 2).map(bareObjects)
    : typeof value === "object" && value !== null
      ? {}
      : value;

const same = (value: Bounded): Bounded => value;

function converterOf(field: z.ZodType): (value: Bounded) => Bounded {
  if (field instanceof z.ZodNumber) return numberIn;
  if (field instanceof z.ZodString) {
    return (value) => (Number.isSafeInteger(value) ? (String(value) as BoundedText) : value);
  }
  const choices =
    field instanceof z.ZodEnum
      ? field.options
      : field instanceof z.ZodLiteral
        ? [...field.values]
        : [];
  const words = choices.filter((one) => typeof one === "string");
  return (value) =>
    typeof value === "string" ? ((sameWord(value, words) ?? value) as BoundedText) : value;
}

/** Characters of a number, a choice or any other value that was sent as text. */
const MOST_OF_OTHERS = 80;

/** Refuses text over the limit by the field's own words. */
const textReader =
  (field: z.ZodType, most: number): Reader =>
  (sent, over) => {
    if (typeof sent !== "string" || sent.length <= most) return sent as Bounded;
    // Limits count characters. Some characters are two UTF-16 units.
    const isText = field instanceof z.ZodString;
    if (isText && sent.length <= 2 * most && [...sent].length <= most) return sent as Bounded;
    return cutOut(field, sent, over);
  };

function cutOut(field: z.ZodType, sent: unknown, over: Issue[]): undefined {
  const { error } = field.safeParse(sent);
  for (const issue of error?.issues ?? []) over.push({ ...issue, cut: sent });
}

function objectReader(field: z.ZodObject): Reader {
  const known = new Map(
    Object.entries(field.shape as Record<string, z.ZodType>).map(([name, inner]) => [
      name,
      { ...absence(inner), read: readerOf(inner) },
    ]),
  );
  const within = textReader(field, MOST_OF_OTHERS);
  return (sent, over) => {
    const given = fromJsonText(sent);
    if (typeof given !== "object" || given === null || Array.isArray(given)) {
      return within(given, over);
    }
    const own: Record<string, Bounded> = {};
    for (const name of Object.keys(given)) {
      const inner = (given as Record<string, unknown>)[name];
      const field = known.get(name);
      // The schema refuses or ignores an unknown field by its name alone.
      if (field === undefined) {
        setOwn(own, name, null);
        continue;
      }
      if ((inner === null && field.byNull) || (inner === "" && field.byBlank)) continue;
      const value = at(name, over, field.read, inner);
      if (!field.byBlank || !isBlank(value)) own[name] = value;
    }
    return own;
  };
}

/** Unlike assignment, this keeps a field called __proto__, for the schema to refuse. */
const setOwn = (object: object, name: string, value: unknown): void =>
  void Object.defineProperty(object, name, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });

/** Reads one field or entry, and puts its name before the path of each problem found in it. */
function at(name: PropertyKey, over: Issue[], read: Reader, sent: unknown): Bounded {
  const before = over.length;
  const value = read(sent, over);
  for (let i = before; i < over.length; i++)
    over[i] = { ...over[i]!, path: [name, ...over[i]!.path] };
  return value;
}

/** How clients send an absent optional field, besides leaving it out. Some fields can be blank. */
function absence(field: z.ZodType): { byNull: boolean; byBlank: boolean } {
  const byNull = field instanceof z.ZodOptional || field instanceof z.ZodDefault;
  return { byNull, byBlank: byNull && !canBeBlank(bareField(field)) };
}

const canBeBlank = (field: z.ZodType): boolean => field instanceof z.ZodString && !field.minLength;

/** A text's place in a list may count, so only the last ones can be blank. */
const isGiven = (value: Bounded): boolean => value !== null && !isBlank(value);

const isBlank = (value: Bounded): boolean => typeof value === "string" && trimmed(value) === "";

function listReader(field: z.ZodArray): Reader {
  const element = field.element as z.ZodType;
  const read = readerOf(element);
  const most = mostIn(field);
  const within = textReader(field, MOST_OF_OTHERS);
  const isOne: (value: unknown) => boolean =
    element instanceof z.ZodObject
      ? (value) => typeof value === "object" && value !== null
      : (value) => typeof value === "string" && element instanceof z.ZodString;
  return (sent, over) => {
    const value = fromJsonText(sent);
    if (!Array.isArray(value)) {
      if (isOne(value)) return [at(0, over, read, value)];
      return bareObjects(within(value, over));
    }
    if (value.length > most) return cutOut(field, value, over);
    const all = value.map((one, i) => at(i, over, read, one));
    return element instanceof z.ZodString ? all.slice(0, 1 + all.findLastIndex(isGiven)) : all;
  };
}

/** The most elements of a list. */
function mostIn({ def: { checks = [] } }: z.ZodArray): number {
  const bounds = checks.map(({ _zod: { def } }) => (def as { maximum?: number }).maximum);
  return bounds.find((most) => most !== undefined) ?? 0;
}

/** The object or list in JSON text; the value itself if it is anything else. */
function fromJsonText(value: unknown): unknown {
  if (typeof value !== "string" || !["[", "{"].includes(value.trimStart().charAt(0))) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const numberIn = (value: Bounded): Bounded =>
  typeof value === "string" && /^\s*-?(0|[1-9]\d{0,14})\s*$/.test(value) ? Number(value) : value;
