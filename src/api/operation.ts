import type { z } from "zod";
import type { Catalog } from "../catalog/catalog.ts";
import type { Intent, Reply } from "../core/command.ts";
import type { ErrorCode, Problem } from "../core/errors.ts";
import type { Bounded } from "../core/fields.ts";
import type { CredentialName } from "../core/next-step.ts";
import type { AgentRow } from "../core/records.ts";
import type { Merchant } from "../merchant/merchant.ts";
import { type CallerGone, pathParameters } from "../web/http-request.ts";

/**
 * One action an agent can take. MCP tools, /v1 routes, the OpenAPI document and the tables in docs/ are
 * all made from it.
 */
export interface Operation {
  /** `verb_noun`: tool name and operationId. */
  name: string;
  title: string;
  /** Use, effect and next step. */
  description: string;
  tag: Tag;
  http: { method: "GET" | "POST" | "PUT" | "DELETE"; path: string; status: 200 | 201 | 202 };
  /** "optional": needs no key, but uses one if sent. */
  access: "public" | "agent" | "optional";
  effect: "read" | "write";
  /** MCP's tool hints. */
  hints: { readOnly: boolean; destructive: boolean; idempotent: boolean; openWorld: boolean };
  /** Points that a call takes from the limit `requests`. */
  points: number;
  /** Name of the input with a page's link: its followers are counted by page. */
  page?: string | undefined;
  /** Accepts a finder key for the exclusive bean. */
  takesFinderKey: boolean;
  input: z.ZodObject;
  /** Minimal complete input, shown if the input has the wrong shape. */
  example?: ((productId: string) => object) | undefined;
  /** Loose, because clients accept new fields. Development and tests check responses against it. */
  output: z.ZodObject;
  errors: readonly ErrorCode[];
  /** Problems that only the catalog reveals, so that one response lists all problems. */
  catalogProblems(input: Bounded, catalog: Catalog): Problem[];
  run(call: Call, merchant: Merchant): Promise<Reply<unknown>>;
}

export type Tag = "Information" | "Agents" | "Quotes" | "Orders" | "Waitlist" | "Messages";

/** An authorized, valid call. Each kind of operation is typed with its part of it. */
export interface Call {
  input: Record<string, unknown>;
  agent: AgentRow | null;
  finderKey: string | null;
  intent: Intent | null;
  gone: CallerGone | undefined;
}

/** Fields that a tool file sets. The others have defaults or follow from the kind. */
interface Definition<I extends z.ZodObject, O extends z.ZodObject>
  extends Pick<Operation, "name" | "title" | "description" | "tag" | "http"> {
  input: I;
  output: O;
  points?: Operation["points"];
  page?: Operation["page"];
  errors?: Operation["errors"];
  hints?: Partial<Operation["hints"]>;
  catalogProblems?: Operation["catalogProblems"];
  example?: Operation["example"];
}

// One builder per kind of operation. The kind decides access and effect, and so what `run` receives: an
// agent's call has an agent, a write has an intent. `perform` supplies them, so these casts are safe.

const reads =
  <Who>(access: Operation["access"]) =>
  <I extends z.ZodObject, O extends z.ZodObject>({
    run,
    ...definition
  }: Definition<I, O> & {
    run(
      call: { input: z.output<I>; gone: CallerGone | undefined } & Who,
      merchant: Merchant,
    ): z.output<O> | Promise<z.output<O>>;
  }): Operation => ({
    ...usual(definition, "read"),
    access,
    run: async (call, merchant) => ({
      body: await (run as unknown as Operation["run"])(call, merchant),
      replayed: false,
    }),
  });

const writes =
  <Who>(access: Operation["access"], takesFinderKey = false) =>
  <I extends z.ZodObject, O extends z.ZodObject>(
    definition: Definition<I, O> & {
      run(
        call: { input: z.output<I>; intent: Intent } & Who,
        merchant: Merchant,
      ): Promise<Reply<z.output<O>>>;
    },
  ): Operation => ({
    ...usual(definition, "write"),
    access,
    takesFinderKey,
    run: definition.run as unknown as Operation["run"],
  });

const usual = <I extends z.ZodObject, O extends z.ZodObject>(
  { hints, ...definition }: Definition<I, O>,
  effect: Operation["effect"],
) => ({
  points: effect === "write" ? 4 : 1,
  errors: [],
  takesFinderKey: false,
  catalogProblems: () => [],
  ...definition,
  effect,
  hints: {
    readOnly: effect === "read",
    destructive: false,
    idempotent: true,
    openWorld: false,
    ...hints,
  },
});

export const publicRead = reads<object>("public");
export const agentRead = reads<{ agent: AgentRow }>("agent");
/** Needs no key; `agent` is null without one. */
export const optionalAgentRead = reads<{ agent: AgentRow | null }>("optional");
export const publicWrite = writes<object>("public");
export const agentWrite = writes<{ agent: AgentRow }>("agent");
/** A write that may include the exclusive bean; `finderKey` is null if none was sent. */
export const agentWriteWithFinderKey = writes<{ agent: AgentRow; finderKey: string | null }>(
  "agent",
  true,
);

/** Credentials that an operation reads. Over MCP they are arguments, over HTTP headers. */
export const credentialsOf = ({ effect, takesFinderKey, access }: Operation): CredentialName[] => [
  ...(effect === "write" ? (["idempotency_key"] as const) : []),
  ...(takesFinderKey ? (["finder_key"] as const) : []),
  ...(access === "public" ? [] : (["api_key"] as const)),
];

/**
 * Ids that a response always has: the path parameter that each fills, and its field. `id` fills the parameter
 * of the operation that reads this resource.
 */
export function idsIn(op: Operation, operations: readonly Operation[]): Map<string, string> {
  const fields = Object.entries(op.output.shape)
    .filter(([, { type }]) => type !== "optional")
    .map(([field]) => field);
  const named = fields.filter((field) => /^\w+_id$/.test(field));
  const ids = new Map(named.map((field) => [field, field]));
  const own = fields.includes("id") && readerOf(op, operations);
  if (own) ids.set(parameterOf(own), "id");
  return ids;
}

/** Builds the Location of a 201 from its body; null if the new resource cannot be read. */
export function locationOf(
  op: Operation,
  operations: readonly Operation[],
): ((answer: unknown) => string) | null {
  const reader = op.http.status === 201 ? readerOf(op, operations) : undefined;
  if (!reader) return null;
  const place = `{${parameterOf(reader)}}`;
  return (answer) => {
    const { id } = answer as { id: string };
    return reader.http.path.replace(place, encodeURIComponent(id));
  };
}

/** The operation that reads one resource of this shape by its id, if any. */
const readerOf = (op: Operation, operations: readonly Operation[]): Operation | undefined =>
  operations.find(
    ({ http, output }) => http.method === "GET" && output === op.output && http.path.endsWith("}"),
  );

const parameterOf = ({ http }: Operation): string => pathParameters(http.path).at(-1)!;
