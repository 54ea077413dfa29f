import type { Express, Request, Response } from "express";
import type { Api } from "../api/api.ts";
import type { Actor } from "../core/admin-verb.ts";
import { MerchantError } from "../core/errors.ts";
import { LIMITS, MINUTE_MS } from "../core/policy.ts";
import type { Admin, Merchant } from "../merchant/merchant.ts";
import { inputOf, type TypedField, typedFields, type Verb } from "../merchant/typed-input.ts";
import { fieldIn, fieldValues } from "../web/body.ts";
import { cookieOptions, cookies } from "../web/cookies.ts";
import { sendDocument } from "../web/page-answers.ts";
import { refusalOf } from "../web/problem-answers.ts";
import { mountForm, mountGet } from "../web/routes.ts";
import type { Fields, Refusals, RefusedAction } from "./forms.ts";
import { type ActionResult, type DeskPage, deskPage, type Place } from "./frame.ts";
import { beansToRestock } from "./low-stock.ts";
import { orderName, versionsIn } from "./order-parts.ts";

/** A verb of the merchant by its noun, as on the command line. */
export type VerbName = {
  [N in keyof Admin]: `${N}.${keyof Admin[N] & string}`;
}[keyof Admin];

export type DeskActs = Readonly<Partial<Record<VerbName, DeskAction>>>;

/** A page of the desk with its place in the navigation, its content and its buttons. */
export interface DeskRoute {
  place: Place;
  /** Default: the path of its place. */
  path?: string;
  show(request: DeskRequest): Promise<DeskPage>;
  /** The verbs that its forms name as their `act`. The fields of a form are the fields of its verb. */
  acts?: DeskActs;
}

export interface DeskAction {
  /** Values beside the form's fields. */
  also?(fields: Fields): object;
  /** Field with the ids of the rows. Each row is an act of its own: if one is refused, the others are done. */
  each?: "order_id" | "shipment_id";
  /** Leaves out a row. */
  skip?(fields: Fields): boolean;
  /** Page that asks once more; null to act at once. */
  confirm?(request: DeskRequest, fields: Fields): Promise<DeskPage | null>;
  /** Sentence on the next page. */
  done: string | ((fields: Fields, did: Done) => string | Promise<string>);
  /** Next page. Default: the same page. */
  to?(fields: Fields): string;
}

/** What an act did. */
export interface Done {
  admin: Admin;
  /** What its verb returned; undefined for a form sent twice. */
  result: unknown;
  /** Rows that are done. */
  count: number;
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

/**
 * A page's buttons post to the page itself and name their act. After a success the browser gets the page by
 * GET, with one sentence that a reload does not repeat. After a refusal it gets the page as it is now, so a
 * merchant who presses twice, or on an old page, sees what the first press did.
 */
export function mountRoute(app: Express, api: Api, route: DeskRoute): void {
  const { place, path = `/desk/${place}`, show, acts } = route;
  const { merchant } = api.service;
  const admin = merchant.admin("desk");
  const requestOf = (req: Request, refused?: RefusedAction): DeskRequest => {
    const command = api.edge.merchantCommand;
    return { req, id: String(req.params.id ?? ""), merchant, admin, command, refused };
  };
  async function answer(req: Request, res: Response, refused?: RefusedAction): Promise<void> {
    const page = await show(requestOf(req, refused));
    const said = refused && (await refusal(refused, admin));
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
      const fields = fieldsOf(req);
      const act = fields("act");
      const action = Object.hasOwn(acts, act) ? acts[act as VerbName] : undefined;
      if (!action) {
        const why = "There is no such button. Load the page again.";
        throw new MerchantError("VALIDATION_FAILED", why);
      }
      const refuse = (error: unknown, rows: Refusals = new Map(), done = 0) =>
        answer(req, res, { act, fields, error: refusalOf(error), rows, done });
      try {
        const asking = await action.confirm?.(requestOf(req), fields);
        if (asking) {
          await send(res, { place, ...asking }, { status: asking.status });
          return;
        }
      } catch (error) {
        await refuse(error);
        return;
      }
      const own = (row?: string) => {
        const form = formKey(req);
        return merchant.admin(actorIn(res), form && row ? `${form} ${row}` : form);
      };
      const run = (by: Admin, typed: Fields) => {
        const verb = verbOf(by, act);
        const input = inputOf(fieldsOfVerb(act, verb), (name) => typedIn(typed, name));
        return once(by, typed("seen") !== "", () =>
          verb({ ...input, ...action.also?.(typed) } as never),
        );
      };
      let result: unknown;
      let count = 1;
      if (action.each) {
        const rows = rowsIn(fields, action.each).filter(([, row]) => !action.skip?.(row));
        const refusals = await runEach(rows, fields, { own, run });
        const [first] = refusals.values();
        count = rows.length - refusals.size;
        if (first || rows.length === 0) {
          const error = new MerchantError("ILLEGAL_STEP", first?.message ?? "Nothing was chosen.");
          await refuse(error, refusals, count);
          return;
        }
      } else {
        try {
          result = await run(own(), fields);
        } catch (error) {
          await refuse(error);
          return;
        }
      }
      const { done } = action;
      const told =
        typeof done === "string" ? done : await done(fields, { admin: own(), result, count });
      // By default on the same part of a long list.
      redirectSaying(res, action.to?.(fields) ?? req.originalUrl, told);
    },
  });
}

