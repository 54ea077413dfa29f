import type { z } from "zod";
import { type Io, jsonSchema } from "../../domain/shared/json-schema.ts";
import type { Json } from "./parts.ts";

/** Schemas with an id become components; every other is written in place. */
export class Components {
  readonly schemas: Json = {};

  of(schema: z.ZodType, io: Io): Json {
    const { $schema: _, $defs = {}, ...json } = jsonSchema(schema, io);
    for (const [id, found] of Object.entries($defs as Json)) {
      this.schemas[id] = moved(omit(found as Json, "id", "$schema"));
    }
    const { id, ...rest } = moved(json) as Json & { id?: string };
    if (id === undefined) return rest;
    this.schemas[id] = rest;
    return { $ref: `#/components/schemas/${id}` };
  }
}

export const omit = (value: Json, ...names: string[]): Json =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

/** zod points into its own $defs; here the definitions live among the components. */
const moved = (json: Json): Json =>
  JSON.parse(JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
