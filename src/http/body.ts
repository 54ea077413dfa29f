import { json, raw, urlencoded } from "express";
import { LIMITS } from "../domain/shared/policy.ts";
import { verifyJson } from "../operations/json-body.ts";

/**
 * How bodies are read: bounded, and never inflated, since a small body that grows is how a bound is
 * got round. What is compressed is 415 before a byte of it is read (contract §3).
 */
const inflate = false;

/** The types that are read as JSON. */
export const JSON_TYPES = ["application/json", "application/*+json"];

/** What a program sends. MCP reads its own with the same bound. */
export const jsonBody = json({
  limit: LIMITS.body_bytes,
  type: JSON_TYPES,
  inflate,
  verify: verifyJson,
});

/** What a page's form sends. */
export const form = urlencoded({
  extended: false,
  limit: LIMITS.form_bytes,
  parameterLimit: LIMITS.form_fields,
  inflate,
});

/** What the payment provider sends: as bytes, because they are signed. */
export const signedBody = raw({ type: () => true, limit: LIMITS.webhook_bytes, inflate });
