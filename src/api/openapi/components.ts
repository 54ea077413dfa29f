import type { z } from "zod";
import { EmailAddress, Minor, Time } from "../../core/answer.ts";
import { type Io, isNoBound, jsonSchema } from "../../core/json-schema.ts";
import type { Json } from "./parts.ts";

/** Schemas with an id become components; every other is written in place. */
export class Components {
  readonly schemas: Json = {};
  readonly parameters: Json = {};

  of(schema: z.ZodType, io: Io): Json {
    const { $schema: _, $defs = {}, ...json } = jsonSchema(schema, io);
    for (const [id, found] of Object.entries($defs as Json)) {
      this.schemas[id] ??= lean(moved(omit(found as Json, "id", "$schema")));
    }
    const { id, ...rest } = lean(moved(json)) as Json & { id?: string };
    if (id === undefined) return rest;
    this.schemas[id] ??= rest;
    return { $ref: `#/components/schemas/${id}` };
  }

  /** An id in a path, described for all paths that have it. */
  parameter(name: string, described: Json): Json {
    this.parameters[name] ??= described;
    return { $ref: `#/components/parameters/${name}` };
  }

  /** One example for all that answer with this shape. */
  example(schema: z.ZodType, value: unknown): void {
    const shape = this.schemas[String(schema.meta()?.id)] as Json;
    shape.examples ??= [value];
  }
}

export const omit = (value: Json, ...names: string[]): Json =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

/** zod points into its own $defs; here the definitions live among the components. */
const moved = (json: Json): Json =>
  JSON.parse(JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;

/** Told once for the whole document, in its description. */
const TOLD = new Set([Minor, EmailAddress, Time].map(({ description }) => description));

/** Without what says nothing: bounds that are no bounds, and what holds for the whole document. */
function lean<T>(json: T): T {
  if (Array.isArray(json)) return json.map(lean) as T;
  if (typeof json !== "object" || json === null) return json;
  const open = Object.keys((json as Json).properties ?? {}).length > 0 && "additionalProperties";
  const entries = Object.entries(json).filter(
    ([key, value]) => !isNoise(key, value) && !(key === open && JSON.stringify(value) === "{}"),
  );
  const isTime = (json as Json).description === Time.description;
  return {
    ...Object.fromEntries(
      entries.map(([key, value]) => [key, key === "description" ? once(value) : lean(value)]),
    ),
    ...(isTime && { format: "date-time" }),
  } as T;
}

/** That values are open is told once, too. A field may be called description. */
const once = (value: unknown): unknown =>
  typeof value === "string" ? value.replace(/;? tolerate new (values|types)\b/, "") : lean(value);

const isNoise = (key: string, value: unknown): boolean =>
  isNoBound(key, value) || (key === "description" && TOLD.has(String(value)));
