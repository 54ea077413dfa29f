import type { z } from "zod";
import { type JsonSchema, jsonSchema } from "../core/json-schema.ts";

/** So deep an answer is told; what lies deeper, such as the parts of a refund, it tells itself. */
const LEVELS = 3;

/**
 * What a program needs to read an answer: names and types. Words about them, and which are always there,
 * are in the OpenAPI document: a model pays for every byte of `tools/list`, and reads the answer itself.
 * A shape that has a name is told in full where it comes first, and afterwards by that name, as a title.
 */
export function outline(answer: z.ZodType, told: Set<string>): JsonSchema {
  const { $defs = {}, ...root } = jsonSchema(answer, "output");
  return outlineOf(root, { shapes: $defs as Place["shapes"], told, levels: LEVELS });
}

interface Place {
  shapes: Record<string, JsonSchema>;
  told: Set<string>;
  /** How many levels may follow. */
  levels: number;
}

const nameOf = ({ $ref }: JsonSchema): string | undefined =>
  typeof $ref === "string" ? $ref.replace("#/$defs/", "") : undefined;

function outlineOf(schema: JsonSchema, place: Place): JsonSchema {
  const { shapes, told, levels } = place;
  const title = nameOf(schema);
  const { type, anyOf, items, properties } = title === undefined ? schema : shapes[title]!;
  if (title !== undefined && told.has(title)) return { type, title };
  if (levels === 0 && items === undefined && anyOf === undefined) return { type };
  if (title !== undefined) told.add(title);
  const same = (one: unknown) => outlineOf(one as JsonSchema, place);
  const inner = (one: unknown) => outlineOf(one as JsonSchema, { ...place, levels: levels - 1 });
  if (Array.isArray(anyOf)) return either(anyOf.map(same));
  return {
    type,
    ...(title !== undefined && { title }),
    ...(items !== undefined && { items: same(items) }),
    ...(hasSome(properties) && { properties: mapped(properties, inner) }),
  };
}

const hasSome = (properties: unknown): properties is object =>
  Object.keys(properties ?? {}).length > 0;

const mapped = (properties: object, inner: (one: unknown) => JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, inner(one)]));

/** Something or null, as one schema. */
function either(choices: readonly JsonSchema[]): JsonSchema {
  const [something, ...others] = choices.filter(({ type }) => type !== "null");
  const nullable = something && others.length === 0;
  return nullable ? { ...something, type: [something.type, "null"] } : { anyOf: choices };
}
