import { z } from "zod";

export type Io = "input" | "output";
export type JsonSchema = Record<string, unknown>;

/** Trivial bounds: those of every integer, and that a text is not empty. */
export const isNoBound = (key: string, value: unknown): boolean =>
  (key === "maximum" && value === Number.MAX_SAFE_INTEGER) ||
  (key === "minimum" && value === Number.MIN_SAFE_INTEGER) ||
  (key === "minLength" && value === 1);

const cache = {
  input: new WeakMap<z.ZodType, JsonSchema>(),
  output: new WeakMap<z.ZodType, JsonSchema>(),
};

/**
 * Converts with zod 4, in JSON Schema's default dialect. Throws for a schema without a JSON Schema. Cached,
 * because conversion costs more than a call: do not change the result.
 */
export function jsonSchema(schema: z.ZodType, io: Io): JsonSchema {
  const json = cache[io].get(schema) ?? (z.toJSONSchema(schema, { io }) as JsonSchema);
  cache[io].set(schema, json);
  return json;
}

/** The same input with one type for each field: null is accepted but not advertised. */
export function withoutNull<J>(json: J): J {
  if (Array.isArray(json)) return json.map(withoutNull) as J;
  if (typeof json !== "object" || json === null) return json;
  const inner = Object.entries(json).map(([key, value]) => [key, withoutNull(value)]);
  const { anyOf, ...schema } = Object.fromEntries(inner);
  const [type, ...more] = [schema.type].flat().filter((one) => one !== "null");
  if (more.length === 0 && type !== undefined) schema.type = type;
  if (!Array.isArray(anyOf)) return anyOf === undefined ? schema : { ...schema, anyOf };
  const others = anyOf.filter((one) => one.type !== "null");
  return others.length === 1 ? { ...others[0], ...schema } : { ...schema, anyOf: others };
}
