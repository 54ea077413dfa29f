import { z } from "zod";

/** A schema and all schemas inside it, with their paths. */
export function fieldsOf(schema: z.ZodType, path = ""): [path: string, field: z.ZodType][] {
  return [
    [path || "(the whole)", schema],
    ...inner(schema).flatMap(([name, one]) => fieldsOf(one, `${path}/${name}`)),
  ];
}

function inner(schema: z.ZodType): [name: string, field: z.ZodType][] {
  if (schema instanceof z.ZodObject) return Object.entries(schema.shape) as [string, z.ZodType][];
  if (schema instanceof z.ZodArray) return [["[]", schema.element as z.ZodType]];
  const wrapped = [z.ZodOptional, z.ZodDefault, z.ZodNullable].some(
    (kind) => schema instanceof kind,
  );
  return wrapped ? [["", (schema as z.ZodOptional<z.ZodType>).unwrap()]] : [];
}

/** Input that has this value at a field's path, and nothing else. */
export const inputWith = (path: string, value: unknown): unknown =>
  path
    .split("/")
    .slice(1)
    .reduceRight(
      (inside, name) => (name === "" ? inside : name === "[]" ? [inside] : { [name]: inside }),
      value,
    );

/** Texts of 100 kB that have made patterns slow: blanks, letters, dots, accents, alternations. */
export const LONG_TEXTS = [" ", "a", ".", "\u00e9", "\u0301\u0316", "a ", " st. ", "1,"].map(
  (piece) => `x${piece.repeat(Math.floor(100_000 / Buffer.byteLength(piece)))}x`,
);
