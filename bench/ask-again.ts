import autocannon, { type Result } from "autocannon";
import type { Target } from "./messages.ts";
import { REQUEST } from "./variants.ts";

/** The same request again and again: for a quote, where the target names no other. */
export function askAgain(
  { url, headers, send }: Target,
  until: { connections: number; duration: number } | { connections: number; amount: number },
): Promise<Result> {
  const { method, body } = send ?? { method: "POST", body: JSON.stringify(REQUEST) };
  return autocannon({
    url,
    method,
    headers: { "content-type": "application/json", "idempotency-key": "[<id>]", ...headers },
    ...(body !== undefined && { body }),
    ...until,
    idReplacement: true,
  });
}
