import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import compression from "compression";
import type { Express, Request, RequestHandler, Response } from "express";
import type { z } from "zod";
import type { Product } from "../catalog/catalog.ts";
import type { LiveCatalog } from "../catalog/live-catalog.ts";
import { buildForAll } from "../core/concurrency.ts";
import { ERRORS, MerchantError, refusal } from "../core/errors.ts";
import { inputProblems, invalid } from "../core/input-problems.ts";
import type { ToolName } from "../core/next-step.ts";
import { parseInput } from "../core/read-input.ts";
import { bagPicture } from "./bag.ts";
import { html } from "./html.ts";
import { layout, type Page, type ShopFrame } from "./layout.ts";
import { pageHeaders } from "./page-answers.ts";
import { mountGet } from "./routes.ts";

export const HTML = "text/html; charset=utf-8";
export const MARKDOWN = "text/markdown; charset=utf-8";
export const JSON_TYPE = "application/json; charset=utf-8";
export const TEXT = "text/plain; charset=utf-8";

/** The same bytes for every client: strong ETag, 304, cacheable (contract §1). */
export interface Document {
  path: string;
  type: string;
  /** Runs once, or for each request if the document `changes`. */
  body: () => string | Buffer | Promise<string>;
  changes?: true;
  /** Seconds that caches may keep it. Without it they revalidate each time. */
  maxAge?: number;
  /** The operation that this document answers: its schema checks the query. */
  operation?: { name: string; input: z.ZodType } | undefined;
  /** Sets further headers. */
  head?: (res: Response) => void;
}

export function mountDocuments(app: Express, documents: readonly Document[]): void {
  for (const document of documents) {
    const { path, type, body, changes, maxAge, operation, head } = document;
    const send = bytesOf(type, maxAge);
    const made = changes ? buildForAll(async () => body()) : once(body);
    mountGet(app, path, async (req, res) => {
      if (operation) refuseUnknownParameters(operation, req.query);
      const bytes = await made();
      head?.(res);
      await send(req, res, bytes);
    });
  }
}

/** Builds once. A failure is tried again. */
function once<T>(build: () => T | Promise<T>): () => Promise<T> {
  let built: Promise<T> | undefined;
  return () => {
    built ??= (async () => build())().catch((error: unknown) => {
      built = undefined;
      throw error;
    });
    return built;
  };
}

/** An ignored filter would pass the whole list off as its result. */
function refuseUnknownParameters(
  { name, input: schema }: NonNullable<Document["operation"]>,
  query: Request["query"],
): void {
  const parsed = parseInput(schema, query);
  if (parsed.success) return;
  const again = name as ToolName;
  throw invalid({ ...inputProblems(parsed.issues, { schema, input: parsed.input }), again });
}

/** Sends public text; compresses each document again only after it has changed. */
export function bytesOf(type: string, maxAge?: number) {
  const cache = maxAge === undefined ? "public, no-cache" : `public, max-age=${maxAge}`;
  const kept = new Map<
    string,
    { body: string | Buffer; send: ReturnType<typeof representation> }
  >();
  /** `name`: one of few, because each keeps its newest bytes. */
  return (req: Request, res: Response, body: string | Buffer, name = ""): Promise<void> => {
    let last = kept.get(name);
    if (last?.body !== body) {
      last = { body, send: representation(type, body) };
      kept.set(name, last);
    }
    return last.send(req, res, cache);
  };
}

export const json = (path: string, value: () => unknown, more: Partial<Document>): Document => ({
  path,
  type: JSON_TYPE,
  body: async () => JSON.stringify(await value()),
  ...more,
});

const file = (path: string, name: string, type: string): Document => ({
  path,
  type,
  body: () => readFileSync(new URL(name, import.meta.url)),
  maxAge: 3600,
});

/** Later rules override earlier ones; print comes last. */
const STYLES = "base layout frame slips order forms sandbox landing shop desk records print";

/** One file for every page, so that browsers fetch it once. A card has a few `parts` of it. */
export const styleSheet = (parts = STYLES): string =>
  parts
    .split(" ")
    .map((part) => readFileSync(new URL(`./styles/${part}.css`, import.meta.url), "utf8"))
    .join("\n");

/** The stylesheet, the product image, the icon and the page that explains error codes. */
export const assets = (shop: ShopFrame): Document[] => [
  {
    path: "/assets/style.css",
    type: "text/css; charset=utf-8",
    body: () => styleSheet(),
    maxAge: 3600,
  },
  file("/assets/coffee.jpg", "../../resources/coffee.jpg", "image/jpeg"),
  // Browsers look for /favicon.ico without being told.
  ...["/assets/icon.svg", "/favicon.ico"].map((path) => ({
    ...file(path, "../../resources/icon.svg", "image/svg+xml"),
    maxAge: 86_400,
  })),
  { path: "/errors", type: HTML, body: () => layout(errorsPage(), shop), maxAge: 3600 },
];

