import { z } from "zod";

/**
 * What answers are made of. Each answer has one schema, beside the noun it is about, because the domain
 * makes the answers and may import nothing above it; its type is inferred, so that the compiler holds
 * rule, verb and operation to it. All are open: a later version may add a field or a status, and
 * readers must tolerate it (contract §0).
 */

/** An object of an answer: the type knows the fields of today, the schema tolerates more. */
export const answer = <S extends z.ZodRawShape>(shape: S): z.ZodObject<S> =>
  z.looseObject(shape) as unknown as z.ZodObject<S>;

/** Of a row, what an answer has under the same name: nothing else of the row is told. */
export const sameFields = <S extends z.ZodRawShape, R extends object>(
  { shape }: z.ZodObject<S>,
  row: R,
): Pick<R, keyof R & keyof S> =>
  Object.fromEntries(Object.entries(row).filter(([name]) => Object.hasOwn(shape, name))) as R;

/** A status or code: the type knows the values of today, the schema tolerates more. */
export const open = <const V extends string>(values: readonly V[], what: string) =>
  z
    .string()
    .describe(
      `${what} One of ${values.join(", ")}; tolerate new values.`,
    ) as unknown as z.ZodType<V>;

export const Time = z.string().describe("ISO 8601 UTC with milliseconds.");
export const Minor = z.int().describe("Integer minor units (cents) of usd.");
export const Display = z.string().describe('For people to read, such as "$35.20".');
/** `sandbox`: our own pretend provider. `test`: the provider's test mode. Neither moves money. */
export type PaymentMode = "live" | "test" | "sandbox";

export const Mode = z
  .string()
  .describe('"live" charges; "sandbox" and "test" move no money and send nothing.');
export const EmailAddress = z.string().describe("Email address.");
export const Buyer = answer({ email: EmailAddress });

export const NextSteps = z
  .array(
    answer({
      action: z.string().describe("The tool, and the endpoint beside it."),
      why: z.string(),
    }),
  )
  .describe("Sensible next steps, the best first.")
  .meta({ id: "NextSteps" });
