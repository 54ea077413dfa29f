import { parseJsonBody } from "../web/http-request.ts";

type Json = Record<string, unknown>;

/**
 * Rewrites a JSON-RPC message whose client writes null, empty text or an empty list for an absent object, or
 * an object as text. Everything else stays as it is, for the protocol to refuse.
 */
export function tolerantMessage(message: unknown): unknown {
  if (Array.isArray(message)) return message.map(tolerantMessage);
  if (!isObject(message) || message.params === undefined) return message;
  const { params: sent, ...rest } = message;
  const params = objectIn(sent);
  if (!isObject(params)) return params === undefined ? rest : message;
  return { ...message, params: tolerantParams(params, message.method === "initialize") };
}

function tolerantParams(params: Json, isInitialize: boolean): Json {
  const read = { ...params };
  for (const name of ["arguments", "_meta", "context"]) set(read, name, objectIn(read[name]));
  if (read.cursor === "" || read.cursor === null) delete read.cursor;
  if (isInitialize && "capabilities" in read) read.capabilities = objectIn(read.capabilities) ?? {};
  const { _meta: meta } = read;
  if (isObject(meta) && meta.progressToken === null) {
    const { progressToken: _, ...others } = meta;
    read._meta = others;
  }
  return read;
}

function set(read: Json, name: string, value: unknown): void {
  if (value !== undefined) read[name] = value;
  else delete read[name];
}

/** Undefined for what some libraries send in place of no object: null, "", "null" and PHP's []. */
export function objectIn(value: unknown): unknown {
  if (value === null || (Array.isArray(value) && value.length === 0)) return undefined;
  if (typeof value !== "string") return value;
  const text = value.trim();
  if (text === "" || text === "null" || text === "[]") return undefined;
  try {
    const parsed = parseJsonBody(text);
    return isObject(parsed) ? parsed : value;
  } catch {
    return value;
  }
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
