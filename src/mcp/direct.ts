import type { IncomingHttpHeaders } from "node:http";
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  classifyInboundRequest,
  isJsonContentType,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import type { Service } from "../api/perform.ts";
import { acceptsJson, type CallerGone } from "../web/http-request.ts";
import { callTool, type ToolResult } from "./call-tool.ts";
import type { Caller } from "./caller.ts";
import { showsCards } from "./card/fragment.ts";
import { cacheHints, type McpContents } from "./contents.ts";
import { linksOf } from "./read-resource.ts";

/**
 * Answers ordinary tools/list and tools/call without a server of the SDK's, which costs 3.8 times the CPU for a
 * call and 6 times for the list. The response is the one that the SDK would give; a test compares them. Null,
 * before anything is done, where the SDK has to answer.
 */
export type DirectAnswers = (
  headers: IncomingHttpHeaders,
  body: unknown,
  caller: Caller,
) => DirectAnswer | null;

/** The JSON of a response: its beginning, which leaves with the headers, and bytes that are never copied. */
interface Response {
  begin: string;
  rest: Buffer;
}

export type DirectAnswer = (gone: CallerGone) => Promise<Response>;

export function directAnswers(contents: McpContents, service: Service): DirectAnswers {
  const lists = new Map<string, Buffer>();
  const shared = new WeakMap<object, Map<Era, Buffer>>();
  /** Fields that every result of 2026-07-28 carries. */
  const modern = (result: object & { _meta?: unknown }) => ({
    ...result,
    resultType: "complete",
    _meta: { ...(result._meta ?? {}), [SERVER_INFO_META_KEY]: contents.info },
  });

  /** Serialized once for each era and kind of caller: that is over a third of its cost. */
  function listJson(era: Era, caller: Caller): Buffer {
    const name = `${era} ${caller.keyArgument}`;
    const list = () => {
      const result = contents.list(TOOLS_LIST, caller);
      return era === "modern" ? modern({ ...result, ...cacheHints(caller)[TOOLS_LIST] }) : result;
    };
    const json = lists.get(name) ?? jsonBytes(list());
    lists.set(name, json);
    return json;
  }

  return (headers, body, caller) => {
    const request = ordinaryRequest(headers, body);
    if (request === null) return null;
    const { era, id, method, params, version, capabilities } = request;
    if (method === TOOLS_LIST) {
      if (params.name !== undefined || params.arguments !== undefined) return null;
      return async () => response(id, listJson(era, caller));
    }
    const op = method === "tools/call" ? contents.byName.get(params.name as string) : undefined;
    // The SDK asks the buyer to open the review link, where the client can.
    const mayAsk = capabilities?.elicitation !== undefined && op && "review_url" in op.output.shape;
    const { arguments: args = {} } = params;
    if (!op || mayAsk || !isObject(args)) return null;
    const links = (answer: unknown) => linksOf(answer, contents.registry, caller, { era, version });
    const offer = async (_answer: unknown, result: ToolResult) => result;
    const cards = showsCards(capabilities);
    return async (gone) => {
      const result = await callTool(op, args, { service, caller, gone, cards, offer, links });
      return response(id, resultJson(era, result));
    };
  };

  /** An answer that everybody gets is serialized once. */
  function resultJson(era: Era, result: ToolResult): Buffer {
    const json = () => jsonBytes(era === "modern" ? modern(result) : result);
    const { structuredContent: body, content, _meta } = result as CallToolResult;
    if (!body || _meta || !Object.isFrozen(body) || content.length > 1) return json();
    const ready = shared.get(body) ?? new Map<Era, Buffer>();
    shared.set(body, ready);
    const known = ready.get(era) ?? json();
    ready.set(era, known);
    return known;
  }
}

const TOOLS_LIST = "tools/list";

/** Includes the brace that ends the response. */
const jsonBytes = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value)}}`);

const response = (id: string | number, rest: Buffer): Response => ({
  begin: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`,
  rest,
});

type Era = "legacy" | "modern";
type Json = Record<string, unknown>;

interface OrdinaryRequest {
  era: Era;
  id: string | number;
  method: string;
  params: Json;
  /** The header mcp-protocol-version. */
  version: string | undefined;
  capabilities: ClientCapabilities | undefined;
}

const MODERN = "2026-07-28";

const MESSAGE_FIELDS = new Set(["jsonrpc", "id", "method", "params"]);
const PARAM_FIELDS = new Set(["name", "arguments", "_meta"]);
const META_FIELDS = new Set([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  "progressToken",
]);

/**
 * A request that exactly one JSON response follows: well-formed in every part that the protocol reads, in an
 * era that we serve. Null for anything else, such as a batch.
 */
function ordinaryRequest(headers: IncomingHttpHeaders, body: unknown): OrdinaryRequest | null {
  if (!acceptsJson(headers.accept) || !isJsonContentType(headers["content-type"])) return null;
  const version = one(headers["mcp-protocol-version"]);
  const methodHeader = one(headers["mcp-method"]);
  if (!hasOnly(body, MESSAGE_FIELDS)) return null;
  const { jsonrpc, id, method, params = {} } = body;
  if (!isId(id) || !hasOnly(params, PARAM_FIELDS)) return null;
  const isKnown = version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version);
  if (jsonrpc === "2.0" && typeof method === "string" && params._meta === undefined) {
    // The SDK's classification would take as long as the rest of the answer, and find the same.
    const isLegacy = isKnown && (version ?? "") < MODERN;
    if (isLegacy) return { id, method, params, version, era: "legacy", capabilities: undefined };
  }
  const outcome = classifyInboundRequest({
    httpMethod: "POST",
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(methodHeader !== undefined && { mcpMethodHeader: methodHeader }),
    body,
  });
  if (outcome.kind === "reject") return null;
  const { _meta: meta = {} } = params;
  if (!hasOnly(meta, META_FIELDS)) return null;
  if (meta.progressToken !== undefined && !isId(meta.progressToken)) return null;
  const request = { id, method: String(method), params, version };
  if (outcome.kind === "legacy") {
    const isPlain = outcome.reason === "no-claim" && isKnown;
    return isPlain ? { ...request, era: "legacy", capabilities: undefined } : null;
  }
  const hasHeaders = version === MODERN && methodHeader === method;
  if (!hasHeaders || one(headers["mcp-name"]) !== params.name) return null;
  if (outcome.classification.revision !== MODERN) return null;
  const capabilities = meta[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities;
  return { ...request, era: "modern", capabilities };
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const hasOnly = (value: unknown, fields: ReadonlySet<string>): value is Json =>
  isObject(value) && Object.keys(value).every((key) => fields.has(key));

const isId = (id: unknown): id is string | number =>
  typeof id === "string" || Number.isSafeInteger(id);

const one = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;
