import { flag, html, type Markup, type Renderable } from "./html.ts";

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
  type?: "text" | "email" | "number" | "password" | "url" | undefined;
  inputmode?: "text" | "numeric" | "decimal" | "email" | undefined;
  optional?: boolean | undefined;
  maxlength?: number | undefined;
}

/** All problems at once, above the form, each a link to its field. */
export function problemSummary(problems: readonly FieldProblem[]): Markup | null {
  if (problems.length === 0) return null;
  const inFields = problems.some((problem) => problem.field !== null);
  const count = problems.length === 1 ? "one thing" : `${problems.length} things`;
  return html`<div class="notice notice-bad stack tight" role="alert" id="problems">
    <p class="notice-title">${
      inFields ? `Please check ${count} below.` : "This cannot go on as it is."
    }</p>
    <ul>
      ${problems.map(
        (problem) =>
          html`<li>${
            problem.field
              ? html`<a href="#${problem.field}">${problem.message}</a>`
              : problem.message
          }</li>`,
      )}
    </ul>
  </div>`;
}

function messagesFor(name: string, problems: readonly FieldProblem[]): string[] {
  return problems.filter((problem) => problem.field === name).map((problem) => problem.message);
}

/** Label, hint and messages around a control, which is given the attributes that tie them up. */
function wrap(field: Field, problems: readonly FieldProblem[], control: (tie: Markup) => Markup) {
  const messages = messagesFor(field.name, problems);
  const id = field.id ?? field.name;
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const described = [field.hint && hintId, messages.length > 0 && errorId]
    .filter(Boolean)
    .join(" ");
  const tie = html` id="${id}" name="${field.name}"${flag("required", !field.optional)}${
    described ? html` aria-describedby="${described}"` : null
  }${messages.length > 0 ? html` aria-invalid="true"` : null}`;
  return html`<div class="field">
    <label for="${id}">${field.label}${
      field.optional ? html` <span class="hint">optional</span>` : null
    }</label>
    ${field.hint ? html`<p class="hint" id="${hintId}">${field.hint}</p>` : null}
    ${
      messages.length > 0
        ? html`<p class="field-error" id="${errorId}">${messages.join(" ")}</p>`
        : null
    }
    ${control(tie)}
  </div>`;
}

function autofill(field: Field): Markup | null {
  return field.autocomplete ? html` autocomplete="${field.autocomplete}"` : null;
}

export function textField(field: Field, problems: readonly FieldProblem[] = []): Markup {
  const attributes: Renderable = [
    autofill(field),
    field.inputmode ? html` inputmode="${field.inputmode}"` : null,
    field.maxlength ? html` maxlength="${field.maxlength}"` : null,
  ];
  return wrap(
    field,
    problems,
    (tie) =>
      html`<input type="${field.type ?? "text"}"${tie} value="${field.value ?? ""}"${attributes}>`,
  );
}

export function textArea(field: Field, problems: readonly FieldProblem[] = []): Markup {
  // A newline right after the tag is dropped by the parser, so the value keeps one it begins with.
  return wrap(
    field,
    problems,
    (tie) => html`<textarea rows="3" maxlength="${field.maxlength ?? 2000}"${tie}>
${field.value ?? ""}</textarea>`,
  );
}

export interface Choice {
  value: string;
  label: string;
}

export function selectField(
  field: Field,
  choices: readonly Choice[],
  problems: readonly FieldProblem[] = [],
): Markup {
  return wrap(
    field,
    problems,
    (tie) => html`<select${tie}${autofill(field)}>
      <option value="">Choose…</option>
      ${choices.map(
        ({ value, label }) =>
          html`<option value="${value}"${flag("selected", value === field.value)}>
            ${label}</option>`,
      )}
    </select>`,
  );
}
