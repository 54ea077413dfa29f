import { actorName } from "../core/admin-verb.ts";
import type { MerchantError } from "../core/errors.ts";
import { newNonce } from "../core/ids.ts";
import {
  disclosure,
  type Field,
  type FieldProblem,
  formField,
  hiddenFields,
  type SentFields,
} from "../web/form-parts.ts";
import { shopMoment } from "../web/format.ts";
import { html, type Markup, type Renderable } from "../web/html.ts";
import { fieldProblems } from "../web/page-answers.ts";

/** Fields of a form. A missing or repeated field reads as empty. */
export interface Fields {
  (name: string): string;
  /** All values of a field that may repeat, such as the boxes of a list. */
  all(name: string): string[];
}

/** A refused act. The page is shown again with the typed values and the problems beside them. */
export interface RefusedAction {
  act: string;
  fields: Fields;
  error: MerchantError;
  /** Refusals by the id of their row. */
  rows: Refusals;
  /** Rows of the form that are done. */
  done: number;
}

export type Refusals = ReadonlyMap<string, MerchantError>;

/** Row that a form changes. Its act and this together are the form's identity on its page. */
export interface Target {
  /** Hidden fields that name the row. */
  of?: Readonly<Record<string, string>>;
  /**
   * The row's version on the page, which the verb compares. Null if the act is right on any version: it adds
   * something, or it can be done once only.
   */
  seen: number | string | null;
  /** Hidden fields with values of the act. */
  with?: SentFields;
}

/** A form that posts an act, which is the name of a verb, to its own page. Its nonce makes repeated sends one act. */
export const actForm = (
  act: string,
  { of, seen, with: values }: Target,
  body: Renderable,
  className = "form",
): Markup => html`<form class="${className}" method="post">
    ${hiddenFields({ act, form: newNonce(), ...of, ...(seen !== null && { seen: String(seen) }), ...values })}
    ${body}
  </form>`;

/** The refused act, if it was sent by the form of this row. */
export const refusedHere = (
  refused: RefusedAction | undefined,
  act: string,
  of: Target["of"] = {},
): RefusedAction | undefined =>
  refused?.act === act &&
  Object.entries(of).every(([name, value]) => refused.fields(name) === value)
    ? refused
    : undefined;

export interface FilledForm extends Target {
  act: string;
  /** Label of the closed form, for rare or final acts. */
  summary?: string;
  open?: boolean;
}

/** Fields of a refused form, with its problems. */
export interface SentForm {
  sent: Fields | undefined;
  problems: readonly FieldProblem[];
}

/** The form's field that a verb's problem is about. */
export const fieldOf = ({ pointer }: { pointer: string }): string =>
  pointer.slice(pointer.lastIndexOf("/") + 1).replace(/_minor$/, "");

/** A form. After a refusal it is open, with the typed values and each field's problems. */
export function filledForm(
  { act, summary, open = false, ...target }: FilledForm,
  refusedAct: RefusedAction | undefined,
  body: (show: (field: Field) => Markup, kept: SentForm) => Renderable,
): Markup {
  const refused = refusedHere(refusedAct, act, target.of);
  const problems = refused ? fieldProblems(refused.error, (pointer) => fieldOf({ pointer })) : [];
  const show = (field: Field) => {
    const id = [act.replace(".", "-"), field.name, ...Object.values(target.of ?? {})].join("-");
    const value = refused ? refused.fields(field.name) : field.value;
    // The form may stand far below the notice at the top.
    const focused = problems[0]?.field === field.name;
    return formField({ maxlength: 500, ...field, id, value, focused }, problems);
  };
  const kept = { sent: refused?.fields, problems };
  const form = actForm(act, target, body(show, kept));
  return summary === undefined ? form : disclosure(summary, form, refused !== undefined || open);
}

/** Marks a task as handled. */
export const HANDLE = { "tasks.handle": { done: "Done. You can look it up later." } };

/** When and where a task was handled, or the button that marks it. */
export const handling = (
  row: { id: string; handled_at: string | null; handled_by: string | null },
  label: string,
): Markup =>
  row.handled_at === null
    ? handleButton(row, `Mark ${label.toLowerCase()}`)
    : html`<span class="hint">${label} ${
        row.handled_by === "desk" ? "at the desk" : `by ${actorName(row.handled_by ?? "")}`
      }, ${shopMoment(row.handled_at)}</span>`;

export const handleButton = ({ id }: { id: string }, label: string): Markup =>
  actForm(
    "tasks.handle",
    { of: { task_id: id }, seen: null },
    html`<button class="small quiet" type="submit">${label}</button>`,
    "inline-form cluster",
  );
