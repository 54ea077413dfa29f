import type { Logger } from "pino";
import { counting, type LimitedCaller, type Limits, type LimitUse } from "../agents/limits.ts";
import { type Reply, scopeOf } from "../core/command.ts";
import type { Observer } from "../core/context.ts";
import { ERRORS, MerchantError, type Problem, refusal } from "../core/errors.ts";
import { withinBounds } from "../core/fields.ts";
import { canonicalJson, sha256 } from "../core/hash.ts";
import { type Invalid, inputProblems, invalid, named } from "../core/input-problems.ts";
import { step, type ToolName } from "../core/next-step.ts";
import { LIMITS } from "../core/policy.ts";
import type { AgentRow } from "../core/records.ts";
import type { Merchant } from "../merchant/merchant.ts";
import { courtesyBuyer } from "../quotes/quote-request.ts";
import { type CallerGone, pathParameters } from "../web/http-request.ts";
import type { Call, Operation } from "./operation.ts";
import { tolerantInput } from "./tolerant-input.ts";

/** What an interface hands in: the input as it came, and beside it who asks. Never mixed. */
export interface Request {
  input: unknown;
  /** What the interface has found wrong with the call: told with all the rest. */
  problems?: readonly Problem[];
  credentials: {
    apiKey?: string | undefined;
    finderKey?: string | undefined;
    idempotencyKey?: string | undefined;
  };
  /** The client's network (see clientNetwork), for limits and registration's idempotency scope. */
  address: string;
  gone?: CallerGone | undefined;
  /** Called once the limits have been asked, also for answers that become errors. */
  onMetered?: (metered: LimitUse) => void;
}

/** What every interface stands on. */
export interface Service {
  merchant: Merchant;
  limits: Limits;
  log: Logger;
  clock: () => number;
  /** Signs what MCP clients carry for us between two calls; the same on every instance. */
  stateKey: Buffer;
  /** Check every answer against its schema: on in tests and development. */
  checkAnswers: boolean;
  /** Looks on at every call, for metrics and traces. */
  watch?: Observer | undefined;
}

/** What a call needs of it; a test may leave out the rest. */
type CallContext = Pick<Service, "merchant" | "limits" | "checkAnswers" | "watch">;

/** What is called, by whom, and what it runs over. */
interface Invocation {
  op: Operation;
  request: Request;
  service: CallContext;
}

/** The one way in: authorise → meter → validate → run → check the answer. */
export function perform(
  op: Operation,
  request: Request,
  service: CallContext,
): Promise<Reply<unknown>> {
  const { watch } = service;
  const run = () =>
    invoke({ op, request, service }).catch((error: unknown) => {
      throw withNextStep(error, op);
    });
  if (!watch) return run();
  const act = { kind: "operation", name: op.name, quoteId: quoteOf(request.input) } as const;
  return watch(act, run);
}

/** Where a refusal names no other step, it is this one again, as its code's help says. */
function withNextStep(error: unknown, op: Operation): unknown {
  if (error instanceof MerchantError && error.next.length === 0 && error.code !== "KEY_REVOKED") {
    error.next.push(step(op.name as ToolName, ERRORS[error.code].help));
  }
  return error;
}

/** Of input that was not validated yet: a name of a quote, or nothing. */
function quoteOf(input: unknown): string | undefined {
  const { quote_id: id } = (input ?? {}) as { quote_id?: unknown };
  return typeof id === "string" && /^qte_\w{1,64}$/.test(id) ? id : undefined;
}

async function invoke(invocation: Invocation): Promise<Reply<unknown>> {
  const { op, request, service } = invocation;
  const agent = await authorise(invocation);
  const who = { ...(agent && { key: agent.id }), address: request.address };
  const asked = counting(op.limits);
  const metered = await service.limits.take(agent ? ["key", ...asked] : asked, who);
  if (metered) request.onMetered?.(metered);
  const { idempotencyKey: key = "" } = request.credentials;
  const input = await validate(invocation, op.effect === "read" || IDEMPOTENCY_KEY.test(key));
  refuseMisplacedIds(input);
  await meterInput(invocation, who, input);
  const intent = op.effect === "read" ? null : await intentOf(invocation, agent, key);
  const { finderKey: sent } = request.credentials;
  const finderKey = sent === undefined ? null : plausible(sent);
  const { limits, merchant } = service;
  const network = intent && limits.on ? merchant.networkPseudonym(request.address) : null;
  const call = { input, agent, finderKey, intent, network, gone: request.gone };
  const reply = await runWithinLimits(invocation, who, call);
  if (service.checkAnswers) op.output.parse(reply.body);
  return reply;
}

async function authorise({ op, request, service }: Invocation): Promise<AgentRow | null> {
  if (op.access === "public") return null;
  const { apiKey } = request.credentials;
  if (apiKey !== undefined) return service.merchant.agents.authenticate(plausible(apiKey));
  if (op.access === "optional") return null;
  throw refusal(
    "UNAUTHENTICATED",
    "API key required, with every call. Register for a free one.{send_key}",
    step("register_agent", "Register to get a key, shown once."),
  );
}

/** What is counted by what a valid request holds: its bytes, and the buyer it asks a courtesy for. */
async function meterInput({ op, service }: Invocation, who: LimitedCaller, input: object) {
  const { limits } = service;
  const weighed = limits.on ? counting(op.limits, "bytes") : [];
  if (weighed.length > 0) {
    await limits.take(weighed, who, Buffer.byteLength(JSON.stringify(input)));
  }
  const buyer = courtesyBuyer(input);
  if (buyer !== null) await limits.take(counting(op.limits, "buyers"), { ...who, buyer });
}

