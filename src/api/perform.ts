import type { Logger } from "pino";
import { charged, type Limits, type LimitUse } from "../agents/limits.ts";
import { type Intent, type Reply, scopeOf } from "../core/command.ts";
import type { Observer } from "../core/context.ts";
import { customerOf } from "../core/email.ts";
import { ERRORS, MerchantError, type Problem, refusal } from "../core/errors.ts";
import { field, trimmed } from "../core/fields.ts";
import { canonicalJson, sha256 } from "../core/hash.ts";
import { isRandom, newNonce, pastedKey } from "../core/ids.ts";
import { type Invalid, inputProblems, invalid, named } from "../core/input-problems.ts";
import { leadToKey, lostOrder, step, type ToolName } from "../core/next-step.ts";
import { LIMITS } from "../core/policy.ts";
import { type Parsed, parseInput } from "../core/read-input.ts";
import type { AgentRow } from "../core/records.ts";
import { type CallNote, currentNote, idsIn } from "../core/request-note.ts";
import type { Merchant } from "../merchant/merchant.ts";
import { courtesyBuyer } from "../quotes/quote-request.ts";
import { type CallerGone, pathParameters } from "../web/http-request.ts";
import { asMerchantError } from "../web/problem-answers.ts";
import type { Operation } from "./operation.ts";

/** Input and credentials from an interface, never mixed. */
export interface Request {
  input: unknown;
  /** Problems that the interface found, listed with all others. */
  problems?: readonly Problem[];
  credentials: {
    apiKey?: string | undefined;
    finderKey?: string | undefined;
    idempotencyKey?: string | undefined;
  };
  /** Client network (see clientNetwork), for limits and the idempotency scope of registrations. */
  address: string;
  /** Profile of a UCP client, which scopes the idempotency keys of calls without an API key. */
  client?: string | undefined;
  gone?: CallerGone | undefined;
  /** Receives the tightest limit, also for responses that become errors. */
  onMetered?: (metered: LimitUse) => void;
}

/** Dependencies that every interface shares. */
export interface Service {
  merchant: Merchant;
  limits: Limits;
  log: Logger;
  clock: () => number;
  /** Signs state that MCP clients return to us; the same on every instance. */
  stateKey: Buffer;
  /** Checks responses against their schemas, in tests and development. */
  checkAnswers: boolean;
  /** Observes every call for metrics and traces. */
  watch?: Observer | undefined;
}

type CallContext = Pick<Service, "merchant" | "limits" | "log" | "checkAnswers" | "watch">;

interface Invocation {
  op: Operation;
  request: Request;
  service: CallContext;
  note: CallNote;
}

/** Runs an operation for every interface: authorize → limit → validate → run → check the response. */
export function perform(
  op: Operation,
  request: Request,
  service: CallContext,
): Promise<Reply<unknown>> {
  const { watch } = service;
  const note: CallNote = { operation: op.name, ...idsIn(request.input) };
  const run = () =>
    noted(note, service, () => invoke({ op, request, service, note })).catch((error: unknown) => {
      throw withNextStep(error, op, request.credentials.apiKey !== undefined);
    });
  if (!watch) return run();
  return watch({ kind: "operation", name: op.name, quoteId: note.quote }, run);
}

/** Adds the call to the line of its request, or writes one: on stdio there is no request. */
async function noted(
  note: CallNote,
  { log }: CallContext,
  run: () => Promise<Reply<unknown>>,
): Promise<Reply<unknown>> {
  try {
    const reply = await run();
    Object.assign(note, idsIn(reply.body));
    return reply;
  } catch (error) {
    note.code = asMerchantError(error).code;
    throw error;
  } finally {
    const request = currentNote();
    if (request) request.calls.push(note);
    else log.info(note);
  }
}

/**
 * Completes a refusal's next steps: by default the same call again, with the help of its code; before a step
 * that needs a key, how to get one.
 */
function withNextStep(error: unknown, op: Operation, hasKey: boolean): unknown {
  if (!(error instanceof MerchantError)) return error;
  const { next, code } = error;
  if (next.length === 0 && code !== "KEY_REVOKED") {
    next.push(step(op.name as ToolName, ERRORS[code].help));
  }
  return hasKey || op.access === "agent" ? error : leadToKey(error);
}

async function invoke(invocation: Invocation): Promise<Reply<unknown>> {
  const { op, request, service } = invocation;
  const agent = await authenticate(invocation);
  if (agent) invocation.note.agent = agent.id;
  const { limits, merchant } = service;
  const who = { own: agent?.id ?? pageIn(op, request.input), address: request.address };
  const metered = limits.charge({ requests: op.points }, who);
  if (metered) request.onMetered?.(metered);
  const key = trimmed(request.credentials.idempotencyKey ?? "");
  const parsed = parseInput(op.input, request.input);
  const hasKey = op.effect === "read" || IDEMPOTENCY_KEY.test(key);
  const intent =
    op.effect === "write" && hasKey && parsed.success
      ? await intentOf(invocation, agent, key)
      : null;
  const input = await validate(invocation, parsed, { hasKey, intent });
  const buyer = courtesyBuyer(input);
  if (buyer !== null) limits.charge({ buyers: 1 }, who, { about: customerOf(buyer) });
  const { finderKey: sent } = request.credentials;
  const finderKey = sent === undefined ? null : plausible(sent);
  const call = { input, agent, finderKey, intent, gone: request.gone };
  const reply = await charged(limits, who, () => op.run(call, merchant));
  if (service.checkAnswers) op.output.parse(reply.body);
  return reply;
}

