import type { Request, Response } from "express";
import { MerchantError, type Problem } from "../core/errors.ts";
import { bagsAfter } from "./cart-cookie.ts";
import type { FieldProblem } from "./form-parts.ts";
import { layout, type Page, type ShopFrame } from "./layout.ts";
import { asRefusal, httpProblem, sendProblem, setRefused } from "./problem-answers.ts";
import { type ProblemView, problemPage, refusalWords } from "./problem-page.ts";
import { type HttpContext, requestId } from "./request-context.ts";

/** Sends a page with a secret address. `outcome`: its status, or the error that it shows. */
export function sendPage(res: Response, page: Page, outcome: number | MerchantError = 200): void {
  // Sends no address to other sites, and still an origin with our own forms.
  res.setHeader("Referrer-Policy", "same-origin");
  res.setHeader("X-Robots-Tag", "noindex, nofollow");
  sendDocument(res, page, outcome);
}

/** Sends a form back to the buyer. The browser may keep it, so that going back to it works. */
export function sendFormAgain(res: Response, page: Page, outcome: number | MerchantError): void {
  res.setHeader("Cache-Control", "private, no-cache");
  sendPage(res, page, outcome);
}

/** Sends a page in the shop's frame. */
export function sendDocument(res: Response, page: Page, outcome: number | MerchantError = 200) {
  if (typeof outcome === "number") res.status(outcome);
  else setRefused(res, outcome);
  pageHeaders(res);
  res.type("html").send(layout(page, res.app.locals.shop as ShopFrame, bagsAfter(res)));
}

/**
 * Headers of every HTML page, after its Cache-Control. A proxy such as Cloudflare would hide email addresses
 * behind a script, which our pages don't run.
 */
export function pageHeaders(res: Response): void {
  res.setHeader("Content-Language", "en");
  res.setHeader("Cache-Control", `${res.getHeader("Cache-Control")}, no-transform`);
}

/** The problems of an error by form field. `fieldOf` returns undefined for a problem to leave out. */
export function fieldProblems(
  refusal: MerchantError,
  fieldOf: (pointer: string) => string | null | undefined,
): FieldProblem[] {
  const { problems } = refusal;
  if (problems.length === 0) return [{ field: null, message: refusalWords(refusal) }];
  return problems.flatMap(({ pointer, detail }) => {
    const field = fieldOf(pointer);
    return field === undefined ? [] : [{ field, message: detail }];
  });
}

/** The type that the client prefers, or the first if it accepts none. */
export function preferred<T extends string>(
  req: Request,
  res: Response,
  types: readonly [T, ...T[]],
): T {
  res.vary("Accept");
  return (req.accepts([...types]) || types[0]) as T;
}

/** Paths where a client without a preference gets a page. */
const PAGES =
  /^\/($|(beans|cart|checkout|contact|desk|find-order|privacy|shipping|review|sandbox|waitlist)(\/|$))/i;

/** The client is a browser, not a program. */
export function prefersPage(req: Request): boolean {
  if (req.query.format === "json") return false;
  const preferred = req.accepts(PAGES.test(req.path) ? ["html", "json"] : ["json", "html"]);
  return preferred === "html" || (req.header("sec-fetch-dest") === "document" && !!preferred);
}

/** NOT_FOUND with its own page. */
export class PageRefusal extends MerchantError {
  readonly page: Page;
  readonly pageStatus: number;
  constructor(detail: string, page: Page, pageStatus = 404) {
    super("NOT_FOUND", detail);
    this.page = page;
    this.pageStatus = pageStatus;
  }
}

/** Sends an error as a page if the client prefers one, and as problem+json otherwise. */
export function sendRefusal(res: Response, error: unknown, edge: HttpContext): void {
  if (!res.headersSent) res.vary("Accept");
  if (res.headersSent || !prefersPage(res.req)) {
    sendProblem(res, error, edge);
    return;
  }
  if (error instanceof PageRefusal) {
    sendPage(res, error.page, error.pageStatus);
    return;
  }
  const refusal = asRefusal(res, error, edge);
  const problem = httpProblem(refusal, { baseUrl: edge.baseUrl, requestId: requestId(res) });
  const withoutCode = linkWithoutCode(res.req, problem.errors);
  const again = refusal.retryable ? formSent(res.req) : undefined;
  sendPage(res, problemPage({ ...problem, withoutCode, again }), refusal);
}

/** The posted form, for a retry, if it was read. A form with a secret has to be typed again. */
function formSent({ method, path, body }: Request): ProblemView["again"] {
  const isKept = method === "POST" && body !== undefined && !("secret" in body);
  return isKept ? { action: path, fields: body } : undefined;
}

/** The same link without a discount code that is its only problem. */
function linkWithoutCode(req: Request, errors: readonly Problem[]): string | undefined {
  const only = errors.length > 0 && errors.every(({ pointer }) => pointer === "/discount_code");
  if (!only) return undefined;
  const query = new URLSearchParams(req.originalUrl.split("?")[1]);
  query.delete("discount_code");
  return `${req.path}?${query}`;
}
