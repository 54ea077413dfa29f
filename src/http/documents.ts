import { readFileSync } from "node:fs";
import type { Express, Request, RequestHandler, Response } from "express";
import type { Product } from "../domain/catalog/catalog.ts";
import { MerchantError } from "../domain/shared/errors.ts";
import type { LimitName } from "../domain/shared/rate-limits.ts";
import type { Api } from "./api.ts";
import { bagPicture } from "./pages/bag/bag.ts";
import { errorsPage } from "./pages/errors.ts";
import { layout, type PaymentMode } from "./pages/layout.ts";
import { Representation, sendRepresentation } from "./representation.ts";
import { callerAddress, mountGet, sendLimits } from "./request-context.ts";

export const HTML = "text/html; charset=utf-8";
export const MARKDOWN = "text/markdown; charset=utf-8";
export const TEXT = "text/plain; charset=utf-8";
export const JSON_TYPE = "application/json; charset=utf-8";

/** Bytes that are the same for everybody: strong ETag, 304, cacheable (contract §1). */
export interface Document {
  path: string;
  type: string;
  /** Made for the first request; where it `changes`, for each. */
  body: () => string | Buffer | Promise<string>;
  changes?: true;
  /** Seconds that a cache may keep it. */
  maxAge: number;
  limits?: readonly LimitName[];
  /** Headers of its own. */
  head?: (res: Response) => void;
}

export function mountDocuments(app: Express, documents: readonly Document[], api: Api): void {
  for (const document of documents) {
    mountGet(app, document.path, metered(document.limits ?? [], api), serveBytes(document));
  }
}

function metered(names: readonly LimitName[], { service }: Api): RequestHandler {
  return async (req, res, next) => {
    const left = await service.limits.take(names, { address: callerAddress(req) });
    if (left) sendLimits(res, left);
    next();
  };
}

function serveBytes(document: Document): RequestHandler {
  const { path, type, maxAge } = document;
  let made: Representation | undefined;
  return async (req, res) => {
    res.locals.route = path;
    if (made === undefined || document.changes) {
      const body = await document.body();
      if (!made?.is(body)) made = new Representation(type, body);
    }
    document.head?.(res);
    await sendRepresentation(req, res, made, `public, max-age=${maxAge}`);
  };
}

/**
 * For everybody, but made fresh: kept by caches only as long as it is asked for again each time, and
 * compressed anew only when it has become another.
 */
export function fresh(type: string): (req: Request, res: Response, body: string) => Promise<void> {
  let last: Representation | undefined;
  return (req, res, body) => {
    const now = last?.is(body) ? last : new Representation(type, body);
    last = now;
    return sendRepresentation(req, res, now, "public, no-cache");
  };
}

export const json = (
  path: string,
  value: () => unknown,
  more: Partial<Document> = {},
): Document => ({
  path,
  type: JSON_TYPE,
  body: async () => JSON.stringify(await value()),
  maxAge: 60,
  ...more,
});

const file = (path: string, name: string, type: string): Document => ({
  path,
  type,
  body: () => readFileSync(new URL(name, import.meta.url)),
  maxAge: 3600,
});

/** In the order in which later rules win over earlier ones; print has the last word. */
const STYLES = [
  "base",
  "layout",
  "frame",
  "slips",
  "order",
  "forms",
  "sandbox",
  "landing",
  "shop",
  "desk",
  "records",
  "print",
];

/** Every page's style, served as one file: one request, kept by the browser from page to page. */
export const styleSheet = (): string =>
  STYLES.map((part) =>
    readFileSync(new URL(`./pages/styles/${part}.css`, import.meta.url), "utf8"),
  ).join("\n");

/** The stylesheet, the one product image, the page that explains every code. */
export const assets = (mode: PaymentMode): Document[] => [
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
  {
    path: "/errors",
    type: HTML,
    body: () => layout(errorsPage(), mode),
    maxAge: 3600,
  },
];

/** The mark for browser tabs: the bean with its crease, in colours of its own. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <rect width="32" height="32" rx="7" fill="#1d4b3a"/>
  <ellipse cx="16" cy="16" rx="8" ry="11.5" transform="rotate(32 16 16)" fill="#fbf5e6"/>
  <path d="M21.6 7c-4.6 4-2.2 6.4-5.6 9.2-3.6 2.9-1.4 5.9-6.1 8.8" fill="none"
    stroke="#1d4b3a" stroke-width="2.2" stroke-linecap="round"/>
</svg>
`;

/** Seconds that browsers keep a picture without asking. */
const KEPT = 300;

/** A bag for every bean, drawn from its facts (contract §1). */
export function mountBeanPictures(app: Express, { service }: Api): void {
  const drawn = new WeakMap<Product, Representation>();
  mountGet(app, "/assets/beans/:picture", async (req, res) => {
    const [, id = ""] = /^([a-z0-9-]{1,60})\.svg$/.exec(String(req.params.picture)) ?? [];
    const product = service.merchant.catalog.known(id);
    if (!product) throw new MerchantError("NOT_FOUND", "There is no picture of such a bean.");
    const picture = drawn.get(product) ?? new Representation("image/svg+xml", bagPicture(product));
    drawn.set(product, picture);
    await sendRepresentation(req, res, picture, `public, max-age=${KEPT}`);
  });
}

/** Whatever no route knows. */
export const unknownPath: RequestHandler = () => {
  throw new MerchantError("NOT_FOUND", "There is nothing at this address.", {
    next: [{ action: "GET /agent-info", why: "It says what there is, and how to use it." }],
  });
};
