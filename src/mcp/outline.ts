import type { z } from "zod";
import { type JsonSchema, jsonSchema } from "../domain/shared/json-schema.ts";

/**
 * What a program needs to read an answer: names and types. Words about them are in the OpenAPI document;
 * a model pays for every byte of `tools/list`, and reads the answer itself. A shape that has a name of
 * its own is told in full where it comes first, and afterwards by that name, as a title.
 */
export function outline(answer: z.ZodType, told: Set<string>): JsonSchema {
  const { $defs = {}, ...root } = jsonSchema(answer, "output");
  const shapes = $defs as Record<string, JsonSchema>;
  const { required = root.required } = shapes[nameOf(root) ?? ""] ?? {};
  return { ...outlineOf(root, shapes, told), required };
}

type Shapes = Record<string, JsonSchema>;

const nameOf = ({ $ref }: JsonSchema): string | undefined =>
  typeof $ref === "string" ? $ref.replace("#/$defs/", "") : undefined;

function outlineOf(schema: JsonSchema, shapes: Shapes, told: Set<string>): JsonSchema {
  const title = nameOf(schema);
  const { type, anyOf, items, properties } = title === undefined ? schema : shapes[title]!;
  if (title !== undefined && told.has(title)) return { type, title };
  if (title !== undefined) told.add(title);
  const inner = (one: unknown) => outlineOf(one as JsonSchema, shapes, told);
  if (Array.isArray(anyOf)) return either(anyOf.map(inner));
  return {
    type,
    ...(title !== undefined && { title }),
    ...(items !== undefined && { items: inner(items) }),
    ...(properties !== undefined && { properties: mapped(properties as object, inner) }),
  };
}

const mapped = (properties: object, inner: (one: unknown) => JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, inner(one)]));

/** Something or null, as one schema. */
function either(choices: readonly JsonSchema[]): JsonSchema {
  const [something, ...others] = choices.filter(({ type }) => type !== "null");
  const nullable = something && others.length === 0;
  return nullable ? { ...something, type: [something.type, "null"] } : { anyOf: choices };
}
