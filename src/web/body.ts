import { type Request, type RequestHandler, type Response, raw, urlencoded } from "express";
import { MerchantError } from "../core/errors.ts";
import { type BoundedText, decimal } from "../core/fields.ts";
import { LIMITS } from "../core/policy.ts";
import type { Query } from "../quotes/quick-checkout-query.ts";
import { isJson, readJsonBody } from "./http-request.ts";

/** A compressed body could expand past the limit, so it is refused with 415 (contract §3). */
const inflate = false;

/** Reads JSON; refuses a body of another type, which the handler would not see. */
export const jsonBody: RequestHandler = async (req, _res, next) => {
  const empty = !req.headers["transfer-encoding"] && (req.headers["content-length"] ?? "0") === "0";
  if (isJson(req) || req.is("application/*+json")) req.body = await readJsonBody(req);
  else if (!empty) {
    throw new MerchantError("UNSUPPORTED_MEDIA_TYPE", "Send Content-Type: application/json.");
  }
  next();
};

const formOf = (limit: number, parameterLimit: number): RequestHandler =>
  urlencoded({ extended: false, limit, parameterLimit, inflate });

export const form = formOf(LIMITS.form_bytes, LIMITS.form_fields);

/** Reads the sign-in, with the form that it may carry. */
export const signInForm = formOf(2 * LIMITS.form_bytes, 2 * LIMITS.desk_form_fields);

/** Reads a small form that was sent without a session, so that typed text survives. Files stay unread. */
export async function readKeptForm(req: Request, res: Response): Promise<void> {
  const bytes = Number(req.headers["content-length"] ?? Number.POSITIVE_INFINITY);
  if (bytes > LIMITS.form_bytes || !req.is("urlencoded")) return;
  await new Promise<void>((resolve, reject) => {
    keptForm(req, res, (error?: unknown) => (error ? reject(error) : resolve()));
  });
}

const keptForm = formOf(LIMITS.form_bytes, LIMITS.desk_form_fields);

/** Reads larger forms, and forms with a file: its text is the value of its field. */
export const deskForm: readonly RequestHandler[] = [
  formOf(LIMITS.desk_form_bytes, LIMITS.desk_form_fields),
  raw({ type: "multipart/form-data", limit: LIMITS.desk_form_bytes, inflate }),
  async (req, _res, next) => {
    if (Buffer.isBuffer(req.body)) req.body = await fieldsOf(req);
    next();
  },
];

async function fieldsOf({ body, headers }: Request): Promise<Record<string, string>> {
  const type = { "content-type": headers["content-type"] ?? "" };
  try {
    const sent = await new globalThis.Response(body, { headers: type }).formData();
    const fields = [...sent].slice(0, LIMITS.desk_form_fields);
    return Object.fromEntries(
      await Promise.all(
        fields.map(async ([name, value]) => [
          name,
          typeof value === "string" ? value : await value.text(),
        ]),
      ),
    );
  } catch {
    throw new MerchantError("VALIDATION_FAILED", "The file can't be read. Choose it again.");
  }
}

/** Webhooks whose bodies are read at once: 8 MiB. The provider's arrive whole, in milliseconds. */
const MOST_WEBHOOKS_READ = 16;

/**
 * Reads a webhook as bytes, because they are signed; one without a signature stays unread. Beyond the limit
 * the one that takes longest is cut off, so that slow senders cannot keep out the provider.
 */
export function signedBody(): RequestHandler {
  const read = raw({ type: () => true, limit: LIMITS.webhook_bytes, inflate });
  const open = new Set<Request>();
  return (req, res, next) => {
    if (req.headers["stripe-signature"] === undefined) return next();
    const [oldest] = open;
    if (oldest && open.size >= MOST_WEBHOOKS_READ) {
      open.delete(oldest);
      oldest.destroy();
    }
    open.add(req);
    read(req, res, (error?: unknown) => {
      open.delete(req);
      next(error);
    });
  };
}

/**
 * Text of a form or query, cut off behind the limit of every field: a longer one is still refused as too long.
 * Only these functions read a form.
 */
const bounded = (value: string, most: number): BoundedText => value.slice(0, most) as BoundedText;

/** Value of a field in a form or query; "" if it is missing or repeated. */
export function fieldIn(
  sent: unknown,
  name: string,
  most: number = LIMITS.form_bytes,
): BoundedText {
  const fields = (sent ?? {}) as Record<string, unknown>;
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return bounded(typeof value === "string" ? value : "", most);
}

/** Values of a field that may be repeated, such as ticked boxes. */
export function fieldValues(
  body: unknown,
  name: string,
  most: number = LIMITS.form_bytes,
): string[] {
  const value = ((body ?? {}) as Record<string, unknown>)[name];
  const values = Array.isArray(value) ? value : [value];
  return values.flatMap((one) => (typeof one === "string" && one ? [bounded(one, most)] : []));
}

/** A whole number, or NaN, which every verb refuses. */
export const whole = (text: string): number => decimal(text) ?? Number.NaN;

/** The fields of a query. A repeated field counts as missing. */
export const onceEach = (query: Query): Record<string, BoundedText> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, bounded(value, LIMITS.form_bytes)]] : [],
    ),
  );
