import { hash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import compression from "compression";
import type { Request, RequestHandler, Response } from "express";

const ENCODINGS = ["br", "gzip"] as const;
type Encoding = (typeof ENCODINGS)[number];

const compressors: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: promisify(gzip),
};
const brotli = promisify(brotliCompress);

/** Below this many bytes an answer fits into the packets it needs anyway. */
const WORTH_COMPRESSING_BYTES = 1_024;

const TEXT = /^(text\/|image\/svg|application\/[\w.+-]*(json|xml))/;

/** What is compressed as it is sent, by its type: events must not wait for a block to fill. */
const isCompressible = (type: string): boolean =>
  TEXT.test(type) && !type.startsWith("text/event-stream");

/** Public bytes of one type, and the same compressed: made once for each encoding asked for. */
export class Representation {
  readonly type: string;
  readonly body: string | Buffer;
  readonly bytes: Buffer;
  readonly compressible: boolean;
  readonly #tag: string;
  readonly #compressed = new Map<Encoding, Promise<Buffer>>();

  constructor(type: string, body: string | Buffer) {
    this.type = type;
    this.body = body;
    this.bytes = Buffer.from(body);
    this.compressible = isCompressible(type) && this.bytes.length >= WORTH_COMPRESSING_BYTES;
    this.#tag = hash("sha256", this.bytes, "base64url").slice(0, 27);
  }

  /** Strong, and so another one for each encoding (RFC 9110). */
  etag(encoding: Encoding | null): string {
    return `"${this.#tag}${encoding === null ? "" : `-${encoding}`}"`;
  }

  in(encoding: Encoding | null): Promise<Buffer> {
    if (encoding === null) return Promise.resolve(this.bytes);
    const made = this.#compressed.get(encoding) ?? compressors[encoding](this.bytes);
    this.#compressed.set(encoding, made);
    return made;
  }
}

/** Answers 200 or 304, in the encoding that suits the client best. */
export async function sendRepresentation(
  req: Request,
  res: Response,
  representation: Representation,
  cache: string,
): Promise<void> {
  const { type, compressible } = representation;
  const encoding = compressible ? bestEncoding(req) : null;
  const etag = representation.etag(encoding);
  if (compressible) res.vary("Accept-Encoding");
  res.setHeader("ETag", etag);
  res.setHeader("Cache-Control", cache);
  if (hasTag(req.header("if-none-match"), etag)) {
    res.status(304).end();
    return;
  }
  const bytes = await representation.in(encoding);
  if (encoding !== null) res.setHeader("Content-Encoding", encoding);
  res.setHeader("Content-Type", type);
  if (type.startsWith("text/html")) res.setHeader("Content-Language", "en");
  res.setHeader("Content-Length", bytes.length);
  res.status(200).end(req.method === "HEAD" ? undefined : bytes);
}

/** Ours to choose among those the client takes: the smaller one. */
const bestEncoding = (req: Request): Encoding | null =>
  ENCODINGS.find((encoding) => req.acceptsEncodings(encoding)) ?? null;

/**
 * RFC 9110: the weak comparison. Unlike Express's, whatever Cache-Control came with it: programs that
 * send If-None-Match by fetch() send "no-cache" too.
 */
const hasTag = (tags: string | undefined, etag: string): boolean =>
  tags?.split(",").some((tag) => ["*", etag, `W/${etag}`].includes(tag.trim())) ?? false;

/**
 * Compresses what programs are answered, each answer anew: lists of orders, quotes, tools. Pages whose
 * address is a secret are left as they are, since their length would tell about what is in them.
 */
export const compressedAnswers: RequestHandler = (req, res, next) => {
  // What is asked for without it is sent as it is: no answer here may be cached for another client.
  if (req.headers["accept-encoding"] === undefined) next();
  else compress(req, res, next);
};

const compress = compression({
  threshold: WORTH_COMPRESSING_BYTES,
  filter: (_req, res) => isCompressible(String(res.getHeader("content-type") ?? "")),
});
