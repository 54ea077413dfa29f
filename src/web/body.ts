import { type RequestHandler, raw, urlencoded } from "express";
import { MerchantError } from "../core/errors.ts";
import { decimal } from "../core/fields.ts";
import { LIMITS } from "../core/policy.ts";
import type { Query } from "../quotes/quick-checkout-query.ts";
import { readJsonBody } from "./http-request.ts";

/** A compressed body could expand past the limit, so it is refused with 415 (contract §3). */
const inflate = false;

/** Reads JSON; refuses a body of another type, which the handler would not see. */
export const jsonBody: RequestHandler = async (req, _res, next) => {
  const empty = !req.headers["transfer-encoding"] && (req.headers["content-length"] ?? "0") === "0";
  if (req.is(["application/json", "application/*+json"])) req.body = await readJsonBody(req);
  else if (!empty) {
    throw new MerchantError("UNSUPPORTED_MEDIA_TYPE", "Send Content-Type: application/json.");
  }
  next();
};

export const form = urlencoded({
  extended: false,
  limit: LIMITS.form_bytes,
  parameterLimit: LIMITS.form_fields,
  inflate,
});

/** Reads a webhook as bytes, because they are signed. */
export const signedBody = raw({ type: () => true, limit: LIMITS.webhook_bytes, inflate });

/** Value of a field in a form or query; "" if it is missing or repeated. */
export function fieldIn(sent: unknown, name: string): string {
  const fields = (sent ?? {}) as Record<string, unknown>;
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return typeof value === "string" ? value : "";
}

/** Values of a field that may be repeated, such as ticked boxes. */
export function fieldValues(body: unknown, name: string): string[] {
  const value = ((body ?? {}) as Record<string, unknown>)[name];
  const values = Array.isArray(value) ? value : [value];
  return values.filter((one): one is string => typeof one === "string" && one !== "");
}

/** A whole number, or NaN, which every verb refuses. */
export const whole = (text: string): number => decimal(text) ?? Number.NaN;

/** The fields of a query. A repeated field counts as missing. */
export const onceEach = (query: Query): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value]] : [],
    ),
  );
