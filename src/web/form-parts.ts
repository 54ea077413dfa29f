import { LIMITS } from "../core/policy.ts";
import { html, type Markup, type Renderable } from "./html.ts";

/** Something wrong with a form, in words for the person who filled it in. */
export interface FieldProblem {
  /** Name of the form field, or null for the form as a whole. */
  field: string | null;
  message: string;
}

export interface Field {
  name: string;
  /** Where a page has several forms with such a field; its name otherwise. */
  id?: string | undefined;
  label: string;
  value?: string | undefined;
  /** A line of help under the label. */
  hint?: string | undefined;
  /** What the browser may fill in by itself. */
  autocomplete?: string | undefined;
  type?: "email" | "number" | "password" | undefined;
  /** Several lines of text. */
  area?: boolean;
  /** One of these, rather than what is typed. */
  choices?: readonly { value: string; label: string }[];
  inputmode?: "numeric" | "decimal" | "email" | undefined;
  optional?: boolean | undefined;
  maxlength?: number | undefined;
  /** Where the page begins, if nothing above it does. */
  focused?: boolean;
}

export const EMAIL = {
  name: "email",
  label: "Email",
  type: "email",
  inputmode: "email",
  autocomplete: "email",
  maxlength: LIMITS.email_characters,
} as const satisfies Field;

/**
 * All problems at once, above the form, each a link to its field and in the fields' order; of the form as a
 * whole before those. What is read first has the focus.
 */
export function problemSummary(problems: readonly FieldProblem[], form: Renderable): Markup | null {
  if (problems.length === 0) return null;
  const drawn = html`${form}`.toString();
  const placed = problems
    .map((problem) => ({ ...problem, place: drawn.indexOf(` id="${problem.field}"`) }))
    .toSorted((a, b) => a.place - b.place);
  const inFields = problems.some((problem) => problem.field !== null);
  const count = problems.length === 1 ? "one thing" : `${problems.length} things`;
  return html`<div class="notice notice-bad stack tight" role="alert" id="problems"
    tabindex="-1" autofocus>
    <p class="notice-title">${
      inFields ? `Please check ${count} below.` : "Please check this first."
    }</p>
    <ul>
      ${placed.map(
        ({ field, message }) =>
          html`<li>${field ? html`<a href="#${field}">${message}</a>` : message}</li>`,
      )}
    </ul>
  </div>`;
}

/** A form as it was sent; a field that came more than once has a list. */
export type SentFields = Readonly<Record<string, string | readonly string[]>>;

/** Fields that go along unseen, called as they are or with something before it. */
export const hiddenFields = (fields: SentFields, before = ""): Markup[] =>
  Object.entries(fields).flatMap(([name, values]) =>
    [values].flat().map((value) => {
      const called = `${before}${name}`;
      return html`<input type="hidden" name="${called}" value="${value}">`;
    }),
  );

/** The same form once more: nothing that was typed is lost, and it is not sent without a press. */
export const sendAgain = (action: string, fields: SentFields, label: string): Markup =>
  html`<form method="post" action="${action}">${hiddenFields(fields)}
    <button type="submit">${label}</button></form>`;

/** A field of a form: its label, its hint, what is wrong with it, and the control that it says. */
export function formField(field: Field, problems: readonly FieldProblem[] = []): Markup {
  const messages = problems
    .filter((problem) => problem.field === field.name)
    .map(({ message }) => message);
  const id = field.id ?? field.name;
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const described = [field.hint && hintId, messages.length > 0 && errorId]
    .filter(Boolean)
    .join(" ");
  const tie = html` id="${id}" name="${field.name}"${!field.optional && html` required`}${
    described && html` aria-describedby="${described}"`
  }${messages.length > 0 && html` aria-invalid="true"`}${field.focused && html` autofocus`}`;
  return html`<div class="field">
    <label for="${id}">${field.label}${
      field.optional && html` <span class="hint">optional</span>`
    }</label>
    ${field.hint && html`<p class="hint" id="${hintId}">${field.hint}</p>`}
    ${messages.length > 0 && html`<p class="field-error" id="${errorId}">${messages.join(" ")}</p>`}
    ${control(field, tie)}
  </div>`;
}

/** `tie` has the attributes that tie it to its label and its messages. */
function control(field: Field, tie: Markup): Markup {
  const { type = "text", value = "", choices, area, autocomplete, inputmode, maxlength } = field;
  const autofill = autocomplete ? html` autocomplete="${autocomplete}"` : null;
  if (choices) {
    return html`<select${tie}${autofill}>
      <option value="">Choose…</option>
      ${choices.map(
        (
          choice,
        ) => html`<option value="${choice.value}"${choice.value === value && html` selected`}>
            ${choice.label}</option>`,
      )}
    </select>`;
  }
  const most = maxlength ? html` maxlength="${maxlength}"` : null;
  // A newline right after the tag is dropped by the parser, so the value keeps one it begins with.
  if (area) {
    return html`<textarea rows="3"${most}${tie}>
${value}</textarea>`;
  }
  const keys = inputmode ? html` inputmode="${inputmode}"` : null;
  return html`<input type="${type}"${tie} value="${value}"${[autofill, keys, most]}>`;
}

interface TickBox {
  name: string;
  value: string;
  label: Renderable;
  ticked: boolean;
  /** What is wrong with this one alone. */
  wrong?: string | undefined;
}

export const tickBox = ({ name, value, label, ticked, wrong }: TickBox): Markup =>
  html`<label class="tick-box"><input type="checkbox" name="${name}" value="${value}"${ticked && html` checked`}${wrong && html` id="${name}" aria-invalid="true"`}>
        <span>${label}</span>${wrong && html` <span class="field-error">${wrong}</span>`}</label>`;

interface TickBoxes {
  name: string;
  legend: string;
  choices: readonly Omit<TickBox, "name" | "wrong">[];
  /** Where the page begins if they are wrong. */
  focused?: true;
}

/** Any number of these: a box each, with what is wrong above them. */
export function tickBoxes(
  { name, legend, choices, focused }: TickBoxes,
  problems: readonly FieldProblem[],
): Markup {
  const wrong = problems.find(({ field }) => field === name);
  return html`<fieldset id="${name}"${wrong && html` aria-describedby="${name}-error"`}${
    wrong && focused && html` tabindex="-1" autofocus`
  }>
      <legend>${legend}</legend>
      ${wrong && html`<p class="field-error" id="${name}-error">${wrong.message}</p>`}
      ${choices.map((choice) => tickBox({ name, ...choice }))}
    </fieldset>`;
}

/** What is seldom done, or cannot be taken back: closed until it is wanted. */
export const disclosure = (summary: string, body: Renderable, open = false): Markup =>
  html`<details class="careful"${open && html` open`}>
    <summary>${summary}</summary>
    <div class="careful-body stack">${body}</div>
  </details>`;
