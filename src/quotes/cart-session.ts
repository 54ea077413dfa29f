import type { Catalog } from "../catalog/catalog.ts";
import { type Cart, shortInCart } from "../checkouts/cart.ts";
import { type Bags, bagCount, mergeBags } from "../core/bags.ts";
import { Email } from "../core/email.ts";
import type { Problem } from "../core/errors.ts";
import { printable } from "../core/input-problems.ts";
import { DAY_MS, LIMITS } from "../core/policy.ts";
import { parseInput } from "../core/read-input.ts";
import type { CheckoutRow, StockRow } from "../core/records.ts";
import { isTooMany, MOST_OF_ONE, quantityProblem } from "./quick-checkout-query.ts";
import { beanProblems, codeProblems, lockedProblems, normalCode } from "./quote-request.ts";
import { OFFER_ENDED } from "./quote-rules.ts";

/** Longest time that a bank debit usually takes to settle. */
const SETTLING_MS = 14 * DAY_MS;

/** Expiry of a checkout whose payment settles since `since`: UCP clients stop reading it then. */
export const settlingUntil = (row: CheckoutRow, since: number, now: number): number =>
  Math.max(row.expires_at, since + SETTLING_MS, now + DAY_MS);

interface AskedLine extends Bags {
  /** The unit that the client counts in; undefined for bags. */
  unit?: string | undefined;
}

/** A client's cart. */
export interface AskedSession {
  lines: readonly AskedLine[];
  email: string | undefined;
  codes: readonly string[];
}

/** All problems of the lines and the email, or the cart with warnings about its codes. */
type SessionReading = { cart: Cart; warnings: Problem[] } | { problems: Problem[] };

/** Pointers lead into the client's resource: `/line_items/0/quantity`. */
export function readSession(
  { lines, email, codes }: AskedSession,
  { catalog, stock, offerRuns }: { catalog: Catalog; stock: StockRow[]; offerRuns: boolean },
): SessionReading {
  const items = mergeBags(lines.map(({ product_id, quantity }) => ({ product_id, quantity })));
  const buyer = parseInput(Email.optional(), email);
  const problems = lineProblems(lines, catalog);
  for (const { message } of buyer.success ? [] : buyer.issues) {
    problems.push({ pointer: "/buyer/email", code: "INVALID", detail: message });
  }
  if (problems.length === 0) {
    for (const { product, text } of shortInCart({ items }, catalog, stock)) {
      const line = lines.findIndex(({ product_id }) => product_id === product.product_id);
      problems.push({
        pointer: `/line_items/${line}/quantity`,
        code: "OUT_OF_STOCK",
        detail: text,
      });
    }
  }
  if (problems.length > 0) return { problems: problems.slice(0, LIMITS.problems) };
  const { code, warnings } = readCodes(codes, offerRuns);
  const buyer_email = buyer.success ? buyer.data : undefined;
  return { cart: { items, discount_code: code, buyer_email }, warnings };
}

function lineProblems(lines: readonly AskedLine[], catalog: Catalog): Problem[] {
  const beans = lines.map(({ product_id: id }, i) => ({
    pointer: `/line_items/${i}/item/id`,
    id,
  }));
  const quantities = lines.flatMap(({ quantity }, i) => {
    const problem = quantityProblem(String(quantity));
    return problem ? [{ pointer: `/line_items/${i}/quantity`, ...problem }] : [];
  });
  const units = lines.flatMap(({ unit }, i) =>
    unit === undefined
      ? []
      : [{ pointer: `/line_items/${i}/item/quantity_unit`, code: "QUANTITY_UNIT", detail: BY_BAG }],
  );
  const { lines_per_shipment: mostLines, bags_per_order: mostBags } = LIMITS;
  const limits = [
    quantities.length === 0 && mergeBags(lines).some(isTooMany) && MOST_OF_ONE,
    lines.length > mostLines && `At most ${mostLines} lines in one cart.`,
    bagCount(lines) > mostBags && `At most ${mostBags} bags in one order.`,
  ].flatMap((detail) =>
    detail ? [{ pointer: "/line_items", code: "LIMIT_EXCEEDED", detail }] : [],
  );
  const wrong = [...beanProblems(beans, catalog), ...lockedProblems(beans, catalog)];
  return [...wrong, ...quantities, ...units, ...limits];
}

const BY_BAG = "Coffee is sold by the bag: send unit C62 with scale 0, or leave quantity_unit out.";

/** Uses the first usable code. Each other one is dropped with a warning. */
function readCodes(codes: readonly string[], offerRuns: boolean) {
  const given = codes.map((sent) => ({
    sent,
    code: normalCode(sent),
    problem: problemOf(sent, offerRuns),
  }));
  const at = given.findIndex(({ code, problem }) => code !== null && problem === undefined);
  const warnings = given.flatMap(({ sent, code, problem }, i): Problem[] => {
    if (i === at || code === null) return [];
    const isFurther = at !== -1 && i > at;
    const reason = isFurther ? "One discount code per order." : (problem ?? "");
    const received = printable(sent).slice(0, LIMITS.code_characters);
    return [
      {
        pointer: `/discounts/codes/${i}`,
        code: isFurther ? ONE_CODE_ONLY : "DISCOUNT_CODE_INVALID",
        detail: `"${received}" is not applied. ${reason}`,
        received,
      },
    ];
  });
  return { code: given[at]?.code ?? undefined, warnings };
}

const problemOf = (code: string, offerRuns: boolean): string | undefined =>
  codeProblems(code)[0]?.detail ?? (offerRuns ? undefined : OFFER_ENDED);

/** Warning for further codes, and for one that the spend courtesy replaces. */
export const ONE_CODE_ONLY = "ONE_CODE_ONLY";
