import type { Tool } from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { Operation } from "../api/operation.ts";
import { cardsOf, type Resource } from "../api/resource.ts";
import { acceptingNull, isNoBound, jsonSchema } from "../core/json-schema.ts";
import { type Naming, namedAll, namedText } from "../core/next-step.ts";
import { LIMITS } from "../core/policy.ts";
import { outline } from "./outline.ts";

type Json = Record<string, unknown>;

/** Beside the input, because MCP has no headers for a single call (contract §12, §13). */
const CREDENTIALS = {
  idempotency_key: {
    type: "string",
    maxLength: LIMITS.idempotency_key_characters,
    description: "New for every intent, the same to retry it.",
  },
  finder_key: { type: "string", description: "Opens the locked bean; earned with ask." },
  api_key: { type: "string", description: "From register_agent; a secret." },
} as const;

export type CredentialName = keyof typeof CREDENTIALS;
export const CREDENTIAL_NAMES = Object.keys(CREDENTIALS) as CredentialName[];

/** Which of the three an operation shows as arguments. */
function credentialNames(op: Operation, keyArgument: boolean): CredentialName[] {
  return [
    ...(op.effect === "write" ? (["idempotency_key"] as const) : []),
    ...(op.takesFinderKey ? (["finder_key"] as const) : []),
    ...(keyArgument && op.access !== "public" ? (["api_key"] as const) : []),
  ];
}

/** With and without `api_key` among the arguments. */
export interface ToolLists {
  bare: Tool[];
  keyed: Tool[];
}

export function toolLists(
  operations: readonly Operation[],
  resources: readonly Resource[],
  naming: Naming = "tools",
): ToolLists {
  const cards = cardsOf(resources);
  const listed = (keyArgument: boolean) => toolsOf(operations, keyArgument, cards, naming);
  return { bare: listed(false), keyed: listed(true) };
}

/**
 * Operations as tools, in their order. Made once: converting a schema costs more than a call. What
 * an answer looks like is told once: later tools name it by its title.
 */
export function toolsOf(
  operations: readonly Operation[],
  keyArgument: boolean,
  cards: ReadonlyMap<string, string>,
  naming: Naming = "tools",
): Tool[] {
  const told = new Set<string>();
  return operations.map((op) => ({
    name: op.name,
    title: op.title,
    description: namedText(op.description, naming),
    inputSchema: inputSchema(op, credentialNames(op, keyArgument)),
    outputSchema: outline(op.output, told) as NonNullable<Tool["outputSchema"]>,
    annotations: {
      readOnlyHint: op.hints.readOnly,
      destructiveHint: op.hints.destructive,
      // A write carries its key, so that the same call again does nothing again.
      idempotentHint: true,
      openWorldHint: op.hints.openWorld,
    },
    ...(cards.has(op.name) && { _meta: { ui: { resourceUri: cards.get(op.name) } } }),
  }));
}

function inputSchema(op: Operation, credentials: readonly CredentialName[]): Tool["inputSchema"] {
  const { properties = {}, required = [], ...schema } = inPlace(op.input);
  const added = Object.fromEntries(credentials.map((name) => [name, CREDENTIALS[name]]));
  const needed = [...required, ...credentials.filter((name) => name === "idempotency_key")];
  return acceptingNull({
    ...schema,
    type: "object",
    properties: { ...properties, ...added },
    required: needed,
  }) as Tool["inputSchema"];
}

interface ObjectSchema {
  properties?: Json;
  required?: string[];
}

const inPlace = (input: z.ZodType): ObjectSchema => {
  const { $defs = {}, ...json } = jsonSchema(input, "input");
  return namedAll(plain(json, $defs as Record<string, Json>), "tools") as ObjectSchema;
};

/**
 * Every shape in place of its reference, and without noise. Clients of 2025 want an object at the
 * root, and not every client follows `$ref`.
 */
function plain(json: unknown, defs: Record<string, Json>): unknown {
  if (Array.isArray(json)) return json.map((one) => plain(one, defs));
  if (typeof json !== "object" || json === null) return json;
  const { $ref, ...own } = json as Json;
  const whole = typeof $ref === "string" ? { ...defs[$ref.replace("#/$defs/", "")], ...own } : own;
  return Object.fromEntries(
    Object.entries(whole)
      .filter(([key, value]) => !isNoise(key, value))
      .map(([key, value]) => [key, plain(value, defs)]),
  );
}

/**
 * `id` is zod's own name for a shape, and ajv refuses it. How long a name or an id may be is told when it
 * is sent wrongly.
 */
const isNoise = (key: string, value: unknown): boolean =>
  isNoBound(key, value) ||
  key === "$schema" ||
  (key === "id" && typeof value === "string") ||
  (key === "maxLength" && typeof value === "number" && value < LIMITS.gift_note_characters);