async function authenticate({ op, request, service }: Invocation): Promise<AgentRow | null> {
  if (op.access === "public") return null;
  const { apiKey } = request.credentials;
  if (apiKey !== undefined) return service.merchant.agents.authenticate(plausible(apiKey));
  if (op.access === "optional") return null;
  throw refusal(
    "UNAUTHENTICATED",
    "API key required, with every call. If you have one, it was not where it belongs; else register for a free one.",
    step("register_agent", "Register to get a key, shown once."),
    ...(op.tag === "Orders" ? lostOrder(service.merchant.baseUrl) : []),
  );
}

/** The end of a page's link is its secret. A stranger may type an agent's id here, so it counts as a page's. */
function pageIn({ page }: Operation, input: unknown): string | undefined {
  const link = page === undefined ? undefined : field(input, page);
  return typeof link === "string" ? `page ${link.slice(-LIMITS.id_characters)}` : undefined;
}

/** Returns valid input, or throws all problems of the call (contract §11). */
async function validate(
  { op, request, service }: Invocation,
  parsed: Parsed<Record<string, unknown>>,
  { hasKey, intent }: { hasKey: boolean; intent: Intent | null },
): Promise<Record<string, unknown>> {
  const { input } = parsed;
  const { problems, ...found } = parsed.success
    ? { problems: [] }
    : inputProblems(parsed.issues, { schema: op.input, input });
  const { catalog } = service.merchant;
  let ofCatalog = op.catalogProblems(input, catalog);
  if (ofCatalog.length > 0) {
    // A retry gets its stored answer, although a bean may have left the catalog since.
    const isRetry = intent !== null && (await service.merchant.isRetry(intent));
    // Another instance may just have published this bean.
    if (!isRetry) await catalog.refresh();
    ofCatalog = isRetry ? [] : op.catalogProblems(input, catalog);
  }
  const all = [...(request.problems ?? []), ...problems, ...ofCatalog];
  if (hasKey && parsed.success && all.length === 0) return parsed.data;
  const kind = op.name === "join_waitlist" ? "WAITLIST" : "STOCKED";
  const bean = catalog.products.find(({ availability }) => availability === kind)?.product_id ?? "";
  const example = op.example?.(bean);
  const refused = {
    ...found,
    problems: all,
    again: op.name as ToolName,
    ...(example && { example }),
  };
  throw hasKey ? invalid(refused) : keyRequired(refused, request.credentials.idempotencyKey);
}

/** Replaces a key that is longer than any of ours. */
const plausible = (key: string): string =>
  key.length <= LIMITS.key_characters ? pastedKey(key) : "";

/** A pattern and no schema, because no problem lists the key. */
const IDEMPOTENCY_KEY = new RegExp(`^[\\x21-\\x7e]{1,${LIMITS.idempotency_key_characters}}$`);

/** Also lists the other problems, so that one retry is enough. */
function keyRequired(found: Invalid & { again: ToolName }, sent = "") {
  const { again, next = [] } = found;
  const { problems, moreProblems, example } = invalid(found);
  const rest = problems.length > 0 ? ` and with ${named(problems)} corrected` : "";
  return new MerchantError(
    "IDEMPOTENCY_KEY_REQUIRED",
    `${trimmed(sent) === "" ? "Every write needs an idempotency key:" : "An idempotency key has"} 1 to ` +
      `${LIMITS.idempotency_key_characters} visible ASCII characters, new for every intent, the same when you ` +
      "retry it.",
    {
      problems,
      moreProblems,
      ...(example && { example }),
      next: [...next, step(again, `Send it again with an idempotency key${rest}.`)],
    },
  );
}

/**
 * Agent, operation and target scope the key, over HTTP and MCP together (contract §12). Without an agent the key
 * itself proves who repeats a call. A guessable one proves nothing, because neighbors share an address: it makes
 * a new thing each time, or counts for the thing whose secret id was sent.
 */
async function intentOf({ op, request, service }: Invocation, agent: AgentRow | null, key: string) {
  const sent = request.input as Record<string, unknown>;
  const { order_id: called } = sent;
  // A retry may name the order by its number, as text or not.
  const input =
    agent && (typeof called === "string" || Number.isSafeInteger(called))
      ? { ...sent, order_id: await service.merchant.orders.idOf(String(called), agent.id) }
      : sent;
  const parameters = pathParameters(op.http.path);
  const isOwn = agent !== null || isRandom(key);
  // Over UCP a key stands for one request, whatever its target (contract §20).
  const isUcp = op.http.path.startsWith("/ucp/");
  const targets = isUcp && isOwn ? [] : parameters.map((name) => String(input[name]));
  const { client = "" } = request;
  const stranger = () => {
    const at = service.merchant.addressPseudonym(request.address);
    return ["address", at, ...(client && [sha256(client)])].join(":");
  };
  const who = agent?.id ?? stranger();
  return {
    scope: scopeOf(who, op.name, targets),
    keyHash: sha256(isOwn || isUcp || parameters.length > 0 ? key : newNonce()),
    requestHash: sha256(canonicalJson(input)),
    // UCP wants a conflict for every key that comes again with another request.
    guessable: isUcp && !isOwn && parameters.length === 0,
  };
}
