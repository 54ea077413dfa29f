import type { CookieOptions, Express, Request, Response } from "express";
import type { Api } from "../api/api.ts";
import type { Actor } from "../core/admin-verb.ts";
import { MerchantError } from "../core/errors.ts";
import { MINUTE_MS } from "../core/policy.ts";
import type { Admin, Merchant } from "../merchant/merchant.ts";
import { fieldIn, fieldValues, whole } from "../web/body.ts";
import { cookies } from "../web/cookies.ts";
import { sendDocument } from "../web/page-answers.ts";
import { refusalOf } from "../web/problem-answers.ts";
import { mountForm, mountGet } from "../web/routes.ts";
import { type ActionResult, type DeskPage, deskPage, type Place } from "./frame.ts";
import { beansToRestock } from "./low-stock.ts";

/** A page of the desk with its place in the navigation, its content and its buttons. */
export interface DeskRoute {
  place: Place;
  /** Default: the path of its place. */
  path?: string;
  show(request: DeskRequest): Promise<DeskPage>;
  /** Keyed by the `act` that a button's form posts. */
  acts?: Readonly<Record<string, DeskAction>>;
}

export interface DeskAction {
  /** `id` comes from the path. */
  do(admin: Admin, fields: Fields, id: string): Promise<unknown>;
  /** Page that asks once more; null to act at once. */
  confirm?(request: DeskRequest, fields: Fields): Promise<DeskPage | null>;
  /** Sentence on the next page. */
  done: string | ((fields: Fields, did: Done) => string | Promise<string>);
  /** Next page. Default: the same page. */
  to?: string | ((id: string) => string);
}

/** What an act did. */
export interface Done {
  admin: Admin;
  /** What its verb returned; undefined for a form sent twice. */
  result: unknown;
}

/** Fields of a form. A missing or repeated field reads as empty. */
export interface Fields {
  (name: string): string;
  /** All values of a field that may repeat, such as the boxes of a list. */
  all(name: string): string[];
  /** Version that the page showed; undefined for a form made by hand. */
  seen: number | undefined;
}

/** Input of a page. */
export interface DeskRequest {
  req: Request;
  /** Id in the path, or empty. */
  id: string;
  merchant: Merchant;
  admin: Admin;
  /** The merchant command as typed in a terminal here. */
  command: string;
  refused: RefusedAction | undefined;
}

/** A refused act. The page is shown again with the typed values and the problems beside them. */
export interface RefusedAction {
  act: string;
  fields: Fields;
  error: MerchantError;
}

/**
 * A page's buttons post to the page itself and name their act. After a success the browser gets the page
 * by GET, with one sentence that a reload does not repeat. After a refusal it gets the page as it is now, so a merchant who
 * presses twice, or on an old page, sees what the first press did.
 */
export function mountRoute(app: Express, api: Api, route: DeskRoute): void {
  const { place, path = `/desk/${place}`, show, acts } = route;
  const { merchant } = api.service;
  const admin = merchant.admin("desk");
  const requestOf = (req: Request, refused?: RefusedAction): DeskRequest => {
    const command = api.edge.merchantCommand;
    return { req, id: idIn(req), merchant, admin, command, refused };
  };
  async function answer(req: Request, res: Response, refused?: RefusedAction): Promise<void> {
    const page = await show(requestOf(req, refused));
    const said = refused && refusal(refused.error);
    await send(res, { place, ...page }, { said, status: refused?.error.status });
  }
  const get = (req: Request, res: Response) => answer(req, res);
  if (acts === undefined) {
    mountGet(app, path, get);
    return;
  }
  mountForm(app, api.edge, path, {
    get,
    post: async (req, res) => {
      const field = (name: string) => fieldIn(req.body, name).trim();
      const fields: Fields = Object.assign(field, {
        all: (name: string) => fieldValues(req.body, name),
        seen: field("seen") === "" ? undefined : whole(field("seen")),
      });
      const name = fields("act");
      const act = Object.hasOwn(acts, name) ? acts[name] : undefined;
      if (!act) {
        const why = "There is no such button. Load the page again.";
        throw new MerchantError("VALIDATION_FAILED", why);
      }
      const asking = await act.confirm?.(requestOf(req), fields);
      if (asking) {
        await send(res, { place, ...asking });
        return;
      }
      const form = formKey(req);
      const own = merchant.admin(actorIn(res), form);
      let result: unknown;
      try {
        result = await once(own, fields.seen !== undefined, () => act.do(own, fields, idIn(req)));
      } catch (error) {
        await answer(req, res, { act: name, fields, error: refusalOf(error) });
        return;
      }
      const to = typeof act.to === "function" ? act.to(idIn(req)) : act.to;
      // By default on the same part of a long list.
      const done =
        typeof act.done === "function" ? await act.done(fields, { admin: own, result }) : act.done;
      redirectSaying(res, to ?? req.originalUrl, done);
    },
  });
}

/** Identity of a sent form, to recognize a double submit; undefined without a nonce. */
export const formKey = (req: Request): string | undefined =>
  fieldIn(req.body, "form") === ""
    ? undefined
    : JSON.stringify(Object.entries(req.body as object).sort(([a], [b]) => (a < b ? -1 : 1)));

/**
 * Acts unless this form was sent before, as by a double click, which is answered as done. With an order's
 * version that holds for a minute only, since the order may have moved back by then.
 */
export async function once(admin: Admin, versioned: boolean, act: () => Promise<unknown>) {
  const isDone = async () => {
    const before = await admin.audit.doneBefore();
    return before !== null && (!versioned || before.ago_ms < MINUTE_MS);
  };
  if (await isDone()) return undefined;
  try {
    return await act();
  } catch (error) {
    if (!(await isDone())) throw error;
    return undefined;
  }
}

/** Who is signed in. */
export const actorIn = (res: Response): Actor => (res.locals.deskActor as Actor) ?? "desk";

const idIn = (req: Request): string => String(req.params.id ?? "");

/** Cookie with the sentence for the next page, which takes it. */
const SAID = "desk_said";
const SAID_OPTIONS: CookieOptions = { httpOnly: true, sameSite: "lax", path: "/desk" };

/** Leads to a page of the desk that says this once. */
export function redirectSaying(res: Response, to: string, done: string): void {
  res.cookie(SAID, done, { ...SAID_OPTIONS, maxAge: MINUTE_MS });
  res.redirect(303, to);
}

/** Takes the sentence of the act that led here. */
function saidBefore(res: Response): ActionResult | undefined {
  const kept = res.req.method === "GET" && cookies(res.req).get(SAID);
  if (!kept) return undefined;
  res.clearCookie(SAID, SAID_OPTIONS);
  try {
    return { done: decodeURIComponent(kept).slice(0, 300) };
  } catch {
    return undefined;
  }
}

/** Sends a page of the desk in its frame, with the counts of what waits now. */
export async function send(
  res: Response,
  page: DeskPage,
  {
    said = saidBefore(res),
    status,
  }: { said?: ActionResult | undefined; status?: number | undefined } = {},
): Promise<void> {
  const admin = (res.app.locals.shop as Merchant).admin("desk");
  const [counts, { low }] = await Promise.all([admin.views.counts(), beansToRestock(admin)]);
  sendDocument(res, deskPage(page, said, { ...counts, stock: low.length }), status);
}

const refusal = ({ message, problems }: MerchantError): ActionResult => ({
  refused: message,
  details: problems.map(({ detail }) => detail),
});
