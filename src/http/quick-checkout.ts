import type { Express, Request, Response } from "express";
import { Address, US_REGIONS } from "../domain/address.ts";
import { Email } from "../domain/email.ts";
import { MerchantError } from "../domain/errors.ts";
import { iso } from "../domain/policy.ts";
import type { Cart, CartPricing, Query } from "../domain/quick-checkout.ts";
import type { Merchant } from "../merchant/merchant.ts";
import {
  type FieldProblem,
  type QuickCheckoutField,
  type QuickCheckoutView,
  quickCheckoutGonePage,
  quickCheckoutPage,
} from "../pages/index.ts";
import type { Api } from "./api.ts";
import { onlyMethods, sendLimits } from "./exchange.ts";
import { form, ownOrigin, sendPage } from "./pages.ts";
import { POLICY_VIEW } from "./review-model.ts";

/**
 * The path for clients that can only GET (SPEC §4, CONTRACT §10): the link opens a cart's page; the
 * page takes email and address, makes an ordinary quote, and goes down the same review-and-pay path.
 */
export function mountQuickCheckout(app: Express, { service, edge }: Api): void {
  const { merchant, limits } = service;
  app
    .route("/v1/quick-checkout")
    .get(async (req, res) => {
      const metered = await limits.take(["quick_checkout"], { address: req.ip ?? "unknown" });
      if (metered) sendLimits(res, metered);
      const query = req.query as Query;
      const opened = await merchant.quickCheckout.open(await merchant.quickCheckout.check(query));
      res.setHeader("Cache-Control", "no-store");
      res.setHeader("X-Robots-Tag", "noindex, nofollow");
      if (query.format === "json") res.json(opened);
      else res.redirect(303, opened.checkout_url);
    })
    .all(onlyMethods(["GET"]));

  app
    .route("/checkout/:token")
    .get(async (req, res) => {
      const found = await merchant.quickCheckout.find(String(req.params.token));
      if (typeof found === "string") return gone(res, merchant, found);
      const email = found.cart.buyer_email;
      sendPage(res, quickCheckoutPage(await view(merchant, req, found, email ? { email } : {})));
    })
    .post(ownOrigin(edge), form, async (req, res) => {
      const token = String(req.params.token);
      const found = await merchant.quickCheckout.find(token);
      if (typeof found === "string") return gone(res, merchant, found);
      await submit(merchant, req, res, token, found);
    })
    .all(onlyMethods(["GET", "POST"]));
}

interface Found {
  cart: Cart;
  expiresAt: number;
}

type Values = Partial<Record<QuickCheckoutField, string>>;

function gone(res: Response, merchant: Merchant, reason: "EXPIRED" | "BROKEN"): void {
  const { mode } = merchant.context.provider;
  sendPage(res, quickCheckoutGonePage({ mode, reason }), reason === "EXPIRED" ? 410 : 404);
}

async function submit(
  merchant: Merchant,
  req: Request,
  res: Response,
  token: string,
  found: Found,
): Promise<void> {
  const values = typed(req.body);
  const read = readForm(values);
  if ("problems" in read) {
    const page = await view(merchant, req, found, values, { problems: read.problems });
    sendPage(res, quickCheckoutPage(page), 422);
    return;
  }
  const { quickCheckout } = merchant;
  const asked = quickCheckout.priceFor(found.cart, found.cart.discount_code !== undefined);
  const firstOrder = await quickCheckout.firstOrderFor(found.cart, read.email);
  const real = quickCheckout.priceFor(
    found.cart,
    firstOrder && found.cart.discount_code !== undefined,
  );
  const agreed = String(req.body?.accept_total ?? "") === String(real.total_minor);
  if (real.total_minor > asked.total_minor && !agreed) {
    const confirmTotal = { oldTotalMinor: asked.total_minor, newTotalMinor: real.total_minor };
    const page = await view(merchant, req, found, values, { confirmTotal, pricing: real });
    sendPage(res, quickCheckoutPage(page), 409);
    return;
  }
  await toReview(merchant, req, res, { token, found, values }, { ...read, firstOrder });
}

