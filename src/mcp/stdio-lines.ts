import { Transform, type TransformCallback } from "node:stream";
import { parseJSONRPCMessage } from "@modelcontextprotocol/server";
import type { Logger } from "pino";
import { tolerantMessage } from "../api/tolerant-message.ts";
import { field } from "../core/fields.ts";
import { LIMITS } from "../core/policy.ts";
import { refuseDeep, UNCLEAR_BODY } from "../web/http-request.ts";

/** The SDK closes the connection at a longer line. */
const MOST_BYTES = 10 * 1024 * 1024;

const ONE_A_LINE = "send one JSON message a line, in UTF-8.";

/**
 * Reads stdin line by line before the SDK, which skips what it can't parse without a word. Each such line is
 * answered and logged, without its content, which may hold a key.
 */
export class MessageLines extends Transform {
  #chunks: Buffer[] = [];
  #length = 0;
  readonly #answer: (text: string) => void;
  readonly #log: Pick<Logger, "warn">;

  constructor(answer: (text: string) => void, log: Pick<Logger, "warn">) {
    super();
    this.#answer = answer;
    this.#log = log;
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    let from = 0;
    for (let end = chunk.indexOf("\n"); end !== -1; end = chunk.indexOf("\n", from)) {
      this.#read(Buffer.concat([...this.#chunks, chunk.subarray(from, end)]));
      this.#chunks = [];
      this.#length = 0;
      from = end + 1;
    }
    this.#chunks.push(chunk.subarray(from));
    this.#length += chunk.length - from;
    if (this.#length > MOST_BYTES) this.push(Buffer.concat(this.#chunks.splice(0)));
    done();
  }

  /** The last line may lack its line break. */
  override _flush(done: TransformCallback): void {
    this.#read(Buffer.concat(this.#chunks));
    done();
  }

  #read(bytes: Buffer): void {
    const line = bytes
      .toString("utf8")
      .replace(/^\uFEFF/, "")
      .trim();
    if (line === "") return;
    let sent: unknown;
    try {
      refuseDeep(line);
      sent = tolerantMessage(JSON.parse(line));
    } catch (error) {
      const why = field(error, "type") === UNCLEAR_BODY ? (error as Error).message : ONE_A_LINE;
      this.#refuse(bytes, null, -32700, `Parse error: ${why}`);
      return;
    }
    try {
      this.push(`${JSON.stringify(parseJSONRPCMessage(sent))}\n`);
    } catch {
      const id = field(sent, "id");
      const isId =
        typeof id === "number" || (typeof id === "string" && id.length <= LIMITS.id_characters);
      const message = Array.isArray(sent)
        ? "Invalid request: send each message of a batch in a line of its own."
        : 'Invalid request: send {"jsonrpc": "2.0", "id": …, "method": …, "params": {…}}.';
      this.#refuse(bytes, isId ? id : null, -32600, message);
    }
  }

  #refuse({ length }: Buffer, id: unknown, code: number, message: string): void {
    this.#log.warn({ bytes: length, code }, `a line on stdin was refused: ${message}`);
    this.#answer(`${JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } })}\n`);
  }
}
