import { send } from "./shopper.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever came.
type Any = any;

/** One MCP request, as the simplest client of the 2025 protocols sends it: its JSON-RPC answer. */
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
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-06-18",
    },
  });
  const [, event] = /^data: (.*)$/m.exec(answer.text) ?? [];
  return event === undefined ? answer.body : JSON.parse(event);
}

/** One tool call: its result, also where it is a refusal. */
export const rpcTool = async (
  baseUrl: string,
  name: string,
  args: object,
  key?: string,
): Promise<Any> => (await rpc(baseUrl, "tools/call", { name, arguments: args }, key)).result;