/** The page of an order names it in its address. */
function fieldsOf({ body, params }: Request): Fields {
  const field = (name: string) =>
    fieldIn(body, name, LIMITS.desk_form_bytes).trim() ||
    (name === "order_id" ? String(params.id ?? "") : "");
  return Object.assign(field, {
    all: (name: string) => fieldValues(body, name, LIMITS.desk_form_bytes),
  });
}

const verbOf = (admin: Admin, name: string): Verb<unknown> => {
  const [noun = "", verb = ""] = name.split(".");
  return (admin as unknown as Record<string, Record<string, Verb<unknown>>>)[noun]![verb]!;
};

const VERB_FIELDS = new Map<string, TypedField[]>();

function fieldsOfVerb(name: string, { fields }: Verb<unknown>): TypedField[] {
  const known = VERB_FIELDS.get(name) ?? typedFields(fields);
  VERB_FIELDS.set(name, known);
  return known;
}

const typedIn = (fields: Fields, name: string) => {
  const all = fields.all(name);
  return all.length > 1 ? all : fields(name);
};

/** Rows of a form by id. A field whose name ends in the id belongs to that row, others to all rows. */
const rowsIn = (fields: Fields, by: string): [id: string, row: Fields][] =>
  [...new Set(fields.all(by).flatMap((ids) => ids.split(" ")))].filter(Boolean).map((id) => {
    const row = (name: string) => (name === by ? id : fields(`${name}.${id}`) || fields(name));
    return [id, Object.assign(row, { all: (name: string) => [row(name)].filter(Boolean) })];
  });

/** Runs each row. An act moves the version that the next row of its order expects. */
async function runEach(
  rows: readonly [id: string, row: Fields][],
  fields: Fields,
  { own, run }: { own(row: string): Admin; run(by: Admin, typed: Fields): Promise<unknown> },
): Promise<Refusals> {
  const refusals = new Map<string, MerchantError>();
  const versions = versionsIn(fields("seen"));
  for (const [id, row] of rows) {
    const by = own(id);
    const { orderOf } = by.views;
    try {
      const { order_id = id } = (await orderOf({ id })) ?? {};
      const seen = versions.get(order_id);
      const withSeen = (name: string) => (name === "seen" ? String(seen ?? "") : row(name));
      await run(by, Object.assign(withSeen, { all: row.all }));
      const after = seen === undefined ? undefined : await orderOf({ id });
      if (after) versions.set(order_id, after.version);
    } catch (error) {
      refusals.set(id, refusalOf(error));
    }
  }
  return refusals;
}

/** Identity of a sent form, to recognize a double submit; undefined without a nonce. */
const formKey = (req: Request): string | undefined =>
  fieldIn(req.body, "form") === ""
    ? undefined
    : JSON.stringify(Object.entries(req.body as object).sort(([a], [b]) => (a < b ? -1 : 1)));

/**
 * Acts unless this form was sent before, as by a double click, which is answered as done. With an order's
 * version that holds for a minute only, since the order may have moved back by then.
 */
async function once(admin: Admin, versioned: boolean, act: () => Promise<unknown>) {
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

/** Cookie with the sentence for the next page, which takes it. */
const SAID = "desk_said";
const saidOptions = ({ app }: Response) => cookieOptions(app.locals.shop as Merchant, "/desk");

/** Leads to a page of the desk that says this once. */
function redirectSaying(res: Response, to: string, done: string): void {
  res.cookie(SAID, done, { ...saidOptions(res), maxAge: MINUTE_MS });
  res.redirect(303, to);
}

/** Takes the sentence of the act that led here. */
function saidBefore(res: Response): ActionResult | undefined {
  const kept = res.req.method === "GET" && cookies(res.req).get(SAID);
  if (!kept) return undefined;
  res.clearCookie(SAID, saidOptions(res));
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

/** The notice above a refused form. A form of many rows gets one reason for each refused row. */
async function refusal({ error, rows, done }: RefusedAction, admin: Admin): Promise<ActionResult> {
  const { message, problems } = error;
  if (rows.size === 0) return { refused: message, details: problems.map(({ detail }) => detail) };
  const reasons = await Promise.all(
    [...rows].map(async ([id, { message }]) => {
      const order = await admin.views.orderOf({ id });
      return order ? `${orderName(order)}: ${message}` : message;
    }),
  );
  const partly = done > 0;
  const details = partly ? [`${done} done, ${rows.size} not.`, ...reasons] : reasons;
  return { refused: reasons[0]!, details, ...(partly && { partly: true as const }) };
}
