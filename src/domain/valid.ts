import type { z } from "zod";
import { MerchantError, type Problem } from "./errors.ts";

/** What the merchant typed, held to its schema; agents' input is checked at their own door. */
export function valid<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    (issue): Problem => ({
      pointer: issue.path.map((part) => `/${String(part)}`).join(""),
      code: "INVALID",
      detail: issue.message,
    }),
  );
  throw new MerchantError("VALIDATION_FAILED", problems.map(({ detail }) => detail).join(" "), {
    problems,
  });
}
