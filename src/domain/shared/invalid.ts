import { ERRORS, type ErrorCode, MerchantError, type Problem } from "./errors.ts";
import { step } from "./next-step.ts";

/** All problems at once, under their common code where they have one (contract §11). */
export function invalid({ problems, more = 0 }: { problems: Problem[]; more?: number }) {
  const code = topCode(problems);
  const bulk = step("send_bulk_lead", "For more than the limits allow, tell the shop owner.");
  return new MerchantError(
    code,
    problems.length + more === 1
      ? problems[0]!.detail
      : `${problems.length + more} things are wrong; nothing was done. See errors.`,
    { problems, moreProblems: more, next: code === "LIMIT_EXCEEDED" ? [bulk] : [] },
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
