import { z } from "zod";

/**
 * Parts of response schemas. Each response has one schema in its noun's folder, and its type is inferred,
 * so the compiler checks rules, verbs and operations against it. Schemas are open: a later version may add
 * a field or a status, and clients must tolerate it (contract §0).
 */

/** An object in a response: the type has today's fields, the schema accepts more. */
export const answer = <S extends z.ZodRawShape>(shape: S): z.ZodObject<S> =>
  z.looseObject(shape) as unknown as z.ZodObject<S>;

/** Picks the columns of a row that a response has under the same name. */
export const sameFields = <S extends z.ZodRawShape, R extends object>(
  { shape }: z.ZodObject<S>,
  row: R,
): Pick<R, keyof R & keyof S> =>
  Object.fromEntries(Object.entries(row).filter(([name]) => Object.hasOwn(shape, name))) as R;

/** A status or code: the type has today's values, the schema accepts more. */
export const open = <const V extends string>(values: readonly V[], what: string) =>
  z
    .string()
    .describe(
      `${what} One of ${values.join(", ")}; tolerate new values.`,
    ) as unknown as z.ZodType<V>;

export const Time = z
  .string()
  .meta({ description: "ISO 8601 UTC with milliseconds.", format: "date-time" });
export const Minor = z.int().describe("Integer minor units (cents) of usd.");
export const Display = z.string().describe('For people to read, such as "$35.20".');
/** `sandbox`: our own pretend provider. `test`: the provider's test mode. Neither moves money. */
export type PaymentMode = "live" | "test" | "sandbox";

export const Mode = z
  .string()
  .describe('"live" charges; "sandbox" and "test" move no money and send nothing.');

/** Told wherever something is promised, so that nobody expects a parcel. */
export const playMoney = (mode: string): string | null =>
  mode === "live"
    ? null
    : `${mode === "test" ? "Test mode" : "Demo shop"}: nothing is charged or shipped.`;

/** The payment mode of a response, with its notice where no money moves. */
export const inMode = (mode: string): { mode: string; notice?: string } => {
  const notice = playMoney(mode);
  return { mode, ...(notice !== null && { notice }) };
};

export const IN_MODE = {
  mode: Mode,
  notice: z.string().optional(),
};

export const EmailAddress = z.string().describe("Email address.");
export const Buyer = answer({ email: EmailAddress });

export const Estimate = answer({
  earliest: z.string().describe("A calendar day, such as 2026-03-09."),
  latest: z.string(),
  days_late: z.int().optional().describe("Days past `latest`, while a shipment has not arrived."),
})
  .describe("Expected arrival; an estimate, not a promise.")
  .meta({ id: "Estimate" });

export const NextSteps = z
  .array(
    answer({
      action: z.string().describe("The tool or endpoint, or what somebody does."),
      why: z.string(),
    }),
  )
  .describe("Sensible next steps, the best first.")
  .meta({ id: "NextSteps" });
