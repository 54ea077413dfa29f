import { z } from "zod";
import { valueAt } from "../../core/input-problems.ts";

/** A refusal in Stripe's own words and shape. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly status: number;
  readonly code: string | undefined;
  readonly param: string | undefined;
  readonly type: string;

  constructor(
    status: number,
    message: string,
    code?: string,
    param?: string,
    type = status >= 500 ? "api_error" : "invalid_request_error",
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = param;
    this.type = type;
  }

  body(): string {
    const { type, message, code, param } = this;
    return JSON.stringify({ error: { type, message, code, param } });
  }
}

export function missing(what: string, id: string, param: string): ApiError {
  return new ApiError(404, `No such ${what}: '${id}'`, "resource_missing", param);
}

/**
 * Parameters of the emulated endpoints: only those that the shop sends. Closed at every level, because
 * Stripe refuses unknown parameters too.
 */

const EMAIL_INVALID = "Invalid email address";

const int = z
  .string()
  .regex(/^-?\d{1,15}$/, "Invalid integer")
  .transform(Number);
const positive = int.pipe(z.number().min(1));
const off = z.enum(["false"]).transform(() => false as const);
const text = (max: number) => z.string().min(1).max(max);
const url = z.url({ protocol: /^https?$/ }).max(5000);
const usd = z.literal("usd");
const metadata = z.record(z.string().max(40), z.string().max(500));
/** Stricter than mail: no dot at either end of the name, no two in a row, a domain of two parts. */
const email = z
  .string()
  .regex(/^(?!\.)(?!.*\.[.@])[!-~]+@[!-~]+\.[!-~]+$/, EMAIL_INVALID)
  .max(800);
const CHARGE_WITH_REFUNDS = "payment_intent.latest_charge.refunds";
const expandable = (path: string) =>
  z.strictObject({ expand: z.tuple([z.literal(path)]).optional() });

export const expandOnly = expandable(CHARGE_WITH_REFUNDS);

const lineItem = z.strictObject({
  quantity: positive,
  price_data: z.strictObject({
    currency: usd,
    unit_amount: int.pipe(z.number().min(0).max(99_999_999)),
    product_data: z.strictObject({ name: text(250) }),
  }),
});

export const sessionCreate = expandOnly.extend({
  mode: z.literal("payment"),
  ui_mode: z.literal("hosted_page"),
  submit_type: z.literal("pay"),
  client_reference_id: text(200).optional(),
  customer_email: email.optional(),
  line_items: z.array(lineItem).min(1).max(100),
  discounts: z.tuple([z.strictObject({ coupon: text(200) })]).optional(),
  allowed_payment_method_types: z.array(z.enum(["card", "link", "us_bank_account"])).min(1),
  // Switched on, both could change the agreed total; the sandbox computes neither.
  adaptive_pricing: z.strictObject({ enabled: off }),
  automatic_tax: z.strictObject({ enabled: off }),
  custom_text: z.strictObject({ submit: z.strictObject({ message: text(1200) }) }).optional(),
  metadata: metadata.default({}),
  payment_intent_data: z.strictObject({
    description: text(1000),
    metadata,
    receipt_email: email.optional(),
  }),
  expires_at: positive,
  success_url: url,
  cancel_url: url,
});
export type SessionCreate = z.infer<typeof sessionCreate>;

export const sessionList = expandable(`data.${CHARGE_WITH_REFUNDS}`).extend({
  limit: positive.pipe(z.number().max(100)).default(10),
  starting_after: z.string().optional(),
  payment_intent: z.string().optional(),
  created: z.strictObject({ gte: int }).optional(),
});

/** Refunds and disputes are listed for one payment only; Stripe lists those of the account too. */
export const listOfPayment = z.strictObject({
  limit: positive.pipe(z.number().max(100)).optional(),
  payment_intent: z.string(),
});

export const couponCreate = z.strictObject({
  id: z.string().regex(/^[\w-]{1,200}$/),
  name: text(40),
  amount_off: positive,
  currency: usd,
  duration: z.literal("once"),
});

export const refundCreate = z.strictObject({
  payment_intent: text(200),
  amount: positive.optional(),
  metadata: metadata.default({}),
});

/** Throws with the first mistake, in Stripe's words; `a[b][0]` names the parameter. */
export function parse<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const key = issue.code === "unrecognized_keys" ? issue.keys[0]! : null;
  const [first, ...rest] = key === null ? issue.path : [...issue.path, key];
  const param = [String(first), ...rest.map((part) => `[${String(part)}]`)].join("");
  if (key !== null) {
    throw new ApiError(400, `Received unknown parameter: ${param}`, "parameter_unknown", param);
  }
  if (issue.message === EMAIL_INVALID) {
    throw new ApiError(400, `${EMAIL_INVALID}.`, "email_invalid", param);
  }
  if (valueAt(input, issue.path) === undefined) {
    throw new ApiError(400, `Missing required param: ${param}.`, "parameter_missing", param);
  }
  throw new ApiError(400, `Invalid ${param}: ${issue.message}`, "parameter_invalid", param);
}
