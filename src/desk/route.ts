import type { Express, Request, Response } from "express";
import type { Api } from "../api/api.ts";
import { MerchantError } from "../core/errors.ts";
import { MINUTE_MS } from "../core/policy.ts";
import type { Admin, Merchant } from "../merchant/merchant.ts";
import { fieldIn, fieldValues, whole } from "../web/body.ts";
import { sendDocument } from "../web/page-answers.ts";
import { refusalOf } from "../web/problem-answers.ts";
import { mountForm, mountGet } from "../web/routes.ts";
import { type ActionResult, type DeskPage, deskPage, type Place } from "./frame.ts";

/** A page of the desk: where it belongs, what it shows, and what its buttons do. */
export interface DeskRoute {
  place: Place;
  /** Where it is another than that of its place. */
  path?: string;
  show(request: DeskRequest): Promise<DeskPage>;
  /** By the name that a button's form posts as `act`. */
  acts?: Readonly<Record<string, DeskAction>>;
  /** What is done on other pages and leads here. */
  tells?: Told;
}

export interface DeskAction {
  /** `id` is the one in the path. */
  do(admin: Admin, fields: Fields, id: string): Promise<unknown>;
  /** Page that asks once more; null to act at once. */
  confirm?(request: DeskRequest, fields: Fields): Promise<DeskPage | null>;
  /** What is so afterwards. */
  done: string;
  /** Where that depends on what was sent: the name among what the page tells. */
  tells?(fields: Fields): string;
  /** Where it leads, if not to the page itself. */
  to?: string | ((id: string) => string);
}

type Told = Readonly<Record<string, Pick<DeskAction, "done">>>;

/** What a form carried; a field that is missing or came twice is empty. */
export interface Fields {
  (name: string): string;
  /** Of a field that may come several times, such as the boxes of a list. */
  all(name: string): string[];
}

/** What a page is drawn from. */
export interface DeskRequest {
  req: Request;
  /** Of what the page is about, where its path has one. */
  id: string;
  merchant: Merchant;
  admin: Admin;
  /** How the merchant's command line is called here. */
  command: string;
  refused: RefusedAction | undefined;
}

/**
 * A refused act, for the page that is shown again: what was typed stays, what is wrong is beside
 * it.
 */
export interface RefusedAction {
  act: string;
  fields: Fields;
  error: MerchantError;
}

/**
 * A page's buttons post to the page itself and name their act. What was done is answered with the
 * page by GET, so that a reload does nothing; what the verb refuses, by the page as it is now. So a
 * merchant who presses twice, or on an old page, or beside a colleague, sees what the first one did.
 */
export function mountRoute(app: Express, api: Api, route: DeskRoute): void {
  const { place, path = `/desk/${place}`, show, acts, tells } = route;
  const { merchant } = api.service;
  const admin = merchant.admin("desk");
  const requestOf = (req: Request, refused?: RefusedAction): DeskRequest => {
    const command = api.edge.merchantCommand;
    return { req, id: idIn(req), merchant, admin, command, refused };
  };
  async function answer(req: Request, res: Response, refused?: RefusedAction): Promise<void> {
    const said = resultOf(req, { ...tells, ...acts }, refused);
    const page = await show(requestOf(req, refused));
    send(res, { place, ...page }, { said, status: refused?.error.status });
  }
  const get = (req: Request, res: Response) => answer(req, res);
  if (acts === undefined) {
    mountGet(app, path, get);
    return;
  }
  mountForm(app, api.edge, path, {
    get,
    post: async (req, res) => {
      const fields: Fields = Object.assign((name: string) => fieldIn(req.body, name).trim(), {
        all: (name: string) => fieldValues(req.body, name),
      });
      const name = fields("act");
      const act = Object.hasOwn(acts, name) ? acts[name] : undefined;
      if (!act) {
        const why = "There is no such button. Load the page again.";
        throw new MerchantError("VALIDATION_FAILED", why);
      }
      const asking = await act.confirm?.(requestOf(req), fields);
      if (asking) {
        send(res, { place, ...asking });
        return;
      }
      const form = formKey(req);
      const own = merchant.admin("desk", form);
      try {
        await once(own, fields("seen") !== "", () => act.do(own, fields, idIn(req)));
      } catch (error) {
        await answer(req, res, { act: name, fields, error: refusalOf(error) });
        return;
      }
      // On the same part of a long list as before.
      const query = new URLSearchParams(req.originalUrl.split("?")[1]);
      const to = typeof act.to === "function" ? act.to(idIn(req)) : act.to;
      query.set("done", act.tells?.(fields) ?? name);
      res.redirect(303, `${to ?? req.path}?${query}`);
    },
  });
}

/** Identity of a sent form, to recognize a double submit; undefined without a nonce. */
export const formKey = (req: Request): string | undefined =>
  fieldIn(req.body, "form") === ""
    ? undefined
    : JSON.stringify(Object.entries(req.body as object).sort(([a], [b]) => (a < b ? -1 : 1)));

/**
 * Acts unless this very form was done already, as by a double click: then it is answered as done. A form
 * that shows an order's version is believed for a minute only, since the order may have moved back since.
 */
export async function once(admin: Admin, versioned: boolean, act: () => Promise<unknown>) {
  const isDone = async () => {
    const before = await admin.audit.doneBefore();
    return before !== null && (!versioned || before.ago_ms < MINUTE_MS);
  };
  if (await isDone()) return;
  try {
    await act();
  } catch (error) {
    if (!(await isDone())) throw error;
  }
}

const idIn = (req: Request): string => String(req.params.id ?? "");

/** A page of the desk in its frame. Its own meta element lets its forms name their origin. */
export const send = (
  res: Response,
  page: DeskPage,
  { said, status }: { said?: ActionResult | undefined; status?: number | undefined } = {},
): void => sendDocument(res, deskPage(page, said), status);

function resultOf(req: Request, acts: Told, refused?: RefusedAction): ActionResult | undefined {
  if (refused) {
    const { message, problems } = refused.error;
    return { refused: message, details: problems.map(({ detail }) => detail) };
  }
  const done = fieldIn(req.query, "done");
  return Object.hasOwn(acts, done) ? acts[done] : undefined;
}

/** What the page showed that was pressed; a form made by hand may leave it out. */
export const seenIn = (fields: Fields): number | undefined =>
  fields("seen") === "" ? undefined : whole(fields("seen"));
