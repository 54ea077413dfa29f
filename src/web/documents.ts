import { readFileSync } from "node:fs";
import type { Express, Request, RequestHandler, Response } from "express";
import type { Api } from "../api/api.ts";
import type { Operation } from "../api/operation.ts";
import type { Product } from "../catalog/catalog.ts";
import { MerchantError, type NextStep, refusal } from "../core/errors.ts";
import { inputProblems, invalid } from "../core/input-problems.ts";
import { meantName } from "../core/nearest.ts";
import { ENDPOINTS, step, type ToolName } from "../core/next-step.ts";
import type { LimitName } from "../core/rate-limits.ts";
import { bagPicture } from "./bag/bag.ts";
import { errorsPage } from "./errors-page.ts";
import { layout, type ShopFrame } from "./layout.ts";
import { Representation, sendRepresentation } from "./representation.ts";
import { metered } from "./request-context.ts";
import { mountGet } from "./routes.ts";

export const HTML = "text/html; charset=utf-8";
export const MARKDOWN = "text/markdown; charset=utf-8";
export const TEXT = "text/plain; charset=utf-8";

/** Bytes that are the same for everybody: strong ETag, 304, cacheable (contract §1). */
export interface Document {
  path: string;
  type: string;
  /** Made for the first request; where it `changes`, for each. */
  body: () => string | Buffer | Promise<string>;
  changes?: true;
  /** Seconds that a cache may keep it. Absent: only as long as it is asked for again each time. */
  maxAge?: number;
  limits?: readonly LimitName[];
  /** What it answers, where that is an operation: a query that this does not read is refused. */
  operation?: Operation | undefined;
  /** Headers of its own. */
  head?: (res: Response) => void;
}

export function mountDocuments(app: Express, documents: readonly Document[], api: Api): void {
  for (const document of documents) {
    mountGet(app, document.path, metered(document.limits ?? [], api), serveBytes(document));
  }
}

function serveBytes(document: Document): RequestHandler {
  const { type, body, changes, maxAge, operation, head } = document;
  const send = bytesOf(type, maxAge);
  let made: string | Buffer | undefined;
  return async (req, res) => {
    if (operation) refuseUnread(operation, req.query);
    if (made === undefined || changes) made = await body();
    head?.(res);
    await send(req, res, made);
  };
}

/** As `perform` does: who sends a filter must not take the whole for what it leaves. */
function refuseUnread({ name, input: schema }: Operation, query: Request["query"]): void {
  const { error } = schema.safeParse(query);
  if (!error) return;
  const again = name as ToolName;
  throw invalid({ ...inputProblems(error, { schema, input: query }), again });
}

/** Sends what is the same for everybody; it is compressed anew only when it has become another. */
export function bytesOf(type: string, maxAge?: number) {
  const cache = maxAge === undefined ? "public, no-cache" : `public, max-age=${maxAge}`;
  let last: Representation | undefined;
  return (req: Request, res: Response, body: string | Buffer): Promise<void> => {
    if (last?.body !== body) last = new Representation(type, body);
    return sendRepresentation(req, res, last, cache);
  };
}

export const json = (path: string, value: () => unknown, more: Partial<Document>): Document => ({
  path,
  type: "application/json; charset=utf-8",
  body: async () => JSON.stringify(await value()),
  ...more,
});

const file = (path: string, name: string, type: string): Document => ({
  path,
  type,
  body: () => readFileSync(new URL(name, import.meta.url)),
  maxAge: 3600,
});

/** In the order in which later rules win over earlier ones; print has the last word. */
const STYLES = "base layout frame slips order forms sandbox landing shop desk records print";

/** Every page's style, served as one file: one request, kept by the browser from page to page. */
export const styleSheet = (): string =>
  STYLES.split(" ")
    .map((part) => readFileSync(new URL(`./styles/${part}.css`, import.meta.url), "utf8"))
    .join("\n");

/** The stylesheet, the one product image, the page that explains every code. */
export const assets = (shop: ShopFrame): Document[] => [
  { path: "/assets/style.css", type: "text/css; charset=utf-8", body: styleSheet, maxAge: 3600 },
  file("/assets/coffee.jpg", "../../resources/coffee.jpg", "image/jpeg"),
  // In the links of our pages, and where browsers look by themselves.
  ...["/assets/icon.svg", "/favicon.ico"].map((path) => ({
    ...file(path, "../../resources/icon.svg", "image/svg+xml"),
    maxAge: 86_400,
  })),
  { path: "/errors", type: HTML, body: () => layout(errorsPage(), shop), maxAge: 3600 },
];

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
export const unknownPath: RequestHandler = ({ path }) => {
  const all = { action: "GET /agent-info", why: "It says what there is, and how to use it." };
  throw refusal("NOT_FOUND", "There is nothing at this address.", ...guessed(path), all);
};

/** An address that was guessed is told what its last word is called here, with the id before it. */
function guessed(path: string): NextStep[] {
  const [before = "", word = ""] = path.split("/").slice(-2);
  const tool = meantName(word, Object.keys(ENDPOINTS) as ToolName[]);
  if (tool === null) return [];
  const [, wanted] = /\{(\w+)\}/.exec(ENDPOINTS[tool]) ?? [];
  // An id of another kind would lead nowhere.
  const id = wanted && IDS[wanted]?.test(before) ? before : undefined;
  return wanted && id === undefined ? [] : [step(tool, "This may be what you mean.", id)];
}

const IDS: Record<string, RegExp> = {
  quote_id: /^qte_\w{1,64}$/,
  order_id: /^(ord_\w{1,64}|\d{1,12})$/,
  waitlist_id: /^wl_\w{1,64}$/,
};
