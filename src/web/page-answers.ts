import type { Request, Response } from "express";
import { MerchantError, type Problem } from "../core/errors.ts";
import type { FieldProblem } from "./form-parts.ts";
import { layout, type Page, type ShopFrame } from "./layout.ts";
import { asRefusal, httpProblem, sendProblem, setRefused } from "./problem-answers.ts";
import { type ProblemView, problemPage, refusalWords } from "./problem-page.ts";
import { type HttpContext, requestId } from "./request-context.ts";

/** A page whose address is a secret. `outcome`: its status, or what was refused on it. */
export function sendPage(res: Response, page: Page, outcome: number | MerchantError = 200): void {
  // Nothing to other sites; our own forms still name their origin (with no-referrer it is "null").
  res.setHeader("Referrer-Policy", "same-origin");
  res.setHeader("X-Robots-Tag", "noindex, nofollow");
  sendDocument(res, page, outcome);
}

/**
 * A page that answers a buyer's form, to be sent once more. The buyer's own browser keeps it: what answered a
 * form is not asked for again, and to go back to it would end at an error of the browser's.
 */
export function sendFormAgain(res: Response, page: Page, outcome: number | MerchantError): void {
  res.setHeader("Cache-Control", "private, no-cache");
  sendPage(res, page, outcome);
}

/** The whole document, in the frame of the app's shop. */
export function sendDocument(res: Response, page: Page, outcome: number | MerchantError = 200) {
  if (typeof outcome === "number") res.status(outcome);
  else setRefused(res, outcome);
  res.setHeader("Content-Language", "en");
  res.type("html").send(layout(page, res.app.locals.shop as ShopFrame));
}

/** What was refused, at the fields of a form; undefined for what is said there already. */
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

/** The type that the client likes best; the first where it says nothing, or nothing that we have. */
export function preferred<T extends string>(
  req: Request,
  res: Response,
  types: readonly [T, ...T[]],
): T {
  res.vary("Accept");
  return (req.accepts([...types]) || types[0]) as T;
}

/** Where people are at home. */
const PAGES = /^\/($|(beans|cart|checkout|desk|privacy|shipping|review|sandbox|waitlist)(\/|$))/;

/** A browser, rather than a program: that is who is answered with a page. */
export function prefersPage(req: Request): boolean {
  if (req.query.format === "json") return false;
  const preferred = req.accepts(PAGES.test(req.path) ? ["html", "json"] : ["json", "html"]);
  return preferred === "html" || (req.header("sec-fetch-dest") === "document" && !!preferred);
}

/** A refusal that has a page of its own, for who is answered with one. */
export class PageRefusal extends MerchantError {
  readonly page: Page;
  readonly pageStatus: number;
  constructor(detail: string, page: Page, pageStatus = 404) {
    super("NOT_FOUND", detail);
    this.page = page;
    this.pageStatus = pageStatus;
  }
}

/** A refusal as a page where the client prefers one, as problem+json otherwise. */
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

/** What was posted, to be posted again; a secret is typed again. */
function formSent({ method, path, body = {} }: Request): ProblemView["again"] {
  return method === "POST" && !("secret" in body) ? { action: path, fields: body } : undefined;
}

/** A discount code that is not ours need not keep anybody from buying. */
function linkWithoutCode(req: Request, errors: readonly Problem[]): string | undefined {
  const only = errors.length > 0 && errors.every(({ pointer }) => pointer === "/discount_code");
  if (!only) return undefined;
  const query = new URLSearchParams(req.originalUrl.split("?")[1]);
  query.delete("discount_code");
  return `${req.path}?${query}`;
}