/** The page at `/errors#CODE`, the `type` of every problem+json answer. */
export function errorsPage(): Page {
  const entries = Object.entries(ERRORS).sort(
    ([codeA, a], [codeB, b]) => a.status - b.status || codeA.localeCompare(codeB),
  );
  return {
    title: "Errors",
    listed: true,
    lede: html`Every refusal is <span class="code">application/problem+json</span> (RFC 9457)
      and carries one of these codes, all problems at once, and the next step. New codes may be
      added; go by the status of a code you do not know.`,
    body: html`<div class="stack">
      ${entries.map(
        ([code, { status, title, retryable, help }]) =>
          html`<section class="error-entry" id="${code}" aria-labelledby="${code}-title">
    <h2 id="${code}-title"><a class="code" href="#${code}">${code}</a></h2>
    <p><span class="chip">${status}</span> ${title}${
      retryable && html` <span class="hint">safe to retry</span>`
    }</p>
    <p>${help}</p>
  </section>`,
      )}
    </div>`,
  };
}

/** Seconds that browsers keep a picture. */
const KEPT = 300;

/** Serves a picture of a bag for each bean, drawn from its facts (contract §1). */
export function mountBeanPictures(app: Express, catalog: Pick<LiveCatalog, "known">): void {
  const drawn = new WeakMap<Product, ReturnType<typeof representation>>();
  mountGet(app, "/assets/beans/:picture", async (req, res) => {
    const [, id = ""] = /^([a-z0-9-]{1,60})\.svg$/.exec(String(req.params.picture)) ?? [];
    const product = catalog.known(id);
    if (!product) throw new MerchantError("NOT_FOUND", "No picture: this bean does not exist.");
    const send = drawn.get(product) ?? representation("image/svg+xml", bagPicture(product));
    drawn.set(product, send);
    await send(req, res, `public, max-age=${KEPT}`);
  });
}

export const unknownPath: RequestHandler = () => {
  const all = { action: "GET /agent-info", why: "Lists the endpoints and how to use them." };
  throw refusal("NOT_FOUND", "There is nothing at this address.", all);
};

const ENCODINGS = ["br", "gzip"] as const;
type Encoding = (typeof ENCODINGS)[number];

const brotli = promisify(brotliCompress);
const compressors: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: promisify(gzip),
};

/** A shorter answer fits into one packet anyway. */
const WORTH_COMPRESSING_BYTES = 1_024;

const TEXT_TYPE = /^(text\/(?!event-stream)|image\/svg|application\/[\w.+-]*(json|xml))/;

/**
 * Public bytes, compressed at most once for each encoding: `compression`, which does so for each answer, costs
 * 8 times the CPU for 4 kB and 60 times for the OpenAPI document. The result answers 200 or 304.
 */
function representation(type: string, body: string | Buffer) {
  const bytes = Buffer.from(body);
  const isCompressible = TEXT_TYPE.test(type) && bytes.length >= WORTH_COMPRESSING_BYTES;
  const tag = hash("sha256", bytes, "base64url").slice(0, 27);
  const compressed: Partial<Record<Encoding, Promise<Buffer>>> = {};
  return async (req: Request, res: Response, cache: string): Promise<void> => {
    const encoding = isCompressible
      ? ENCODINGS.find((one) => req.acceptsEncodings(one))
      : undefined;
    if (isCompressible) res.vary("Accept-Encoding");
    res.setHeader("Content-Type", type);
    res.setHeader("Cache-Control", cache);
    if (type === HTML) pageHeaders(res);
    // A strong ETag differs for each encoding (RFC 9110).
    res.setHeader("ETag", `"${tag}${encoding ? `-${encoding}` : ""}"`);
    // fetch() with an If-None-Match of its own sends no-cache, and Express would then never answer 304.
    delete req.headers["cache-control"];
    if (!encoding || req.fresh) {
      res.send(bytes);
      return;
    }
    res.setHeader("Content-Encoding", encoding);
    compressed[encoding] ??= compressors[encoding](bytes);
    res.send(await compressed[encoding]);
  };
}

/**
 * Compresses answers for programs, each one anew. Pages at secret addresses stay uncompressed, because
 * their compressed length would reveal something about their content.
 */
export const compressedAnswers: RequestHandler = (req, res, next) => {
  // No answer here is cached for another client, so it needs no Vary either.
  if (req.headers["accept-encoding"] === undefined) next();
  else compress(req, res, next);
};

const compress = compression({
  threshold: WORTH_COMPRESSING_BYTES,
  filter: (_req, res) => TEXT_TYPE.test(String(res.getHeader("content-type") ?? "")),
});
