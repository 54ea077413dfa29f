import type { McpHttpHandler } from "@modelcontextprotocol/server";

/** Requests of the 2025 eras that one message answers: nothing is ever sent before it. */
const ONE_ANSWER: ReadonlySet<unknown> = new Set([
  "initialize",
  "ping",
  "resources/read",
  "prompts/get",
  "completion/complete",
]);

/**
 * The SDK frames every answer of the 2025 eras as a stream of events, because a tool may send more than
 * one message. Where there is one only, it goes out as what it is: JSON.
 */
export const plainlyAnswered = (handler: McpHttpHandler): Pick<McpHttpHandler, "fetch"> => ({
  async fetch(request, options) {
    const response = await handler.fetch(request, options);
    const { method } = (options?.parsedBody ?? {}) as { method?: unknown };
    const framed = response.headers.get("content-type")?.startsWith("text/event-stream");
    return framed && ONE_ANSWER.has(method) ? unframed(response) : response;
  },
});

async function unframed(response: Response): Promise<Response> {
  const events = await response.text();
  const messages = [...events.matchAll(/^data: (\{.*)$/gm)].map(([, message]) => message!);
  const { status, headers } = response;
  if (messages.length !== 1) return new Response(events, { status, headers });
  return new Response(messages[0]!, { status, headers: { "content-type": "application/json" } });
}
