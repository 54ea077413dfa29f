import { z } from "zod";
import { Address } from "../domain/shared/address.ts";
import { Email } from "../domain/shared/email.ts";
import { fieldIn } from "./body.ts";
import { typedAddress } from "./pages/address-fields.ts";
import type { FieldProblem } from "./pages/form-parts.ts";
import {
  QUICK_CHECKOUT_FIELDS,
  type QuickCheckoutField,
  type QuickCheckoutView,
} from "./pages/quick-checkout.ts";

/** What was sent with the form of `/checkout/{token}`. */
export type FormInput = Pick<QuickCheckoutView, "values" | "acceptedMinor">;
type FormValues = FormInput["values"];

/** Longer than any field may be: enough to say that it is too long, and no more. */
const KEPT_CHARACTERS = 500;

/** Whatever else was posted is left alone. A field sent twice counts as missing. */
export function readCheckoutForm(body: unknown): FormInput {
  const values: FormValues = Object.fromEntries(
    QUICK_CHECKOUT_FIELDS.map((name) => [name, fieldIn(body, name).slice(0, KEPT_CHARACTERS)]),
  );
  const total = fieldIn(body, "accept_total");
  return { values, acceptedMinor: /^\d{1,10}$/.test(total) ? Number(total) : null };
}

/** In words for somebody who filled in a form, where the rules speak to programs. */
const MISSING: Partial<Record<string, string>> = {
  email: "Your email address is missing.",
  postal_code: "The ZIP code is missing.",
};

/** The form, by the same fields as an agent's quote. */
export const CHECKOUT_FORM = z.strictObject({ email: Email, address: Address });

/** All that is wrong, one sentence a field, or whom and where to. */
export function readForm(
  values: FormValues,
): z.output<typeof CHECKOUT_FORM> | { problems: FieldProblem[] } {
  const { email = "" } = values;
  const address = typedAddress((name) => values[name] ?? "");
  const read = CHECKOUT_FORM.safeParse({ email, address });
  if (read.success) return read.data;
  const found = new Map<string, string>();
  for (const { path, message } of read.error.issues) {
    const field = String(path.at(-1));
    if (!found.has(field)) found.set(field, message);
  }
  const problems = [...found].map(([field, message]) => ({
    field,
    message: inWords(field, message, values),
  }));
  return { problems };
}

function inWords(field: string, message: string, values: FormValues): string {
  if (field === "region") return "Choose a state or territory.";
  const empty = !values[field as QuickCheckoutField]?.trim();
  return (empty && MISSING[field]) || message;
}
