import { z } from "zod";

/** A refusal in Stripe's own words and shape. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly status: number;
  readonly body: string;

  constructor(
    status: number,
    message: string,
    code?: string,
    type = status >= 500 ? "api_error" : "invalid_request_error",
  ) {
    super(message);
    this.status = status;
    this.body = JSON.stringify({ error: { type, message, code } });
  }
}

export const missing = (what: string, id: string): ApiError =>
  new ApiError(404, `No such ${what}: '${id}'`, "resource_missing");

/**
 * Parameters that the sandbox acts on; it ignores others. Tests check every request of the shop against
 * Stripe's types and limits.
 */

const whole = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);
const id = z.string().max(200);
const url = z.url({ protocol: /^https?$/ });
const metadata = z.record(z.string(), z.string()).default({});
/** Like Stripe's check, stricter than mail: no dot at either end of the name, no two in a row. */
const email = z.string().regex(/^(?!\.)(?!.*\.[.@])[!-~]+@[!-~]+\.[!-~]+$/);
const CHARGE_WITH_REFUNDS = "payment_intent.latest_charge.refunds";
/** True if the call wants the payment written out, down to its refunds. */
const expandedBy = (path: string) =>
  z
    .tuple([z.literal(path)])
    .optional()
    .transform((paths) => paths !== undefined);

export const retrieve = z.object({ expand: expandedBy(CHARGE_WITH_REFUNDS) });

export const sessionCreate = retrieve.extend({
  client_reference_id: id,
  customer_email: email.optional(),
  line_items: z
    .array(
      z.object({
        quantity: whole,
        price_data: z.object({
          unit_amount: whole,
          product_data: z.object({ name: z.string() }),
        }),
      }),
    )
    .min(1)
    .max(100),
  discounts: z.tuple([z.object({ coupon: id })]).optional(),
  allowed_payment_method_types: z.array(z.string()).min(1),
  payment_method_options: z
    .record(z.string(), z.object({ capture_method: z.literal("manual") }))
    .optional(),
  custom_text: z.object({ submit: z.object({ message: z.string() }) }),
  metadata,
  expires_at: whole,
  success_url: url,
  cancel_url: url,
});
export type SessionCreate = z.infer<typeof sessionCreate>;

export const sessionList = z.object({
  expand: expandedBy(`data.${CHARGE_WITH_REFUNDS}`),
  limit: whole.pipe(z.number().min(1).max(100)),
  starting_after: id.optional(),
  payment_intent: id.optional(),
  created: z.object({ gte: whole }).optional(),
});

/** Refunds and disputes are listed for one payment only; Stripe lists those of the account too. */
export const listOfPayment = z.object({ payment_intent: id });

export const coupon = z.object({ id, amount_off: whole });

export const refundCreate = z.object({
  payment_intent: id,
  amount: whole.optional(),
  metadata,
});

/** Throws with the first mistake. */
export function parse<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const { path, message } = result.error.issues[0]!;
  const param = path.map((part, i) => (i === 0 ? String(part) : `[${String(part)}]`)).join("");
  const code = param === "customer_email" ? "email_invalid" : undefined;
  throw new ApiError(400, `Invalid ${param}: ${message}`, code);
}
