import { type Address, US_REGIONS } from "../core/address.ts";
import { LIMITS } from "../core/policy.ts";
import type { Field } from "./form-parts.ts";
import { html, type Markup } from "./html.ts";

/** `autofill`: as browsers name it that fill in an address. */
const FIELDS = {
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
  postal_code: { label: "ZIP code", autofill: "postal-code", maxlength: 10 },
} satisfies Record<string, Omit<Field, "name"> & { autofill: string }>;

export type AddressField = keyof typeof FIELDS;

/** The fields of an address in the US, by the names that a quote has them by. */
export const ADDRESS_FIELDS = Object.keys(FIELDS) as AddressField[];

/** Every form that asks for one; `show` puts into a field what stands in it. */
export function addressFields(
  show: (field: Field & { name: AddressField; autofill: string }) => Markup,
): Markup {
  const field = (name: AddressField) => show({ name, ...FIELDS[name] });
  return html`${field("name")} ${field("line1")} ${field("line2")} ${field("city")}
    <div class="field-row stack">${field("region")} ${field("postal_code")}</div>`;
}

/** As it was typed; who takes it holds it to the rules of an address. */
export function typedAddress(typed: (name: AddressField) => string): Address {
  const fields = ADDRESS_FIELDS.map((name) => [name, typed(name)]);
  return { ...(Object.fromEntries(fields) as Record<AddressField, string>), country: "US" };
}
