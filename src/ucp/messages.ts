import type { Problem } from "../core/errors.ts";
import { namedText } from "../core/next-step.ts";
import { CAPABILITIES, RELEASE } from "./profile.ts";

type Severity = "recoverable" | "requires_buyer_input" | "unrecoverable";

export type Message =
  | { type: "error"; code: string; content: string; severity: Severity; path?: string }
  | { type: "warning"; code: string; content: string; path?: string }
  | { type: "info"; code: string; content: string };

export const info = (code: string, content: string): Message => ({ type: "info", code, content });

/** Our codes as UCP names them; whatever is not here is `invalid`. */
const CODES: Record<string, string> = {
  OUT_OF_STOCK: "out_of_stock",
  UNKNOWN_PRODUCT: "item_unavailable",
  GEISHA_LOCKED: "item_unavailable",
  LIMIT_EXCEEDED: "quantity_exceeded",
  NOT_FOUND: "not_found",
  DISCOUNT_CODE_INVALID: "discount_code_invalid",
  ONE_CODE_ONLY: "discount_code_combination_disallowed",
  ALREADY_PAID: "already_completed",
  ALREADY_CANCELED: "already_canceled",
};

const told = ({ pointer, code, detail }: Pick<Problem, "pointer" | "code" | "detail">) => ({
  code: CODES[code] ?? "invalid",
  content: namedText(detail, "tools"),
  ...(pointer !== "" && { path: jsonPath(pointer) }),
});

/** `/line_items/0/quantity` → `$.line_items[0].quantity` */
export const jsonPath = (pointer: string): string =>
  `$${pointer.replace(/\/(\d+)(?=\/|$)/g, "[$1]").replaceAll("/", ".")}`;

export const errorOf = (problem: Problem, severity: Severity): Message => ({
  type: "error",
  severity,
  ...told(problem),
});

export const warningOf = (problem: Problem): Message => ({ type: "warning", ...told(problem) });

type Capability = (typeof CAPABILITIES)[keyof typeof CAPABILITIES];

const EXTENDED: readonly Capability[] = [CAPABILITIES.cart, CAPABILITIES.checkout];

/** A resource with what every UCP response carries. */
export function succeeded<R extends object>(capability: Capability, resource: R) {
  const used = EXTENDED.includes(capability) ? [capability, CAPABILITIES.discount] : [capability];
  return {
    ucp: {
      version: RELEASE,
      status: "success",
      capabilities: Object.fromEntries(used.map((name) => [name, [{ version: RELEASE }]])),
      payment_handlers: {},
    },
    ...resource,
  };
}

/** No resource: every problem at once, and the shop's front page to go on from. */
export const failed = (baseUrl: string, problems: readonly Problem[]) => ({
  ucp: { version: RELEASE, status: "error", payment_handlers: {} },
  messages: problems.map((problem) => errorOf(problem, "unrecoverable")),
  continue_url: `${baseUrl}/`,
});
