import { hash } from "node:crypto";
import canonicalize from "canonicalize";
import type { Catalog } from "../domain/catalog/catalog.ts";
import type { Intent, Reply } from "../domain/shared/command.ts";
import { MerchantError } from "../domain/shared/errors.ts";
import { invalid } from "../domain/shared/invalid.ts";
import { step } from "../domain/shared/next-step.ts";
import type { LimitName } from "../domain/shared/rate-limits.ts";
import type { AgentRow } from "../domain/shared/records.ts";
import type { Merchant } from "../merchant/merchant.ts";
import type { Limits, Metered } from "./limits.ts";
import { type Operation, pathParameters } from "./operation.ts";
import { problemsOf } from "./problems.ts";

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

/** The one door: authorise → meter → validate → run → check the answer. */
export async function perform(
  op: Operation,
  request: Request,
  { merchant, limits, checkAnswers }: Service,
): Promise<Reply<unknown>> {
  const agent = await authorise(op, request, merchant);
  await meter(op, request, agent, limits);
  const key = op.effect === "write" ? idempotencyKey(request) : null;
  const input = validate(op, request.input, merchant.catalog);
  const intent = key === null ? null : intentOf(op, request, agent, key);
  const finderKey = request.credentials.finderKey ?? null;
  const reply = await op.run({ input, agent, finderKey, intent, signal: request.signal }, merchant);
  if (checkAnswers) op.output.parse(reply.body);
  return reply;
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

function validate(op: Operation, input: unknown, catalog: Catalog): Record<string, unknown> {
  const parsed = op.input.safeParse(input);
  const problems = [
    ...(parsed.success ? [] : problemsOf(parsed.error, input)),
    ...op.catalogProblems(input, catalog),
  ];
  if (parsed.success && problems.length === 0) return parsed.data;
  throw invalid(problems);
}

function idempotencyKey({ credentials }: Request): string {
  const key = credentials.idempotencyKey;
  if (key !== undefined && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new MerchantError(
    "IDEMPOTENCY_KEY_REQUIRED",
    "Every write needs an idempotency key: 1 to 255 visible ASCII characters, new for every " +
      "intent, the same when you retry it. HTTP: header Idempotency-Key; MCP: argument idempotency_key.",
  );
}

/** Who, what and on which thing: a key means the same intent through either door (contract §12). */
function intentOf(op: Operation, request: Request, agent: AgentRow | null, key: string): Intent {
  const input = request.input as Record<string, unknown>;
  const targets = pathParameters(op.http.path).map((name) => String(input[name]));
  return {
    scope: [agent?.id ?? `address:${sha256(request.address)}`, op.name, ...targets].join(" "),
    keyHash: sha256(key),
    requestHash: sha256(canonicalize(request.input) ?? ""),
  };
}

const sha256 = (text: string): string => hash("sha256", text, "hex");
