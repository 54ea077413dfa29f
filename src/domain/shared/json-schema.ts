import { z } from "zod";

export type Io = "input" | "output";
export type JsonSchema = Record<string, unknown>;

/**
 * A function of a shape and its side that is worked out once for each: converting a schema costs
 * more than a call, and every interface wants the same ones. What it gives is shared, and must not be
 * changed.
 */
function oncePerShape<T>(make: (schema: z.ZodType, io: Io) => T) {
  const made = { input: new WeakMap<z.ZodType, T>(), output: new WeakMap<z.ZodType, T>() };
  return (schema: z.ZodType, io: Io): T => {
    const known = made[io].get(schema);
    if (known !== undefined) return known;
    const fresh = make(schema, io);
    made[io].set(schema, fresh);
    return fresh;
  };
}

/**
 * zod 4's own converter, in JSON Schema's default dialect. Throws where a shape has no JSON Schema.
 */
export const jsonSchema = oncePerShape(
  (schema, io): JsonSchema => z.toJSONSchema(schema, { io }) as JsonSchema,
);
