import type { Express, Request, Response } from "express";
import { MerchantError } from "../../domain/shared/errors.ts";
import { newNonce } from "../../merchant/ids.ts";
import type { Admin } from "../../merchant/merchant.ts";
import type { Api } from "../api.ts";
import { fieldIn } from "../body.ts";
import { mountForm, sendDocument } from "../page-answers.ts";
import { mountGet, refusalOf } from "../request-context.ts";
import { type ActionResult, type DeskPage, deskPage } from "./pages/frame.ts";

/** A page of the desk in its frame. Its own meta element lets its forms name their origin. */
export const send = (
  res: Response,
  page: DeskPage,
  { said, status }: { said?: ActionResult | undefined; status?: number | undefined } = {},
): void => sendDocument(res, deskPage(page, said), status);

/** What a form carried; a field that is missing or came twice is empty. */
export type Fields = (name: string) => string;

/** What a form carried of a field that may come several times, such as the boxes of a list. */
export function fieldValues(body: unknown, name: string): string[] {
  const value = ((body ?? {}) as Record<string, unknown>)[name];
  const values = Array.isArray(value) ? value : [value];
  return values.filter((one): one is string => typeof one === "string" && one !== "");
}

export interface DeskAction {
  do(admin: Admin, fields: Fields, req: Request): Promise<unknown>;
  /** What is so afterwards. */
  done: string;
}

export type DeskActions = Readonly<Record<string, DeskAction>>;

/**
 * A refused act, for the page that is shown again: what was typed stays, what is wrong is beside
 * it.
 */
export interface RefusedAction {
  act: string;
  fields: Fields;
  error: MerchantError;
}

/** A page that is only looked at. */
export function mountPage(
  app: Express,
  path: string,
  render: (req: Request) => Promise<DeskPage>,
): void {
  mountGet(app, path, async (req, res) => send(res, await render(req)));
}

/** What a page with buttons is drawn from, beside what it reads. */
export interface ActionPage {
  req: Request;
  refused: RefusedAction | undefined;
  /** Another with each showing: a form that adds carries it, so that sent twice it is one act. */
  form: string;
}

/**
 * A page's buttons post to the page itself and name their act. What was done is answered with the
 * page by GET (`to` another one, where that is told), so that a reload does nothing; what the verb
 * refuses, by the page as it is now. So a merchant who presses twice, or on an old page, or beside a
 * colleague, sees what the first one did.
 */
export function mountActions(
  app: Express,
  api: Api,
  path: string,
  { acts, to }: { acts: DeskActions; to?: string },
  render: (page: ActionPage) => Promise<DeskPage>,
): void {
  const { merchant } = api.service;
  const show = async (req: Request, res: Response, refused?: RefusedAction) =>
    send(res, await render({ req, refused, form: newNonce() }), {
      said: resultOf(req, acts, refused),
      status: refused?.error.status,
    });
  mountForm(app, api.edge, path, {
    get: (req, res) => show(req, res),
    post: async (req, res) => {
      const fields: Fields = (name) => fieldIn(req.body, name).trim();
      const name = fields("act");
      const act = Object.hasOwn(acts, name) ? acts[name] : undefined;
      if (!act) {
        throw new MerchantError(
          "VALIDATION_FAILED",
          "There is no such button. Load the page again.",
        );
      }
      try {
        await act.do(merchant.admin("desk"), fields, req);
      } catch (error) {
        await show(req, res, { act: name, fields, error: refusalOf(error) });
        return;
      }
      res.redirect(303, `${to ?? req.path}?done=${name}`);
    },
  });
}

function resultOf(
  req: Request,
  acts: DeskActions,
  refused?: RefusedAction,
): ActionResult | undefined {
  if (refused) {
    const { message, problems } = refused.error;
    return { refused: message, details: problems.map(({ detail }) => detail) };
  }
  const done = fieldIn(req.query, "done");
  const known = Object.hasOwn(acts, done) ? acts[done] : undefined;
  return known && { done: known.done };
}

/** A whole number out of a field; NaN, which every verb refuses, for anything else. */
export const whole = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : Number.NaN);

/** What the page showed that was pressed; a form made by hand may leave it out. */
export const seenIn = (fields: Fields): number | undefined =>
  fields("seen") === "" ? undefined : whole(fields("seen"));
