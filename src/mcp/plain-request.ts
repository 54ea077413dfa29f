import type { IncomingHttpHeaders } from "node:http";
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  classifyInboundRequest,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";

type Json = Record<string, unknown>;

/**
 * A request that one JSON answer follows and nothing else: well-formed in every part that the protocol
 * looks at, in an era that we serve. Whatever is out of the ordinary is none, and the SDK's to answer.
 */
export interface PlainRequest {
  era: "legacy" | "modern";
  id: string | number;
  method: string;
  params: Json;
  /** As the header names it. */
  version: string | undefined;
  capabilities: ClientCapabilities | undefined;
}

/** The one message, or all entries of a 2025 batch; null where one of them is not plain. */
export function plainRequests(
  headers: IncomingHttpHeaders,
  body: unknown,
): PlainRequest | PlainRequest[] | null {
  if (!isJson(headers)) return null;
  if (!Array.isArray(body)) return plainRequest(headers, body);
  if (body.length === 0 || body.length > MOST_ENTRIES) return null;
  const entries = body.map((entry) => plainRequest(headers, entry));
  return entries.every((entry) => entry?.era === "legacy") ? (entries as PlainRequest[]) : null;
}

/** As many as the SDK takes. */
const MOST_ENTRIES = 100;

function isJson({ accept = "", "content-type": type = "" }: IncomingHttpHeaders): boolean {
  const both = accept.includes("application/json") && accept.includes("text/event-stream");
  return both && /^application\/json *(;|$)/.test(type);
}

function plainRequest(headers: IncomingHttpHeaders, body: unknown): PlainRequest | null {
  const version = one(headers["mcp-protocol-version"]);
  const method = one(headers["mcp-method"]);
  const outcome = classifyInboundRequest({
    httpMethod: "POST",
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(method !== undefined && { mcpMethodHeader: method }),
    body,
  });
  if (outcome.kind === "reject" || !only(body, ENVELOPE)) return null;
  const { id, params = {} } = body as { id?: unknown; params?: unknown };
  if (!isId(id) || !only(params, PARAMS)) return null;
  const { _meta: meta = {} } = params;
  if (!only(meta, META)) return null;
  const request = { id, method: String((body as Json).method), params, version };
  if (meta.progressToken !== undefined && !isId(meta.progressToken)) return null;
  if (outcome.kind === "legacy") {
    const known = version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version);
    const plain = outcome.reason === "no-claim" && known;
    return plain ? { ...request, era: "legacy", capabilities: undefined } : null;
  }
  const named = one(headers["mcp-name"]);
  const headed = version === MODERN && method === request.method && named === params.name;
  if (!headed || outcome.classification.revision !== MODERN) return null;
  const capabilities = meta[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities;
  return { ...request, era: "modern", capabilities };
}

const MODERN = "2026-07-28";

const ENVELOPE = new Set(["jsonrpc", "id", "method", "params"]);
const PARAMS = new Set(["name", "arguments", "_meta"]);
const META = new Set([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  "progressToken",
]);

/** An object with no other fields than these. */
function only(value: unknown, fields: ReadonlySet<string>): value is Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.keys(value).every((key) => fields.has(key));
}

const isId = (id: unknown): id is string | number =>
  typeof id === "string" || Number.isSafeInteger(id);

const one = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;
