import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Express, Request, RequestHandler, Response } from "express";
import { MerchantError } from "../domain/shared/errors.ts";
import type { LimitName } from "../domain/shared/rate-limits.ts";
import { type Api, acceptsJson } from "./api.ts";
import { errorsPage, ICON } from "./pages/index.ts";
import { callerAddress, onlyMethods, sendLimits } from "./request-context.ts";
import { styleSheet } from "./style-sheet.ts";

/** Bytes that are the same for everybody, made once: strong ETag, 304, cacheable (contract §1). */
export interface Document {
  path: string;
  type: string;
  /** Made for the first request. */
  body: () => string | Buffer;
  /** Seconds that a cache may keep it. */
  maxAge: number;
  limits?: readonly LimitName[];
}

export function mountDocuments(app: Express, documents: readonly Document[], api: Api): void {
  for (const document of documents) {
    app
      .route(document.path)
      .get(metered(document.limits ?? [], api), serveBytes(document))
      .all(onlyMethods(["GET"]));
  }
}

function metered(names: readonly LimitName[], { service }: Api): RequestHandler {
  return async (req, res, next) => {
    const left = await service.limits.take(names, { address: callerAddress(req) });
    if (left) sendLimits(res, left);
    next();
  };
}

function serveBytes({ path, type, body, maxAge }: Document): RequestHandler {
  const make = () => {
    const bytes = Buffer.from(body());
    return { bytes, etag: etagOf(bytes) };
  };
  let made: ReturnType<typeof make> | undefined;
  const isJson = type.startsWith("application/json");
  return (req, res) => {
    res.locals.route = path;
    if (isJson) acceptsJson(req);
    made ??= make();
    sendBytes(req, res, { type, ...made, cache: `public, max-age=${maxAge}` });
  };
}

const etagOf = (bytes: Buffer): string =>
  `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"`;

/** For everybody, but made fresh: kept by caches only as long as it is asked for again each time. */
export function sendFresh(req: Request, res: Response, type: string, body: string): void {
  const bytes = Buffer.from(body);
  sendBytes(req, res, { type, bytes, etag: etagOf(bytes), cache: "public, no-cache" });
}

interface StaticDocument {
  type: string;
  bytes: Buffer;
  etag: string;
  cache: string;
}

function sendBytes(
  req: Request,
  res: Response,
  { type, bytes, etag, cache }: StaticDocument,
): void {
  res.setHeader("ETag", etag);
  res.setHeader("Cache-Control", cache);
  res.setHeader("Access-Control-Allow-Origin", "*");
  if (has(req.header("if-none-match"), etag)) {
    res.status(304).end();
    return;
  }
  res.setHeader("Content-Type", type);
  if (type.startsWith("text/html")) res.setHeader("Content-Language", "en");
  res.setHeader("Content-Length", bytes.length);
  res.status(200).end(req.method === "HEAD" ? undefined : bytes);
}

/**
 * RFC 9110: the weak comparison. Unlike Express's, whatever Cache-Control came with it: programs that
 * send If-None-Match by fetch() send "no-cache" too.
 */
const has = (tags: string | undefined, etag: string): boolean =>
  tags?.split(",").some((tag) => ["*", etag, `W/${etag}`].includes(tag.trim())) ?? false;

export const json = (
  path: string,
  value: () => unknown,
  more: Partial<Document> = {},
): Document => ({
  path,
  type: "application/json; charset=utf-8",
  body: () => JSON.stringify(value()),
  maxAge: 60,
  ...more,
});

const file = (path: string, name: string, type: string): Document => ({
  path,
  type,
  body: () => readFileSync(new URL(name, import.meta.url)),
  maxAge: 3600,
});

/** The stylesheet, the one product image, the page that explains every code. */
export const assets = (mode: Parameters<typeof errorsPage>[0]): Document[] => [
  {
    path: "/assets/style.css",
    type: "text/css; charset=utf-8",
    body: styleSheet,
    maxAge: 3600,
  },
  file("/assets/coffee.jpg", "../../resources/coffee.jpg", "image/jpeg"),
  // In the links of our pages, and where browsers look by themselves.
  ...["/assets/icon.svg", "/favicon.ico"].map((path) => ({
    path,
    type: "image/svg+xml",
    body: () => ICON,
    maxAge: 86_400,
  })),
  { path: "/errors", type: "text/html; charset=utf-8", body: () => errorsPage(mode), maxAge: 3600 },
  {
    path: "/robots.txt",
    type: "text/plain; charset=utf-8",
    body: () => "User-agent: *\nDisallow: /review/\nDisallow: /checkout/\nDisallow: /sandbox/\n",
    maxAge: 3600,
  },
];

/** Whatever no route knows. */
export const unknownPath: RequestHandler = () => {
  throw new MerchantError("NOT_FOUND", "There is nothing at this address.", {
    next: [{ action: "GET /agent-info", why: "It says what there is, and how to use it." }],
  });
};
