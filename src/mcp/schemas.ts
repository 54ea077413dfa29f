import type { Tool } from "@modelcontextprotocol/server";
import type { z } from "zod";
import { type Io, jsonSchema, oncePerShape } from "../domain/shared/json-schema.ts";
import { hours, TIMES } from "../domain/shared/policy.ts";
import type { Operation } from "../operations/operation.ts";

type Json = Record<string, unknown>;

/** Beside the input, because MCP has no headers for a single call (contract §12, §13). */
const CREDENTIALS = {
  idempotency_key: {
    type: "string",
    minLength: 1,
    maxLength: 255,
    description:
      "Any new text for every new intent; reuse the same key when you retry the same intent, and " +
      `nothing is done twice. Visible ASCII, kept ${hours(TIMES.idempotency_ms)}.`,
  },
  finder_key: {
    type: "string",
    description: "Opens the locked bean; earned by good questions with ask. Leave out for others.",
  },
  api_key: {
    type: "string",
    description:
      "The key from register_agent, needed here because this connection carries none. Treat it as a " +
      "secret: do not show it.",
  },
} as const;

export type CredentialName = keyof typeof CREDENTIALS;

/** Which of the three an operation takes as arguments. */
export function credentialNames(op: Operation, keyArgument: boolean): CredentialName[] {
  return [
    ...(op.effect === "write" ? (["idempotency_key"] as const) : []),
    ...(op.takesFinderKey ? (["finder_key"] as const) : []),
    ...(keyArgument && op.access !== "public" ? (["api_key"] as const) : []),
  ];
}

/** An operation as a tool. Made at start: converting a schema costs more than a call. */
export function toolOf(op: Operation, keyArgument: boolean): Tool {
  return {
    name: op.name,
    title: op.title,
    description: op.description,
    inputSchema: inputSchema(op, credentialNames(op, keyArgument)),
    outputSchema: outputSchema(op),
    annotations: {
      readOnlyHint: op.hints.readOnly,
      destructiveHint: op.hints.destructive,
      // A write carries its key, so that the same call again does nothing again.
      idempotentHint: true,
      openWorldHint: op.hints.openWorld,
    },
  };
}

function inputSchema(op: Operation, credentials: readonly CredentialName[]): Tool["inputSchema"] {
  const { properties = {}, required = [], ...schema } = converted(op, op.input, "input");
  const added = Object.fromEntries(credentials.map((name) => [name, CREDENTIALS[name]]));
  return {
    ...schema,
    type: "object",
    properties: { ...properties, ...added },
    required: [...required, ...credentials.filter((name) => name === "idempotency_key")],
  } as Tool["inputSchema"];
}

const outputSchema = (op: Operation): NonNullable<Tool["outputSchema"]> =>
  converted(op, op.output, "output") as NonNullable<Tool["outputSchema"]>;

interface ObjectSchema {
  properties?: Json;
  required?: string[];
}

const inPlace = oncePerShape((schema, io): ObjectSchema => {
  const { $defs = {}, ...json } = jsonSchema(schema, io);
  return plain(json, $defs as Record<string, Json>) as ObjectSchema;
});

function converted(op: Operation, schema: z.ZodType, io: Io): ObjectSchema {
  try {
    return inPlace(schema, io);
  } catch (cause) {
    throw new Error(`the ${io} of ${op.name} has no JSON Schema`, { cause });
  }
}

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
      .filter(([key, value]) => !noise(key, value))
      .map(([key, value]) => [key, plain(value, defs)]),
  );
}

/** `id` is zod's own name for a shape, and ajv refuses it; the safe integers bound nothing. */
const noise = (key: string, value: unknown): boolean =>
  key === "$schema" ||
  (key === "id" && typeof value === "string") ||
  (key === "maximum" && value === Number.MAX_SAFE_INTEGER) ||
  (key === "minimum" && value === Number.MIN_SAFE_INTEGER);
