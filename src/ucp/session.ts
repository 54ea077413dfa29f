import type { CheckoutKind } from "../checkouts/checkout.ts";
import { playMoney } from "../core/answer.ts";
import type { Problem } from "../core/errors.ts";
import { CURRENCY } from "../core/money.ts";
import { iso } from "../core/policy.ts";
import type { Merchant } from "../merchant/merchant.ts";
import { ONE_CODE_ONLY } from "../quotes/cart-session.ts";
import type { CartSession } from "../quotes/cart-session-verbs.ts";
import { picture } from "./catalog.ts";
import { type Content, errorOf, info, type Message, warningOf } from "./envelope.ts";

/** A session as a UCP cart or checkout. */
export function sessionView(
  merchant: Merchant,
  kind: CheckoutKind,
  session: CartSession,
  { problems = [], warnings = [] }: { problems?: Problem[]; warnings?: Problem[] } = {},
): Content {
  const { status, cart, order } = session;
  // The agent has to correct the cart before its buyer can go on.
  const blocked = session.problems.length > 0;
  return {
    uses: [kind === "crt" ? "cart" : "checkout", "discount"],
    id: session.id,
    ...(kind === "chk" && { status: blocked ? "incomplete" : STATUSES[status] }),
    line_items: session.items.map((item, i) => line(item, i, merchant.baseUrl)),
    ...(cart.buyer_email !== undefined && { buyer: { email: cart.buyer_email } }),
    currency: CURRENCY.toUpperCase(),
    totals: totals(session.pricing),
    discounts: discounts(session, warnings),
    messages: [
      ...(problems.length > 0 ? problems : session.problems).map((problem) =>
        errorOf(problem, "recoverable"),
      ),
      ...warnings.map(warningOf),
      ...(kind === "chk" || status === "PROCESSING" ? session.messages : []).map(({ code, text }) =>
        info(code.toLowerCase(), text),
      ),
      ...unusedCode(session),
      ...(blocked ? [] : ownMessages(kind, session, merchant)),
    ],
    links: links(merchant),
    expires_at: iso(session.expiresAt),
    ...(status !== "PAID" && status !== "CANCELED" && { continue_url: session.url }),
    ...(kind === "chk" && order && { order: named(merchant, order) }),
  };
}

/** An order's id is the token of its session: knowing it is the permission to read it. */
export const named = (
  { baseUrl }: Merchant,
  { token, number }: { token: string; number: string | number },
) => ({ id: token, label: String(number), permalink_url: `${baseUrl}/checkout/${token}` });

const links = ({ baseUrl, privacyUrl, termsUrl }: Merchant) =>
  [
    { type: "privacy_policy", url: privacyUrl },
    { type: "terms_of_service", url: termsUrl },
    { type: "shipping_policy", url: `${baseUrl}/shipping` },
    { type: "refund_policy", url: `${baseUrl}/shipping` },
  ].filter(({ url }) => url !== undefined);

/** Never `ready_for_complete`: that would promise that Complete can pay. */
const STATUSES: Record<CartSession["status"], string> = {
  OPEN: "requires_escalation",
  PROCESSING: "complete_in_progress",
  PAID: "completed",
  CANCELED: "canceled",
};

const BUYER_PAYS =
  "The buyer enters the address, sees the exact total and pays at continue_url. No agent can.";

/** Messages about payment, where the checkout's status does not say it. */
function ownMessages(
  kind: CheckoutKind,
  { status, order }: CartSession,
  { mode }: Merchant,
): Message[] {
  if (kind === "chk") {
    if (status !== "OPEN") return [];
    const detail = [BUYER_PAYS, playMoney(mode) ?? []].flat().join(" ");
    return [errorOf({ pointer: "", code: "BUYER_PAYS", detail }, "requires_buyer_input")];
  }
  const paid = "The buyer has paid. The order is read by this cart's id.";
  return order ? [info("ordered", paid)] : [];
}

export function line(item: CartSession["items"][number], index: number, baseUrl: string) {
  const { product_id: id, name: title, quantity, unit_price_minor: price } = item;
  const amount = price * quantity;
  return {
    id: `li_${index + 1}`,
    item: { id, title, price, image_url: picture(baseUrl, id) },
    quantity,
    totals: [
      { type: "subtotal", amount },
      { type: "total", amount },
    ],
  };
}

/** Exact: one US address, and no tax line. */
export function totals({
  subtotal_minor,
  courtesy,
  shipping_minor,
  total_minor,
}: Pick<CartSession["pricing"], "subtotal_minor" | "courtesy" | "shipping_minor" | "total_minor">) {
  return [
    { type: "subtotal", display_text: "Coffee", amount: subtotal_minor },
    ...(courtesy
      ? [{ type: "discount", display_text: titleOf(courtesy), amount: -courtesy.amount_minor }]
      : []),
    { type: "fulfillment", display_text: "Shipping to one US address", amount: shipping_minor },
    { type: "total", display_text: "Total", amount: total_minor },
  ];
}

const titleOf = ({ kind }: { kind: string }): string =>
  kind === "SPEND" ? "Large-order discount" : "First-order discount";

/** Codes that were turned down are named in the answer to their request alone. */
function discounts({ cart, pricing: { courtesy } }: CartSession, warnings: readonly Problem[]) {
  const codes = [cart.discount_code, ...warnings.map(({ received }) => received)];
  const by = courtesy?.code === undefined ? { automatic: true } : { code: courtesy.code };
  return {
    codes: codes.filter((code) => code !== undefined),
    applied: courtesy ? [{ title: titleOf(courtesy), amount: courtesy.amount_minor, ...by }] : [],
  };
}

/** The code of this session does not count now: the offer has ended, or the spend courtesy replaces it. */
function unusedCode({ pricing: { discount_code: sent, courtesy } }: CartSession): Message[] {
  if (!sent || sent.applied) return [];
  const code = courtesy?.kind === "SPEND" ? ONE_CODE_ONLY : "DISCOUNT_CODE_INVALID";
  return [warningOf({ pointer: "/discounts/codes/0", code, detail: sent.reason ?? "" })];
}
