import type { McpHttpHandler } from "@modelcontextprotocol/server";

/** An event that holds one message, and is the whole of what was sent at once. */
const MESSAGE = /^(?:event: message\n)?data: (\{.*\})\n\n$/;

/**
 * The SDK frames every answer of the 2025 eras as a stream of events, because other messages may come
 * before it. Where the answer comes first nothing else does: it goes out as what it is, JSON.
 */
export const plainlyAnswered = (handler: McpHttpHandler): Pick<McpHttpHandler, "fetch"> => ({
  async fetch(request, options) {
    const response = await handler.fetch(request, options);
    const { status, headers, body } = response;
    const framed = headers.get("content-type")?.startsWith("text/event-stream");
    // A batch has an answer for each of its entries.
    if (!framed || !body || Array.isArray(options?.parsedBody)) return response;
    const reader = body.getReader();
    const { value: first } = await reader.read();
    const [, message] = MESSAGE.exec(new TextDecoder().decode(first)) ?? [];
    if (message !== undefined && isAnswer(JSON.parse(message))) {
      return new Response(message, { status, headers: { "content-type": "application/json" } });
    }
    return new Response(resumed(first, reader), { status, headers });
  },
});

const isAnswer = (message: object): boolean => "result" in message || "error" in message;

type Reader = ReadableStreamDefaultReader<Uint8Array>;

const resumed = (first: Uint8Array | undefined, reader: Reader): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(stream) {
      if (first) stream.enqueue(first);
      else stream.close();
    },
    async pull(stream) {
      const { done, value } = await reader.read();
      if (done) stream.close();
      else stream.enqueue(value);
    },
    cancel: (why) => reader.cancel(why),
  });