async function toReview(
  merchant: Merchant,
  req: Request,
  res: Response,
  cart: { token: string; found: Found; values: Values },
  buyer: { email: string; address: Address; firstOrder: boolean },
): Promise<void> {
  try {
    const quote = await merchant.quickCheckout.quote(cart.token, cart.found.cart, buyer);
    res.setHeader("Cache-Control", "no-store");
    res.redirect(303, merchant.quotes.reviewUrl(quote.id));
  } catch (error) {
    if (!(error instanceof MerchantError)) throw error;
    const problems = [{ field: null, message: error.message }];
    const page = await view(merchant, req, cart.found, cart.values, { problems });
    sendPage(res, quickCheckoutPage(page), error.status);
  }
}

const FIELDS = ["email", "name", "line1", "line2", "city", "region", "postal_code"] as const;

/** What was typed, field by field; whatever else was posted is left alone. */
function typed(body: unknown): Values {
  const values = (body ?? {}) as Record<string, unknown>;
  return Object.fromEntries(
    FIELDS.flatMap((name) => {
      const value = values[name];
      return typeof value === "string" ? [[name, value.slice(0, 500)]] : [];
    }),
  );
}

function readForm(
  values: Values,
): { email: string; address: Address } | { problems: FieldProblem[] } {
  const problems: FieldProblem[] = [];
  const email = Email.safeParse(values.email ?? "");
  if (!email.success) {
    problems.push({ field: "email", message: email.error.issues[0]!.message });
  }
  const { email: _, line2, ...rest } = values;
  const required = Object.fromEntries(FIELDS.slice(1).map((name) => [name, ""]));
  const { line2: __, ...empty } = required;
  const address = Address.safeParse({
    ...empty,
    ...rest,
    region: (rest.region ?? "").trim().toUpperCase(),
    postal_code: (rest.postal_code ?? "").trim(),
    ...(line2?.trim() && { line2 }),
    country: "US",
  });
  if (!address.success) {
    const seen = new Set<string>();
    for (const issue of address.error.issues) {
      const field = String(issue.path[0]) as QuickCheckoutField;
      if (!seen.has(field)) problems.push({ field, message: issue.message });
      seen.add(field);
    }
  }
  if (!email.success || !address.success) return { problems };
  return { email: email.data, address: address.data };
}

const REGIONS = Object.entries(US_REGIONS).map(([code, name]) => ({ code, name }));

async function view(
  merchant: Merchant,
  req: Request,
  { cart, expiresAt }: Found,
  values: Values,
  more: {
    problems?: FieldProblem[];
    confirmTotal?: QuickCheckoutView["confirmTotal"];
    pricing?: CartPricing;
  } = {},
): Promise<QuickCheckoutView> {
  const { quickCheckout, context } = merchant;
  const pricing = more.pricing ?? quickCheckout.priceFor(cart, cart.discount_code !== undefined);
  return {
    mode: context.provider.mode,
    policy: POLICY_VIEW,
    supportEmail: context.supportEmail,
    url: req.path,
    expiresAt: iso(expiresAt),
    lines: cart.items.map(({ product_id, quantity }) => {
      const { name, price_minor: unitMinor } = context.catalog.find(product_id)!;
      return { name, quantity, unitMinor, lineMinor: unitMinor * quantity };
    }),
    pricing: {
      subtotalMinor: pricing.subtotal_minor,
      courtesy: pricing.courtesy && {
        kind: pricing.courtesy.kind,
        code: pricing.courtesy.code,
        amountMinor: pricing.courtesy.amount_minor,
      },
      shippingMinor: pricing.shipping_minor,
      totalMinor: pricing.total_minor,
    },
    ...(cart.gift_note !== undefined && { giftNote: cart.gift_note }),
    regions: REGIONS,
    values,
    problems: more.problems ?? [],
    ...(more.confirmTotal && { confirmTotal: more.confirmTotal }),
  };
}
