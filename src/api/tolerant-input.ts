import { z } from "zod";
import { spellingOf } from "../core/fields.ts";
import { bareField } from "../core/input-problems.ts";
import { sameWord } from "../core/nearest.ts";
import { parseJsonBody } from "../web/http-request.ts";

/**
 * Rewrites spellings whose meaning is certain for the schema: null for an absent optional field, "2" for 2,
 * 78701 for "78701", one object for a list of one, JSON text for a list or an object. Everything else stays
 * as it is, for the schema to refuse.
 */
export const tolerantInput = (schema: z.ZodType, sent: unknown): unknown => readerOf(schema)(sent);

type Reader = (sent: unknown) => unknown;

/** Reading a schema takes longer than reading a value by it. */
const READERS = new WeakMap<z.ZodType, Reader>();

function readerOf(schema: z.ZodType): Reader {
  const known = READERS.get(schema);
  if (known) return known;
  const field = bareField(schema);
  const spell = spellingOf(field) ?? ((value) => value);
  const read = shapeReader(field);
  const isNested = field instanceof z.ZodObject || field instanceof z.ZodArray;
  const reader: Reader = (sent) => read(spell(isNested ? fromJsonText(sent) : sent));
  READERS.set(schema, reader);
  return reader;
}

function shapeReader(field: z.ZodType): Reader {
  if (field instanceof z.ZodObject) return objectReader(field);
  if (field instanceof z.ZodArray) return listReader(field);
  if (field instanceof z.ZodString) {
    return (value) => (Number.isSafeInteger(value) ? String(value) : value);
  }
  if (field instanceof z.ZodNumber) return numberIn;
  const choices =
    field instanceof z.ZodEnum
      ? field.options
      : field instanceof z.ZodLiteral
        ? [...field.values]
        : [];
  const words = choices.filter((one) => typeof one === "string");
  return (value) => (typeof value === "string" ? (sameWord(value, words) ?? value) : value);
}

function objectReader(field: z.ZodObject): Reader {
  const known = new Map(
    Object.entries(field.shape as Record<string, z.ZodType>).map(([name, inner]) => [
      name,
      { isOptional: isOptional(inner), read: readerOf(inner) },
    ]),
  );
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const entries = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
      const field = known.get(name);
      if (field === undefined) return [[name, inner]];
      return inner === null && field.isOptional ? [] : [[name, field.read(inner)]];
    });
    // Unlike assignment, fromEntries keeps a field called __proto__, for the schema to refuse.
    return Object.fromEntries(entries);
  };
}

const isOptional = (field: z.ZodType): boolean =>
  field instanceof z.ZodOptional || field instanceof z.ZodDefault;

function listReader(field: z.ZodArray): Reader {
  const element = field.element as z.ZodType;
  const read = readerOf(element);
  const most = mostIn(field);
  const isOne: (value: unknown) => boolean =
    element instanceof z.ZodObject
      ? (value) => typeof value === "object" && value !== null
      : (value) => typeof value === "string" && element instanceof z.ZodString;
  return (value) => {
    if (!Array.isArray(value)) return isOne(value) ? [read(value)] : value;
    // The schema refuses a longer list by its length alone.
    return value.length > most ? value : value.map(read);
  };
}

/** The most elements of a list. */
function mostIn({ def: { checks = [] } }: z.ZodArray): number {
  const bounds = checks.map(({ _zod: { def } }) => (def as { maximum?: number }).maximum);
  return bounds.find((most) => most !== undefined) ?? Number.POSITIVE_INFINITY;
}

function fromJsonText(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return parseJsonBody(value);
  } catch {
    return value;
  }
}

const numberIn = (value: unknown): unknown =>
  typeof value === "string" && /^\s*-?(0|[1-9]\d{0,14})\s*$/.test(value) ? Number(value) : value;
