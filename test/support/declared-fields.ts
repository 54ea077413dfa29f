import { z } from "zod";
import { fold } from "../../src/ask/text.ts";
import { noForbiddenTopic } from "../../src/catalog/forbidden-topics.ts";
import { canonicalEmail } from "../../src/core/email.ts";
import { secretIn } from "../../src/core/secrets.ts";
import { regionCode } from "../../src/core/us-regions.ts";
import { ADMIN_FIELDS } from "../../src/merchant/admin-fields.ts";
import { CART_QUERY } from "../../src/quotes/quick-checkout-query.ts";
import { CHECKOUT_FORM } from "../../src/shop/quick-checkout.ts";
import { operations } from "../../tools/index.ts";

/** Every schema that something from outside is held to, by the interface it comes through. */
export const SCHEMAS: Record<string, z.ZodType> = {
  ...Object.fromEntries(operations.map((op) => [op.name, op.input])),
  "quick-checkout link": CART_QUERY,
  "checkout form": CHECKOUT_FORM,
  ...Object.fromEntries(
    Object.entries(ADMIN_FIELDS).map(([verb, fields]) => [`merchant: ${verb}`, fields]),
  ),
};

/** A schema and all that is in it, each with the path to it. */
export function fieldsOf(schema: z.ZodType, path = ""): [path: string, field: z.ZodType][] {
  return [
    [path || "(the whole)", schema],
    ...inner(schema).flatMap(([name, one]) => fieldsOf(one, `${path}/${name}`)),
  ];
}

function inner(schema: z.ZodType): [name: string, field: z.ZodType][] {
  if (schema instanceof z.ZodObject) return Object.entries(schema.shape) as [string, z.ZodType][];
  if (schema instanceof z.ZodArray) return [["[]", schema.element as z.ZodType]];
  const wrapped = [z.ZodOptional, z.ZodDefault, z.ZodNullable].some(
    (kind) => schema instanceof kind,
  );
  return wrapped ? [["", (schema as z.ZodOptional<z.ZodType>).unwrap()]] : [];
}

/** Every text field there is, once for each place. */
export const textFields = (): [path: string, field: z.ZodString][] =>
  Object.entries(SCHEMAS).flatMap(([name, schema]) =>
    fieldsOf(schema).flatMap(([path, field]): [string, z.ZodString][] =>
      field instanceof z.ZodString ? [[`${name} ${path}`, field]] : [],
    ),
  );

/** What stands behind the bounds: every field without its first check, and every scanner by itself. */
export function insides(): [name: string, read: (text: string) => unknown][] {
  const once = new Map(textFields().map(([name, field]) => [field.def.checks, { name, field }]));
  const fields = [...once.values()].map(({ name, field }): [string, (text: string) => unknown] => {
    const inside = new z.ZodString({ ...field.def, checks: field.def.checks!.slice(1) });
    return [name, (text) => inside.safeParse(text)];
  });
  return [
    ...fields,
    ["secrets", secretIn],
    ["customers", canonicalEmail],
    ["regions", regionCode],
    ["questions", fold],
    ["forbidden topics", noForbiddenTopic],
  ];
}
