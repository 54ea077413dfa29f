import {
  type CallToolResult,
  type ContentBlock,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import type { Operation } from "../api/operation.ts";
import { perform, type Request, type Service } from "../api/perform.ts";
import { invalid } from "../core/input-problems.ts";
import { meantName, sameWord } from "../core/nearest.ts";
import { type CredentialName, type Naming, namedAnswer, type ToolName } from "../core/next-step.ts";
import type { CallerGone } from "../web/http-request.ts";
import { answerText } from "./answer-text.ts";
import { type Caller, textWithin } from "./caller.ts";
import { asksForCard, cardMeta } from "./card/fragment.ts";
import { toolRefusal } from "./refusals.ts";
import { type AnswerBody, REPLAYED_META } from "./review-offer.ts";
import { CREDENTIAL_NAMES } from "./schemas.ts";

export type Arguments = Record<string, unknown>;

export type ToolResult = CallToolResult | InputRequiredResult;

export interface ToolCallContext {
  service: Service;
  caller: Caller;
  gone: CallerGone;
  /** The client shows cards. */
  cards: boolean;
  /** Returns the result, or a request that the client has to answer first. */
  offer: (body: AnswerBody, result: CallToolResult) => Promise<ToolResult>;
  /** Links to resources of this response, if the client's protocol has them. */
  links: (body: unknown) => ContentBlock[];
}

/** Runs one tools/call. Refusals are results too (contract §11). */
export async function callTool(
  op: Operation,
  args: Arguments,
  { service, caller, gone, cards, offer, links }: ToolCallContext,
): Promise<ToolResult> {
  try {
    const { input, credentials } = splitCredentials(op, args, caller);
    const request = { input, credentials, address: caller.address, gone };
    const { body: answer, replayed } = await perform(op, request, service);
    const { body, text: told } = toldIn(answer as object, caller.naming);
    const more = [...links(body), ...(await keyText(op, body, caller))];
    // A write has happened, so its result is always shown.
    const text = op.effect === "read" ? textWithin(caller, op.name, told, body) : told();
    const isShown = !caller.batch && (cards || asksForCard(args));
    const meta = {
      ...(replayed && { [REPLAYED_META]: true }),
      ...(isShown && cardMeta(op, body, service.merchant)),
    };
    return await offer(body, resultOf(body, text, meta, more));
  } catch (error) {
    const { merchant, log } = service;
    const called = { what: op.name, isWrite: op.effect === "write" };
    return toolRefusal(error, { caller, baseUrl: merchant.baseUrl, log, ...called });
  }
}

interface Told {
  body: AnswerBody;
  /** Makes the text once. */
  text: () => string;
}

/** Frozen answers, which everybody gets until something changes, in each vocabulary. */
const SHARED = new WeakMap<object, Map<Naming, Told>>();

function toldIn(answer: object, naming: Naming): Told {
  const known = SHARED.get(answer)?.get(naming);
  if (known) return known;
  const body = namedAnswer(answer, naming) as AnswerBody;
  let text: string | undefined;
  const told = { body, text: () => (text ??= answerText(body)) };
  if (Object.isFrozen(answer)) {
    Object.freeze(body);
    SHARED.set(answer, (SHARED.get(answer) ?? new Map()).set(naming, told));
  }
  return told;
}

const KEY_KEPT =
  "This connection keeps using its earlier key, because only that key reads its quotes and orders. Save both.";

/**
 * Lets the connection keep a newly registered key. If it cannot, the text says where to send the key, or
 * that the connection still uses another one.
 */
async function keyText(op: Operation, body: unknown, caller: Caller): Promise<ContentBlock[]> {
  const { api_key } = body as { api_key?: unknown };
  if (op.name !== "register_agent" || typeof api_key !== "string") return [];
  await caller.registered?.(api_key);
  const words = caller.keyArgument === "shown" ? caller.howToKey : KEY_KEPT;
  return caller.apiKey === api_key ? [] : [{ type: "text", text: words }];
}

const resultOf = (
  body: AnswerBody,
  text: string,
  meta: Record<string, unknown>,
  more: ContentBlock[],
): CallToolResult => ({
  content: [{ type: "text", text }, ...more],
  structuredContent: body,
  ...(Object.keys(meta).length > 0 && { _meta: meta }),
});

export function unknownTool(name: string, known: Iterable<string>): ProtocolError {
  const tools = [...known];
  const meant = meantName(name, tools);
  const hint = meant === null ? `The tools are ${tools.join(", ")}.` : `Did you mean ${meant}?`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no such tool. ${hint}`);
}

/**
 * Without arguments that clients add to every call, such as n8n's toolCallId. One that is nearly ours stays, and
 * all stay while a field is missing, because one of them may be that field by another name.
 */
function withoutPlumbing({ input: { shape } }: Operation, sent: Arguments) {
  const names = Object.keys(shape);
  const isMissing = (name: string) =>
    !Object.hasOwn(sent, name) && !shape[name]!.safeParse(undefined).success;
  if (names.some(isMissing)) return sent;
  const isOurs = (name: string) =>
    Object.hasOwn(shape, name) ||
    sameWord(name, CREDENTIAL_NAMES) !== undefined ||
    meantName(name, names) !== null;
  return Object.fromEntries(Object.entries(sent).filter(([name]) => isOurs(name)));
}

/** The word Bearer may precede the key, like in the header. */
const bareKey = (sent: string): string => sent.replace(/^Bearer +/i, "");

/** A client with an older list of tools sends null, or the key that its connection has. */
const isOwnKey = (sent: unknown, { apiKey }: Caller): boolean =>
  sent === null || (typeof sent === "string" && bareKey(sent) === apiKey);

/**
 * Splits the arguments into the operation's input and the credentials that HTTP has headers for. A credential
 * that this tool does not use is ignored, as a header would be. A connection with a key takes no other key.
 */
function splitCredentials(
  op: Operation,
  args: Arguments,
  caller: Caller,
): Pick<Request, "input" | "credentials"> {
  const given: Partial<Record<CredentialName, string>> = {};
  const input = { ...args };
  for (const sent of Object.keys(args)) {
    const name = sameWord(sent, CREDENTIAL_NAMES);
    if (!name || given[name] !== undefined) continue;
    if (name === "api_key" && caller.keyArgument === "refused" && !isOwnKey(args[sent], caller)) {
      continue;
    }
    const value = input[sent] ?? undefined;
    delete input[sent];
    if (value === undefined) continue;
    if (typeof value !== "string" && !Number.isSafeInteger(value)) {
      const detail = `${name} is text: send it in quotes.`;
      const problems = [{ pointer: `/${sent}`, code: "WRONG_TYPE", detail }];
      throw invalid({ problems, again: op.name as ToolName });
    }
    given[name] = String(value);
  }
  return {
    input: withoutPlumbing(op, input),
    credentials: {
      apiKey: given.api_key === undefined ? caller.apiKey : bareKey(given.api_key),
      idempotencyKey: given.idempotency_key,
      finderKey: given.finder_key,
    },
  };
}
