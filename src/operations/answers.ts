import { z } from "zod";
import { Address } from "../domain/shared/address.ts";

/**
 * What answers look like, once for every tool and route. All are open: a later version may add a
 * field or a status, and readers must tolerate it (contract §0).
 */
export const Time = z.string().describe("ISO 8601 UTC with milliseconds.");
export const Minor = z.int().describe("Integer minor units (cents) of usd.");
export const Display = z.string().describe('For people to read, such as "$35.20".');
export const Email = z.string().describe("Email address.");

/** An object of an answer: the type knows the fields of today, the schema tolerates more. */
export const answer = <S extends z.ZodRawShape>(shape: S): z.ZodObject<S> =>
  z.looseObject(shape) as unknown as z.ZodObject<S>;

/** A status or code: the type knows the values of today, the schema tolerates more. */
export const open = <const V extends string>(values: readonly V[], what: string) =>
  z
    .string()
    .describe(
      `${what} One of ${values.join(", ")}; tolerate new values.`,
    ) as unknown as z.ZodType<V>;

export const NextSteps = z
  .array(
    answer({
      action: z.string().describe("The tool, and the endpoint beside it."),
      why: z.string(),
    }),
  )
  .describe("Sensible next steps, the best first.");

const Courtesy = answer({
  kind: open(["FIRST_ORDER", "SPEND"], "Which courtesy."),
  code: z.string().optional(),
  amount_minor: Minor,
  allocations: z
    .array(answer({ shipment: z.int(), line: z.int(), amount_minor: Minor }))
    .describe("Which line of which shipment bears how much; sums to amount_minor."),
})
  .nullable()
  .describe("The one courtesy of the order, or null.");

export const Pricing = answer({
  currency: z.string(),
  subtotal_minor: Minor,
  courtesy: Courtesy,
  shipping_minor: Minor,
  total_minor: Minor,
  total_display: Display,
}).meta({ id: "Pricing" });

export const Item = answer({
  product_id: z.string(),
  name: z.string(),
  quantity: z.int(),
  unit_price_minor: Minor,
  line_total_minor: Minor,
  courtesy_minor: Minor,
});

export const OutAddress = answer(Address.shape).partial({ line2: true }).meta({ id: "Address" });

const Terms = answer({
  contract_version: z.string(),
  policy_version: z.string(),
  buyer: answer({ email: Email }),
  currency: z.string(),
  shipments: z.array(
    answer({
      recipient_ref: z.string(),
      address: OutAddress,
      items: z.array(Item),
      gift_notes: z.array(z.string()),
      subtotal_minor: Minor,
      shipping_minor: Minor,
      courtesy_minor: Minor,
      total_minor: Minor,
    }),
  ),
  pricing: Pricing,
  discount_code: answer({
    code: z.string(),
    applied: z.boolean(),
    reason: z.string().optional(),
  }).nullable(),
  preferences: answer({ substitutions: z.string() }),
  expires_at: Time,
  nonce: z.string(),
})
  .describe("What the buyer approves; quote_hash is taken over its RFC 8785 JSON.")
  .meta({ id: "QuoteTerms" });

export const Quote = answer({
  id: z.string(),
  status: open(
    ["OPEN", "CHECKOUT_READY", "PROCESSING", "PAID", "EXPIRED", "INVALIDATED", "WAITLIST_OFFERED"],
    "Where the quote stands.",
  ),
  quote_hash: z.string().describe('"sha256:" and 64 hex digits.'),
  terms: Terms,
  currency: z.string(),
  total_minor: Minor,
  total_display: Display,
  created_at: Time,
  expires_at: Time,
  checkout: answer({ review_url: z.string() }).optional(),
  order_id: z.string().optional(),
  waitlist: answer({
    short: z.array(answer({ product_id: z.string(), requested: z.int(), available: z.int() })),
  }).optional(),
  messages: z.array(answer({ code: z.string(), text: z.string() })),
  next: NextSteps,
}).meta({ id: "Quote" });

export const Checkout = answer({
  quote_id: z.string(),
  quote_hash: z.string(),
  review_url: z.string().describe("Give it to the buyer as plain text on its own line."),
  expires_at: Time,
  currency: z.string(),
  total_minor: Minor,
  total_display: Display,
  message_for_buyer: z.string(),
  next: NextSteps,
}).meta({ id: "Checkout" });

export const CatalogAnswer = answer({
  contract_version: z.string(),
  currency: z.string(),
  products: z.array(
    answer({
      product_id: z.string(),
      name: z.string(),
      name_to_use_with_humans: z.string(),
      price_minor: Minor,
      price_display: Display,
      currency: z.string(),
      roast_level: z.string(),
      summary: z.string(),
      choose_if: z.string(),
      image_url: z.string(),
      decaf: z.boolean(),
      availability: open(["STOCKED", "WAITLIST", "EXCLUSIVE"], "How it is sold."),
      locked: z.boolean().describe("Needs a finder key to be quoted."),
    }).meta({ id: "Product" }),
  ),
  next: NextSteps.optional(),
}).meta({ id: "Catalog" });

export const Registration = answer({
  agent_id: z.string(),
  api_key: z.string().describe("Shown only this once."),
  api_key_prefix: z.string(),
  name: z.string(),
  contact_email: Email,
  created_at: Time,
  rate_limits: z.record(z.string(), z.string()),
  links: z.record(z.string(), z.string()),
  warning: z.string(),
  next: NextSteps,
}).meta({ id: "Registration" });

export const QuickCheckoutLink = answer({
  url: z.string().describe("The complete link; give it whole, on its own line."),
  items: z.array(
    answer({
      product_id: z.string(),
      name: z.string(),
      quantity: z.int(),
      unit_price_minor: Minor,
    }),
  ),
  pricing: answer({
    currency: z.string(),
    subtotal_minor: Minor,
    courtesy: answer({ kind: z.string(), amount_minor: Minor }).nullable(),
    shipping_minor: Minor,
    total_minor: Minor,
    total_display: Display,
  }),
  message_for_buyer: z.string(),
}).meta({ id: "QuickCheckoutLink" });
