import { hash } from "node:crypto";
import canonicalize from "canonicalize";
import type { z } from "zod";
import type { Intent } from "../domain/shared/command.ts";
import { type ErrorCode, MerchantError, type Problem } from "../domain/shared/errors.ts";
import { invalid } from "../domain/shared/invalid.ts";
import { step } from "../domain/shared/next-step.ts";
import type { LimitName } from "../domain/shared/rate-limits.ts";
import type { AgentRow } from "../domain/shared/records.ts";
import type { Merchant } from "../merchant/merchant.ts";
import type { Limits, Metered } from "./limits.ts";
import { problemsOf } from "./problems.ts";

/**
 * One thing an agent can do, shown through every door: an MCP tool and a /v1 route are made of it,
 * the OpenAPI document and README's table are printed from it.
 */
export interface Operation<I extends z.ZodObject = z.ZodObject> {
  /** verb_noun: the tool's name and the route's operationId. */
  name: string;
  title: string;
  /** When to use it, its effect, what comes next. */
  description: string;
  http: { method: "GET" | "POST" | "DELETE"; path: string; status: 200 | 201 | 202 };
  /** "optional": works for everybody, and knows the agent where a key is sent. */
  access: "public" | "agent" | "optional";
  effect: "read" | "write";
  /** Honest hints for clients that ask before they act. */
  hints: { destructive: boolean; openWorld: boolean };
  limits: readonly LimitName[];
  input: I;
  /** Loose: readers tolerate new fields. What `run` answers is held to it at run time. */
  output: z.ZodObject;
  errors: readonly ErrorCode[];
  /** What only the catalog knows to be wrong, so that all problems come in one answer. */
  alsoWrong?: (input: unknown, merchant: Merchant) => Problem[];
  run(call: Call<z.output<I>>, merchant: Merchant): Promise<Outcome>;
}

/** A call as a rule of the house wants it: authorised, valid, with its one intention. */
export interface Call<I> {
  input: I;
  /** Null where no key was sent to an operation that does without. */
  agent: AgentRow | null;
  finderKey: string | null;
  /** Of writes only. */
  intent: Intent | null;
  signal: AbortSignal | undefined;
}

export interface Outcome {
  body: unknown;
  replayed?: boolean;
}

/** What a door hands in: the input as it came, and beside it who asks. Never mixed. */
export interface Request {
  input: unknown;
  credentials: {
    apiKey?: string | undefined;
    finderKey?: string | undefined;
    idempotencyKey?: string | undefined;
  };
  /** The client's address, for limits and for registration's idempotency scope. */
  address: string;
  signal?: AbortSignal | undefined;
  /** Called once the limits have been asked, also for answers that become errors. */
  onMetered?: (metered: Metered) => void;
}

export interface Service {
  merchant: Merchant;
  limits: Limits;
  /** Check every answer against its schema: on in tests and development. */
  checkAnswers: boolean;
}

/** Keeps the types of one operation while lists of them forget the details. */
export const operation = <I extends z.ZodObject>(o: Operation<I>): Operation =>
  o as unknown as Operation;

/** The one door: authorise → meter → validate → run → check the answer. */
export async function perform(
  op: Operation,
  request: Request,
  { merchant, limits, checkAnswers }: Service,
): Promise<Required<Outcome>> {
  const agent = await authorise(op, request, merchant);
  await meter(op, request, agent, limits);
  const key = op.effect === "write" ? requiredKey(request) : null;
  const input = validate(op, request.input, merchant);
  const intent = key === null ? null : intentOf(op, request, agent, key);
  const outcome = await op.run(
    {
      input,
      agent,
      finderKey: request.credentials.finderKey ?? null,
      intent,
      signal: request.signal,
    },
    merchant,
  );
  if (checkAnswers) op.output.parse(outcome.body);
  return { body: outcome.body, replayed: outcome.replayed ?? false };
}

async function authorise(
  op: Operation,
  { credentials }: Request,
  merchant: Merchant,
): Promise<AgentRow | null> {
  if (op.access === "public") return null;
  if (credentials.apiKey !== undefined) return merchant.agents.authenticate(credentials.apiKey);
  if (op.access === "optional") return null;
  throw new MerchantError(
    "UNAUTHENTICATED",
    "This needs a key. Register (it is free), then send it with every call.",
    { next: [step("register_agent", "Register to get a key, shown once.")] },
  );
}

async function meter(
  op: Operation,
  request: Request,
  agent: AgentRow | null,
  limits: Limits,
): Promise<void> {
  const names: LimitName[] = [...(agent ? (["key"] as const) : []), ...op.limits];
  const metered = await limits.take(names, {
    ...(agent && { key: agent.id }),
    address: request.address,
  });
  if (metered) request.onMetered?.(metered);
}

function validate(op: Operation, input: unknown, merchant: Merchant): Record<string, unknown> {
  const parsed = op.input.safeParse(input);
  const problems = [
    ...(parsed.success ? [] : problemsOf(parsed.error, input)),
    ...(op.alsoWrong?.(input, merchant) ?? []),
  ];
  if (parsed.success && problems.length === 0) return parsed.data;
  throw invalid(problems);
}

function requiredKey({ credentials }: Request): string {
  const key = credentials.idempotencyKey;
  if (key !== undefined && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new MerchantError(
    "IDEMPOTENCY_KEY_REQUIRED",
    "Every write needs an idempotency key: 1 to 255 visible ASCII characters, new for every " +
      "intent, the same when you retry it. HTTP: header Idempotency-Key; MCP: argument idempotency_key.",
  );
}

/** Who, what and on which thing: a key means the same intent through either door (CONTRACT §12). */
function intentOf(op: Operation, request: Request, agent: AgentRow | null, key: string): Intent {
  const input = request.input as Record<string, unknown>;
  const targets = pathParameters(op.http.path).map((name) => String(input[name]));
  return {
    scope: [agent?.id ?? `address:${sha256(request.address)}`, op.name, ...targets].join(" "),
    keyHash: sha256(key),
    requestHash: sha256(canonicalize(request.input) ?? ""),
  };
}

export const pathParameters = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

const sha256 = (text: string): string => hash("sha256", text, "hex");

/** The agent of an operation with access "agent", and the intent of a write. */
export function required<T>(value: T | null): T {
  if (value === null) throw new Error("perform() hands this in");
  return value;
}