/**
 * Runs it, within the limits of what may be newly made. They are asked when nothing can be wrong with
 * the request any more; a retry makes nothing and is not asked, and a call that failed is not
 * counted.
 */
async function runWithinLimits(
  { op, request, service }: Invocation,
  who: LimitedCaller,
  call: Call,
) {
  const { merchant, limits } = service;
  const made = counting(op.limits, "made");
  const retry = call.intent !== null && made.length > 0 && (await merchant.isRetry(call.intent));
  if (made.length === 0 || retry) return op.run(call, merchant);
  const metered = await limits.take(made, who);
  if (metered) request.onMetered?.(metered);
  const undo = () => limits.undo(made, who);
  const reply = await op.run(call, merchant).catch(async (error: unknown) => {
    await undo();
    throw error;
  });
  if (reply.replayed) await undo();
  return reply;
}

/** The input as its schema reads it, or all problems of the call (contract §11). */
async function validate(
  { op, request, service }: Invocation,
  hasKey: boolean,
): Promise<Record<string, unknown>> {
  const input = tolerantInput(op.input, request.input);
  const parsed = op.input.safeParse(input);
  const checked = { schema: op.input, input, elsewhere: op.elsewhere };
  const { problems, ...found } = parsed.success
    ? { problems: [] }
    : inputProblems(parsed.error, checked);
  const { catalog } = service.merchant;
  const readable = parsed.success ? input : withinBounds(input, parsed.error);
  let also = op.catalogProblems(readable, catalog);
  if (also.length > 0) {
    // Another instance may have published this bean a moment ago.
    await catalog.refresh();
    also = op.catalogProblems(readable, catalog);
  }
  const all = [...(request.problems ?? []), ...problems, ...also];
  if (hasKey && parsed.success && all.length === 0) return parsed.data;
  const bean =
    catalog.products.find(({ availability }) => availability === "STOCKED")?.product_id ?? "";
  const example = op.example?.(bean);
  const refused = {
    ...found,
    problems: all,
    again: op.name as ToolName,
    ...(example && { example }),
  };
  throw hasKey ? invalid(refused) : keyRequired(refused);
}

/** Keys of ours are looked up by their hash; none that was ever given out is longer. */
const plausible = (key: string): string => (key.length <= LIMITS.key_characters ? key : "");

/** A pattern with a bound, where the input's fields are schemas: nothing but yes or no is told of it. */
const IDEMPOTENCY_KEY = new RegExp(`^[\\x21-\\x7e]{1,${LIMITS.idempotency_key_characters}}$`);

/** Lists the other problems too, so that one more try is enough. */
function keyRequired({ problems, more = 0, again, next = [] }: Invalid & { again: ToolName }) {
  const rest = problems.length > 0 ? ` and with ${named(problems)} corrected` : "";
  return new MerchantError(
    "IDEMPOTENCY_KEY_REQUIRED",
    "Every write needs {idempotency_key}: 1 to 255 visible ASCII characters, new for every intent, the " +
      "same when you retry it.",
    {
      problems,
      moreProblems: more,
      next: [...next, step(again, `Send it again with {idempotency_key}${rest}.`)],
    },
  );
}

/** Who, what and on which thing: a key means the same intent through either interface (contract §12). */
async function intentOf({ op, request, service }: Invocation, agent: AgentRow | null, key: string) {
  const sent = request.input as Record<string, unknown>;
  const { order_id: called } = sent;
  // An order has two names: a retry by the other one is a retry.
  const input =
    agent && typeof called === "string"
      ? { ...sent, order_id: await service.merchant.orders.idOf(called, agent.id) }
      : sent;
  const targets = pathParameters(op.http.path).map((name) => String(input[name]));
  const who = agent?.id ?? `address:${service.merchant.addressPseudonym(request.address)}`;
  return {
    scope: scopeOf(who, op.name, targets),
    keyHash: sha256(key),
    requestHash: sha256(canonicalJson(input)),
  };
}

/** An id's prefix says what it identifies (contract §0). */
const KINDS: readonly { prefix: string; noun: string; field: string; reader: ToolName }[] = [
  { prefix: "qte_", noun: "a quote", field: "quote_id", reader: "get_quote" },
  { prefix: "ord_", noun: "an order", field: "order_id", reader: "get_order" },
  { prefix: "wl_", noun: "a waitlist entry", field: "waitlist_id", reader: "get_waitlist_entry" },
];

/** Refuses an id of another kind with the tool that takes it. */
export function refuseMisplacedIds(input: Record<string, unknown>): void {
  for (const wanted of KINDS) {
    const id = input[wanted.field];
    const sent = KINDS.find(({ prefix }) => typeof id === "string" && id.startsWith(prefix));
    if (!sent || sent === wanted) continue;
    const isQuoteOfOrder = sent.field === "quote_id" && wanted.field === "order_id";
    const tool = isQuoteOfOrder ? "get_quote_order" : sent.reader;
    const detail = `${wanted.field} is the id of ${wanted.noun}. This is the id of ${sent.noun}.`;
    throw new MerchantError("NOT_FOUND", detail, {
      problems: [{ pointer: `/${wanted.field}`, code: "INVALID", detail }],
      next: [step(tool, "It takes this id.", String(id))],
    });
  }
}
