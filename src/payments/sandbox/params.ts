import qs from "qs";
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
 * What the emulated endpoints accept. Closed at every level: Stripe answers "Received unknown
 * parameter" for a field it does not know, however deep, so the sandbox must not be more forgiving.
 * It knows less than Stripe does: a field that only Stripe knows is refused here as well.
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

const metadata = z
  .record(z.string().max(40), z.string().max(500))
  .refine((m) => Object.keys(m).length <= 50, "at most 50 keys");
/** Stricter than mail itself is: no dot at an end of the name, none twice, a domain of two parts. */
const email = z
  .string()
  .regex(/^[!-~]+@[!-~]+\.[!-~]+$/, EMAIL_INVALID)
  .refine((address) => !/^\.|\.\.|\.@/.test(address), EMAIL_INVALID)
  .max(800);
const expand = z.array(z.string()).max(20).optional();

const lineItem = z.strictObject({
  quantity: positive,
  price_data: z.strictObject({
    currency: usd,
    unit_amount: int.pipe(z.number().min(0).max(99_999_999)),
    product_data: z.strictObject({ name: text(250), metadata: metadata.optional() }),
  }),
});

export const sessionCreate = z.strictObject({
  mode: z.literal("payment"),
  ui_mode: z.literal("hosted_page"),
  submit_type: z.enum(["auto", "pay"]).optional(),
  client_reference_id: text(200).optional(),
  customer_email: email.optional(),
  line_items: z.array(lineItem).min(1).max(100),
  discounts: z
    .array(z.strictObject({ coupon: text(200) }))
    .max(1)
    .optional(),
  allowed_payment_method_types: z.array(z.enum(["card", "link", "us_bank_account"])).min(1),
  // Switched on, both could change the agreed total; the sandbox computes neither.
  adaptive_pricing: z.strictObject({ enabled: off }),
  automatic_tax: z.strictObject({ enabled: off }).optional(),
  custom_text: z
    .strictObject({ submit: z.strictObject({ message: text(1200) }).optional() })
    .optional(),
  metadata: metadata.default({}),
  payment_intent_data: z
    .strictObject({
      description: text(1000).optional(),
      metadata: metadata.optional(),
      receipt_email: email.optional(),
    })
    .optional(),
  expires_at: positive.optional(),
  success_url: url,
  cancel_url: url.optional(),
  expand,
});
export type SessionCreate = z.infer<typeof sessionCreate>;

const list = z.strictObject({
  limit: positive.pipe(z.number().max(100)).default(10),
  starting_after: z.string().optional(),
});

/** Refunds and disputes are listed for one payment only; Stripe lists those of the account too. */
export const listOfPayment = list.extend({ payment_intent: z.string() });

export const sessionList = list.extend({
  payment_intent: z.string().optional(),
  created: z.strictObject({ gte: int.optional() }).optional(),
  expand,
});

export const noParams = z.strictObject({});

export const couponUpdate = z.strictObject({ name: text(40).optional() });

export const expandOnly = z.strictObject({ expand });

export const couponCreate = z.strictObject({
  id: z.string().regex(/^[\w-]{1,200}$/),
  name: text(40).optional(),
  amount_off: positive,
  currency: usd,
  duration: z.enum(["once", "forever"]).default("once"),
});

export const refundCreate = z.strictObject({
  payment_intent: text(200),
  amount: positive.optional(),
  metadata: metadata.default({}),
});

/** qs' own limits would turn the 21st line into an object and drop the 1,001st field unsaid. */
const DECODING = { depth: 20, arrayLimit: 1000, parameterLimit: 10_000 };

export function decode(form: string): unknown {
  return qs.parse(form, DECODING);
}

/** `a[b][0]`, as Stripe writes where a parameter is. */
function bracketed(path: readonly PropertyKey[]): string {
  return path.map((part, i) => (i === 0 ? String(part) : `[${String(part)}]`)).join("");
}

export function parse<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  if (issue.code === "unrecognized_keys") {
    const param = bracketed([...issue.path, issue.keys[0]!]);
    throw new ApiError(400, `Received unknown parameter: ${param}`, "parameter_unknown", param);
  }
  const param = bracketed(issue.path);
  if (issue.message === EMAIL_INVALID) {
    throw new ApiError(400, `${EMAIL_INVALID}.`, "email_invalid", param);
  }
  if (valueAt(input, issue.path) === undefined) {
    throw new ApiError(400, `Missing required param: ${param}.`, "parameter_missing", param);
  }
  throw new ApiError(400, `Invalid ${param}: ${issue.message}`, "parameter_invalid", param);
}
