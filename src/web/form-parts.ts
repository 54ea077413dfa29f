import { type Address, US_REGIONS } from "../core/address.ts";
import { LIMITS } from "../core/policy.ts";
import { html, type Markup, type Renderable } from "./html.ts";

/** A problem of a form, worded for its reader. */
export interface FieldProblem {
  /** Name of the form field, or null for the form as a whole. */
  field: string | null;
  message: string;
}

export interface Field {
  name: string;
  /** For a page with several such fields; by default its name. */
  id?: string | undefined;
  label: string;
  value?: string | undefined;
  hint?: string | undefined;
  autocomplete?: string | undefined;
  type?: "date" | "email" | "number" | "password" | undefined;
  /** Several lines of text. */
  area?: boolean;
  /** Makes a list to choose from. */
  choices?: readonly { value: string; label: string }[];
  inputmode?: "numeric" | "decimal" | "email" | undefined;
  optional?: boolean | undefined;
  maxlength?: number | undefined;
  /** Takes the focus when the page opens. */
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
 * All problems at once above the form: first those of the whole form, then links to the fields in their
 * order. Takes the focus, so that it is read first.
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

/** A sent form. A field that was sent more than once has a list. */
export type SentFields = Readonly<Record<string, string | readonly string[]>>;

/** Hidden inputs, with a prefix for their names. */
export const hiddenFields = (fields: SentFields, before = ""): Markup[] =>
  Object.entries(fields).flatMap(([name, values]) =>
    [values].flat().map((value) => {
      const called = `${before}${name}`;
      return html`<input type="hidden" name="${called}" value="${value}">`;
    }),
  );

/** A button that sends the same form again. */
export const sendAgain = (action: string, fields: SentFields, label: string): Markup =>
  html`<form method="post" action="${action}">${hiddenFields(fields)}
    <button type="submit">${label}</button></form>`;

/** A field with its label, hint, problems and control. */
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

/** `tie`: attributes that tie the control to its label and messages. */
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
  // The parser drops a newline right after the tag, so a leading newline of the value is kept.
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
  /** Problem of this box. */
  wrong?: string | undefined;
}

export const tickBox = ({ name, value, label, ticked, wrong }: TickBox): Markup =>
  html`<label class="tick-box"><input type="checkbox" name="${name}" value="${value}"${ticked && html` checked`}${wrong && html` id="${name}" aria-invalid="true"`}>
        <span>${label}</span>${wrong && html` <span class="field-error">${wrong}</span>`}</label>`;

interface TickBoxes {
  name: string;
  legend: string;
  choices: readonly Omit<TickBox, "name" | "wrong">[];
  /** Takes the focus after a problem. */
  focused?: true;
}

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

/** Folds away a rare or final action. */
export const disclosure = (summary: string, body: Renderable, open = false): Markup =>
  html`<details class="careful"${open && html` open`}>
    <summary>${summary}</summary>
    <div class="careful-body stack">${body}</div>
  </details>`;

/** `autofill`: the field's name for the browser's autofill. */
const ADDRESS = {
  name: { label: "Full name", autofill: "name", maxlength: LIMITS.name_characters },
  line1: {
    label: "Street address",
    autofill: "address-line1",
    maxlength: LIMITS.street_characters,
  },
  line2: {
    label: "Apartment, suite, unit",
    autofill: "address-line2",
    optional: true,
    maxlength: LIMITS.street_characters,
  },
  city: { label: "City", autofill: "address-level2", maxlength: LIMITS.city_characters },
  region: {
    label: "State or territory",
    autofill: "address-level1",
    choices: Object.entries(US_REGIONS).map(([value, name]) => ({
      value,
      label: `${name} (${value})`,
    })),
  },
  postal_code: { label: "ZIP code", autofill: "postal-code", inputmode: "numeric", maxlength: 10 },
} satisfies Record<string, Omit<Field, "name"> & { autofill: string }>;

export type AddressField = keyof typeof ADDRESS;

/** Fields of a US address, named as in a quote. */
export const ADDRESS_FIELDS = Object.keys(ADDRESS) as AddressField[];

/** The fields of an address; `show` fills in a value. */
export function addressFields(
  show: (field: Field & { name: AddressField; autofill: string }) => Markup,
): Markup {
  const field = (name: AddressField) => show({ name, ...ADDRESS[name] });
  return html`${field("name")} ${field("line1")} ${field("line2")} ${field("city")}
    <div class="field-row stack">${field("region")} ${field("postal_code")}</div>`;
}

/** The typed address, not validated. */
export function typedAddress(typed: (name: AddressField) => string): Address {
  const fields = ADDRESS_FIELDS.map((name) => [name, typed(name)]);
  return { ...(Object.fromEntries(fields) as Record<AddressField, string>), country: "US" };
}
