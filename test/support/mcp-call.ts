import { send } from "./shopper.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever came.
type Any = any;

export const ACCEPT = "application/json, text/event-stream";

export interface Message {
  headers: Record<string, string>;
  body: unknown;
}

/** A raw request of 2026-07-28, with the fields that clients add themselves. */
export function modern(method: string, params: Any = {}, meta: object = {}): Message {
  const name = params.name ?? params.uri;
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
    ...meta,
  };
  return {
    headers: {
      accept: ACCEPT,
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(typeof name === "string" && { "mcp-name": name }),
    },
    body: { jsonrpc: "2.0", id: 7, method, params: { ...params, _meta } },
  };
}

/** A raw request of an earlier protocol. */
export const legacy = (method: string, params?: unknown, version = "2025-11-25"): Message => ({
  headers: { accept: ACCEPT, "mcp-protocol-version": version },
  body: { jsonrpc: "2.0", id: "a", method, ...(params !== undefined && { params }) },
});

/** Sends a request like the simplest client of the 2025 protocols, and returns the JSON-RPC answer. */
export async function rpc(
  baseUrl: string,
  method: string,
  params: object = {},
  key?: string,
): Promise<Any> {
  const answer = await send(baseUrl, "/mcp", {
    key,
    raw: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    headers: {
      "content-type": "application/json",
      accept: ACCEPT,
      "mcp-protocol-version": "2025-06-18",
    },
  });
  const [, event] = /^data: (.*)$/m.exec(answer.text) ?? [];
  return event === undefined ? answer.body : JSON.parse(event);
}

/** Calls a tool and returns its result, which may be a refusal. */
export const rpcTool = async (
  baseUrl: string,
  name: string,
  args: object,
  key?: string,
): Promise<Any> => (await rpc(baseUrl, "tools/call", { name, arguments: args }, key)).result;
