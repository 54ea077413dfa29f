import type { z } from "zod";
import { inputProblems } from "./input-problems.ts";
import { invalid } from "./invalid.ts";

/** What the merchant typed, held to its schema; agents' input is checked in `perform`. */
export function valid<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw invalid(inputProblems(parsed.error, { schema, input }));
}
