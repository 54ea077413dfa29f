import { z } from "zod";
import { spellingOf } from "../core/fields.ts";
import { bareField } from "../core/input-problems.ts";
import { sameWord } from "../core/nearest.ts";
import { parseJsonBody } from "../web/http-request.ts";

/**
 * The input with every spelling whose meaning is certain in the form that the schema wants: null for an
 * absent optional field, "2" for 2, 78701 for "78701", one object for a list of one, JSON text for a list or an
 * object. Everything else stays as it came, for the schema to refuse.
 */
export function tolerantInput(schema: z.ZodType, sent: unknown): unknown {
  const field = bareField(schema);
  const isNested = field instanceof z.ZodObject || field instanceof z.ZodArray;
  const read = isNested ? fromJsonText(sent) : sent;
  const value = spellingOf(field)?.(read) ?? read;
  if (field instanceof z.ZodObject) return tolerantObject(field, value);
  if (field instanceof z.ZodArray) return tolerantList(field, value);
  if (field instanceof z.ZodString) return Number.isSafeInteger(value) ? String(value) : value;
  if (field instanceof z.ZodNumber) return numberIn(value);
  const choices =
    field instanceof z.ZodEnum
      ? field.options
      : field instanceof z.ZodLiteral
        ? [...field.values]
        : [];
  if (choices.length === 0 || typeof value !== "string") return value;
  return (
    sameWord(
      value,
      choices.filter((one) => typeof one === "string"),
    ) ?? value
  );
}

function tolerantObject(field: z.ZodObject, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const known = Object.hasOwn(field.shape, name) ? (field.shape[name] as z.ZodType) : undefined;
    if (known === undefined) return [[name, inner]];
    return inner === null && isOptional(known) ? [] : [[name, tolerantInput(known, inner)]];
  });
  // Unlike assignment, this keeps a field called __proto__, for the schema to refuse.
  return Object.fromEntries(entries);
}

const isOptional = (field: z.ZodType): boolean =>
  field instanceof z.ZodOptional || field instanceof z.ZodDefault;

function tolerantList(field: z.ZodArray, value: unknown): unknown {
  const element = field.element as z.ZodType;
  if (Array.isArray(value)) return value.map((one) => tolerantInput(element, one));
  const isOne =
    element instanceof z.ZodObject
      ? typeof value === "object" && value !== null
      : typeof value === "string" && element instanceof z.ZodString;
  return isOne ? [tolerantInput(element, value)] : value;
}

/** Text that names a field twice stays text: which one is meant is not certain. */
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
