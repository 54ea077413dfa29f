import { ERRORS, type ErrorCode, MerchantError, type Problem } from "./errors.ts";
import { step, type ToolName } from "./next-step.ts";

export interface Invalid {
  problems: Problem[];
  /** How many there are besides. */
  more?: number;
  /** The tool that was called, to be called again. */
  again?: ToolName;
}

/** As many pointers as a sentence holds. */
const MOST_NAMED = 5;

/** Where they are, in words. */
export function named(problems: readonly Problem[]): string {
  const pointers = [...new Set(problems.map(({ pointer }) => pointer || "the whole"))];
  const rest = pointers.length - MOST_NAMED;
  return `${pointers.slice(0, MOST_NAMED).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

/** All problems at once, under their common code where they have one (contract §11). */
export function invalid({ problems, more = 0, again }: Invalid): MerchantError {
  const code = topCode(problems);
  const bulk = step("send_bulk_lead", "For more than the limits allow, tell the merchant.");
  // An agent that asks for single bags must not be led to the whole of a shipment.
  const bags = step("send_feedback", "To cancel single bags of a shipment, tell the merchant.");
  const isOfBags = problems.some(
    ({ code, did_you_mean }) => code === "UNKNOWN_SHIPMENT" || did_you_mean === "/shipment_ids",
  );
  return new MerchantError(
    code,
    problems.length + more === 1
      ? problems[0]!.detail
      : `${problems.length + more} things are wrong; nothing was done. See errors.`,
    {
      problems,
      moreProblems: more,
      next: [
        ...(code === "LIMIT_EXCEEDED" ? [bulk] : []),
        ...(isOfBags ? [bags] : []),
        ...(again ? [step(again, `Send it again with ${named(problems)} corrected.`)] : []),
      ],
    },
  );
}

/** The problems' common code where there is one and it is a code of ours, else VALIDATION_FAILED. */
function topCode(problems: readonly Problem[]): ErrorCode {
  const codes = new Set(problems.map((problem) => problem.code));
  const [only] = codes;
  return codes.size === 1 && only !== undefined && Object.hasOwn(ERRORS, only)
    ? (only as ErrorCode)
    : "VALIDATION_FAILED";
}
