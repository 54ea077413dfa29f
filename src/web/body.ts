import { type RequestHandler, raw, urlencoded } from "express";
import { MerchantError } from "../core/errors.ts";
import { decimal } from "../core/fields.ts";
import { LIMITS } from "../core/policy.ts";
import type { Query } from "../quotes/quick-checkout-query.ts";
import { readJsonBody } from "./http-request.ts";

/**
 * How bodies are read: bounded, and never inflated, since a small body that grows is how a bound is
 * got round. What is compressed is 415 before a byte of it is read (contract §3).
 */
const inflate = false;

/** What a program sends. A body of another type would reach the handler as nothing at all. */
export const jsonBody: RequestHandler = async (req, _res, next) => {
  const empty = !req.headers["transfer-encoding"] && (req.headers["content-length"] ?? "0") === "0";
  if (req.is(["application/json", "application/*+json"])) req.body = await readJsonBody(req);
  else if (!empty) {
    throw new MerchantError("UNSUPPORTED_MEDIA_TYPE", "Send Content-Type: application/json.");
  }
  next();
};

/** What a page's form sends. */
export const form = urlencoded({
  extended: false,
  limit: LIMITS.form_bytes,
  parameterLimit: LIMITS.form_fields,
  inflate,
});

/** What the payment provider sends: as bytes, because they are signed. */
export const signedBody = raw({ type: () => true, limit: LIMITS.webhook_bytes, inflate });

/** What a form or an address says of a field; one that is missing or came twice is empty. */
export function fieldIn(sent: unknown, name: string): string {
  const fields = (sent ?? {}) as Record<string, unknown>;
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return typeof value === "string" ? value : "";
}

/** What a form carried of a field that may come several times, such as the boxes of a list. */
export function fieldValues(body: unknown, name: string): string[] {
  const value = ((body ?? {}) as Record<string, unknown>)[name];
  const values = Array.isArray(value) ? value : [value];
  return values.filter((one): one is string => typeof one === "string" && one !== "");
}

/** A whole number out of a field; NaN, which every verb refuses, for anything else. */
export const whole = (text: string): number => decimal(text) ?? Number.NaN;

/** What a form in an address says, field by field. A field sent twice counts as missing. */
export const onceEach = (query: Query): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value]] : [],
    ),
  );
