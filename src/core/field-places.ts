import { z } from "zod";
import { FIELD_ALIASES } from "./field-aliases.ts";
import { nearest } from "./nearest.ts";

/** Where fields stand in an input, as its schema declares them. */
export type Path = readonly PropertyKey[];

/** The field itself, out of what makes it optional. */
function bareField(field: z.ZodType): z.ZodType {
  const wrapped = [z.ZodOptional, z.ZodDefault, z.ZodNullable].some(
    (kind) => field instanceof kind,
  );
  return wrapped ? bareField((field as z.ZodOptional<z.ZodType>).unwrap()) : field;
}

/** The field that a path leads to; undefined where there is none. */
export function fieldAt(schema: z.ZodType, path: Path): z.ZodType | undefined {
  const field = bareField(schema);
  const [first, ...rest] = path;
  if (first === undefined) return field;
  const inner =
    field instanceof z.ZodArray
      ? (field.element as z.ZodType)
      : field instanceof z.ZodObject
        ? (field.shape as Record<PropertyKey, z.ZodType>)[first]
        : undefined;
  return inner && fieldAt(inner, rest);
}

export function isOptional(schema: z.ZodType, path: Path): boolean {
  const object = fieldAt(schema, path.slice(0, -1));
  const name = String(path.at(-1));
  return object instanceof z.ZodObject && object.shape[name]?.safeParse(undefined).success === true;
}

/** The names that an object has; none where it is no object. */
export function namesIn(field: z.ZodType | undefined): string[] {
  return field instanceof z.ZodObject ? Object.keys(field.shape) : [];
}

/** Every field there is, with the first element of each list. */
function places(schema: z.ZodType, path: Path = []): Path[] {
  const field = bareField(schema);
  if (field instanceof z.ZodArray) return places(field.element as z.ZodType, [...path, 0]);
  return namesIn(field).flatMap((name) => [
    [...path, name],
    ...places(fieldAt(field, [name])!, [...path, name]),
  ]);
}

/**
 * The field that was meant by a name that is none: one beside it, or else the first of that name above
 * or below, in the same element of a list where both are in it; elsewhere only by the name itself. Never
 * one that was sent.
 */
export function meantField(schema: z.ZodType, path: Path, key: string, input: unknown) {
  const sent = (place: Path) => valueAt(input, place) !== undefined;
  const beside = namesIn(fieldAt(schema, path)).filter((name) => !sent([...path, name]));
  const near = nearest(key, beside, FIELD_ALIASES);
  if (near !== null) return [...path, near];
  const elsewhere = places(schema)
    .map((place) => place.map((part, i) => (part === 0 && path[i] !== undefined ? path[i]! : part)))
    .filter((place) => !sent(place));
  const related = elsewhere.filter(
    (place) => begins(path, place.slice(0, -1)) || begins(place, path),
  );
  return called(key, related, FIELD_ALIASES) ?? called(key, elsewhere, {});
}

const begins = (path: Path, start: Path): boolean => start.every((part, i) => part === path[i]);

function called(key: string, among: Path[], aliases: typeof FIELD_ALIASES): Path | null {
  const names = [...new Set(among.map((place) => String(place.at(-1))))];
  const name = nearest(key, names, aliases);
  return among.find((place) => place.at(-1) === name) ?? null;
}

export const valueAt = (input: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (value, part) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, part)
        ? (value as Record<PropertyKey, unknown>)[part]
        : undefined,
    input,
  );
