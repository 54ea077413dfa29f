import type { z } from "zod";
import type { Catalog } from "../catalog/catalog.ts";
import type { Intent, Reply } from "../core/command.ts";
import type { ErrorCode, NextStep, Problem } from "../core/errors.ts";
import type { LimitName } from "../core/rate-limits.ts";
import type { AgentRow } from "../core/records.ts";
import type { Merchant } from "../merchant/merchant.ts";
import { type CallerGone, pathParameters } from "../web/http-request.ts";

/**
 * One thing an agent can do, shown through every interface: an MCP tool and a /v1 route are made of it,
 * the OpenAPI document and the tables in docs/ are printed from it.
 */
export interface Operation {
  /** verb_noun: the tool's name and the route's operationId. */
  name: string;
  title: string;
  /** When to use it, its effect, what comes next. */
  description: string;
  /** Its chapter in the OpenAPI document. */
  tag: Tag;
  http: { method: "GET" | "POST" | "PUT" | "DELETE"; path: string; status: 200 | 201 | 202 };
  /** "optional": works for everybody, and knows the agent where a key is sent. */
  access: "public" | "agent" | "optional";
  effect: "read" | "write";
  /** Honest hints for clients that ask before they act. */
  hints: { readOnly: boolean; destructive: boolean; openWorld: boolean };
  /** Beside the limit of the key, which every call with a key counts towards. */
  limits: readonly LimitName[];
  /** Whether a finder key can be sent along, for the exclusive bean. */
  takesFinderKey: boolean;
  input: z.ZodObject;
  /** A minimal complete input, told where one has the wrong shape. */
  example?: ((productId: string) => object) | undefined;
  /** Fields of other tools that callers send here: the tool that takes each, and why. */
  elsewhere?: Readonly<Record<string, NextStep>> | undefined;
  /** Loose: readers tolerate new fields. What `run` answers is held to it at run time too. */
  output: z.ZodObject;
  errors: readonly ErrorCode[];
  /** What only the catalog knows to be wrong, so that all problems come in one answer. */
  catalogProblems(input: unknown, catalog: Catalog): Problem[];
  run(call: Call, merchant: Merchant): Promise<Reply<unknown>>;
}

export type Tag = "Information" | "Agents" | "Quotes" | "Orders" | "Waitlist" | "Messages";

/** What perform() has made of a request: authorised and valid. Each kind is typed with its part of it. */
export interface Call {
  input: Record<string, unknown>;
  agent: AgentRow | null;
  finderKey: string | null;
  intent: Intent | null;
  /** A pseudonym of the client network, for shares of bags; null where nothing is limited. */
  network: string | null;
  gone: CallerGone | undefined;
}

/** What an operation says of itself; the rest follows from its kind, or is as usual. */
interface Definition<I extends z.ZodObject, O extends z.ZodObject>
  extends Pick<Operation, "name" | "title" | "description" | "tag" | "http"> {
  input: I;
  output: O;
  limits?: Operation["limits"];
  errors?: Operation["errors"];
  hints?: Partial<Operation["hints"]>;
  catalogProblems?: Operation["catalogProblems"];
  example?: Operation["example"];
  elsewhere?: Operation["elsewhere"];
}

// One builder per kind of operation: the kind says who may call it and what it does to the world,
// and so what `run` is given. A call of an agent has an agent, a write has an intent: `perform` makes
// a call after `access` and `effect`, so that it has what these types promise.

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
        call: { input: z.output<I>; intent: Intent; network: string | null } & Who,
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
  limits: [],
  errors: [],
  takesFinderKey: false,
  catalogProblems: () => [],
  ...definition,
  effect,
  hints: { readOnly: effect === "read", destructive: false, openWorld: false, ...hints },
});

export const publicRead = reads<object>("public");
export const agentRead = reads<{ agent: AgentRow }>("agent");
/** For everybody; `agent` is null where no key was sent. */
export const optionalAgentRead = reads<{ agent: AgentRow | null }>("optional");
export const publicWrite = writes<object>("public");
export const agentWrite = writes<{ agent: AgentRow }>("agent");
/** A write that can concern the exclusive bean; `finderKey` is null where none was sent. */
export const agentWriteWithFinderKey = writes<{ agent: AgentRow; finderKey: string | null }>(
  "agent",
  true,
);

/**
 * The ids that an operation's answer always carries: the parameter each fills in, and the field it stands in.
 * `id` is that of the thing answered, and so fills in the parameter of the operation that reads it.
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

/** Where a thing that was just made can be read: the path of a 201, filled in from its answer. */
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

/** The operation that reads one thing of this shape by its id, where there is one. */
const readerOf = (op: Operation, operations: readonly Operation[]): Operation | undefined =>
  operations.find(
    ({ http, output }) => http.method === "GET" && output === op.output && http.path.endsWith("}"),
  );

const parameterOf = ({ http }: Operation): string => pathParameters(http.path).at(-1)!;
