import type { Tool } from "@modelcontextprotocol/server";
import type { z } from "zod";
import { credentialsOf, type Operation } from "../api/operation.ts";
import { cardsOf, type Resource } from "../api/resource.ts";
import { isNoBound, type JsonSchema, jsonSchema } from "../core/json-schema.ts";
import type { CredentialName } from "../core/next-step.ts";
import { LIMITS } from "../core/policy.ts";

type Json = Record<string, unknown>;

/** Credentials as tool arguments, because MCP has no headers for a single call (contract §12, §13). */
const CREDENTIALS = {
  idempotency_key: {
    type: "string",
    description: "New per intent; the same to retry.",
  },
  finder_key: { type: "string", description: "Earned with ask." },
  api_key: { type: "string" },
} as const satisfies Record<CredentialName, object>;

export const CREDENTIAL_NAMES = Object.keys(CREDENTIALS) as CredentialName[];

/** Credentials that an operation takes as arguments. */
const credentialNames = (op: Operation, keyArgument: boolean): CredentialName[] =>
  credentialsOf(op).filter((name) => keyArgument || name !== "api_key");

/** Tools with (`keyed`) and without (`bare`) the argument `api_key`. */
export interface ToolLists {
  bare: Tool[];
  keyed: Tool[];
}

export function toolLists(
  operations: readonly Operation[],
  resources: readonly Resource[],
): ToolLists {
  const cards = cardsOf(resources);
  const listed = (keyArgument: boolean) => toolsOf(operations, keyArgument, cards);
  return { bare: listed(false), keyed: listed(true) };
}

/** Converts operations to tools. Callers keep the result, because it costs more than a call. */
export function toolsOf(
  operations: readonly Operation[],
  keyArgument: boolean,
  cards: ReadonlyMap<string, string>,
): Tool[] {
  const shown = new Set<string>();
  const all = operations.map(({ output }) => output);
  const isRepeated = (output: z.ZodType) => all.filter((one) => one === output).length > 1;
  return operations.map((op) => ({
    name: op.name,
    title: op.title,
    description: op.description,
    inputSchema: inputSchema(op, credentialNames(op, keyArgument)),
    outputSchema: outputSchema(op.output, isRepeated(op.output), shown) as NonNullable<
      Tool["outputSchema"]
    >,
    annotations: {
      readOnlyHint: op.hints.readOnly,
      destructiveHint: op.hints.destructive,
      // Most writes carry their key, so that a repeated call changes nothing.
      idempotentHint: op.hints.idempotent,
      openWorldHint: op.hints.openWorld,
    },
    ...(cards.has(op.name) && { _meta: { ui: { resourceUri: cards.get(op.name) } } }),
  }));
}

function inputSchema(op: Operation, credentials: readonly CredentialName[]): Tool["inputSchema"] {
  const { properties = {}, required = [], ...schema } = inlineInput(op.input);
  const added = Object.fromEntries(credentials.map((name) => [name, CREDENTIALS[name]]));
  const needed = [...required, ...credentials.filter((name) => name === "idempotency_key")];
  // Null for an absent field is accepted but not advertised: some hosts refuse lists of types.
  return {
    ...schema,
    type: "object",
    properties: { ...properties, ...added },
    required: needed,
  } as Tool["inputSchema"];
}

/**
 * Names of a response's fields, and types of those that it always has. A model pays for each byte of `tools/list`, and the OpenAPI document
 * has the details. A named shape is shown once, then by its title.
 */
function outputSchema(response: z.ZodType, isRepeated: boolean, shown: Set<string>): Json {
  const { $defs = {}, ...root } = jsonSchema(response, "output");
  const shapes = $defs as Record<string, JsonSchema>;
  const resolved = (schema: JsonSchema): JsonSchema => shapes[nameOf(schema) ?? ""] ?? schema;
  const typesOf = (schema: JsonSchema): unknown[] => {
    const { type, anyOf } = resolved(schema);
    return Array.isArray(anyOf) ? [...new Set(anyOf.flatMap(typesOf))] : [type].flat();
  };
  const typed = (field: JsonSchema) => {
    const all = typesOf(field).map((type) => ({ type }));
    return all.length === 1 ? all[0] : { anyOf: all };
  };
  const title = isRepeated ? nameOf(root) : undefined;
  const named = title === undefined ? {} : { title };
  if (title !== undefined && shown.has(title)) return { type: "object", ...named };
  if (title !== undefined) shown.add(title);
  const fields = Object.entries(resolved(root).properties ?? {});
  const always = new Set(resolved(root).required as string[] | undefined);
  const properties = Object.fromEntries(
    fields.map(([name, one]) => [name, always.has(name) ? typed(one) : {}]),
  );
  return { type: "object", ...named, properties };
}

const nameOf = ({ $ref }: JsonSchema): string | undefined =>
  typeof $ref === "string" ? $ref.replace("#/$defs/", "") : undefined;

interface ObjectSchema {
  properties?: Json;
  required?: string[];
}

const inlineInput = (input: z.ZodType): ObjectSchema => {
  const { $defs = {}, ...json } = jsonSchema(input, "input");
  return inline(json, $defs as Record<string, Json>) as ObjectSchema;
};

/** Replaces each reference by its shape, because not every client follows `$ref`, and drops noise. */
function inline(json: unknown, defs: Record<string, Json>): unknown {
  if (Array.isArray(json)) return json.map((one) => inline(one, defs));
  if (typeof json !== "object" || json === null) return json;
  const { $ref, ...own } = json as Json;
  const whole = typeof $ref === "string" ? { ...defs[$ref.replace("#/$defs/", "")], ...own } : own;
  return Object.fromEntries(
    Object.entries(whole)
      .filter(([key, value]) => !isNoise(key, value))
      .map(([key, value]) => [key, inline(value, defs)]),
  );
}

/** `id` is zod's name for a shape, and ajv refuses it. Errors name the shorter length limits. */
const isNoise = (key: string, value: unknown): boolean =>
  isNoBound(key, value) ||
  key === "$schema" ||
  (key === "id" && typeof value === "string") ||
  (key === "maxLength" && typeof value === "number" && value < LIMITS.gift_note_characters);
