import express, { type Request, type Response } from "express";
import { LIMITS } from "../domain/shared/policy.ts";
import { UNCLEAR_BODY, verifyJson } from "../operations/json-body.ts";

/** The same bound as on every interface, and nothing is inflated (contract §3). */
const readJson = express.json({
  limit: LIMITS.body_bytes,
  inflate: false,
  verify: verifyJson,
});

/**
 * The body, read here where it was not read yet; what cannot be read is answered as JSON-RPC wants
 * it.
 */
export async function bodyOf(req: Request, res: Response): Promise<unknown> {
  const error =
    req.body === undefined
      ? await new Promise<unknown>((resolve) => readJson(req, res, resolve))
      : undefined;
  const refused = error === undefined ? refusedIds(req.body) : unreadable(error);
  if (!refused) return req.body;
  const { status, ...told } = refused;
  res.status(status).json({ jsonrpc: "2.0", id: null, error: told });
  return undefined;
}

interface BodyProblem {
  status: number;
  code: number;
  message: string;
}

function unreadable(error: unknown): BodyProblem {
  const { status, type, message } = error as { status?: unknown; type?: unknown; message?: string };
  if (type === UNCLEAR_BODY)
    return { status: 400, code: -32700, message: `Parse error: ${message}` };
  switch (status) {
    case 413:
      return { status: 413, code: -32600, message: `Send at most ${LIMITS.body_bytes} bytes.` };
    case 415:
      return { status: 415, code: -32600, message: "Send UTF-8 JSON, without Content-Encoding." };
    default:
      return { status: 400, code: -32700, message: "Parse error: the body is not valid JSON." };
  }
}

/** An id comes back with the answer, so it is no place for a long text. */
function refusedIds(body: unknown): BodyProblem | undefined {
  const ids = [body].flat().map((message) => (message as { id?: unknown } | null)?.id);
  const long = ids.some((id) => typeof id === "string" && id.length > LIMITS.id_characters);
  const message = `An id has at most ${LIMITS.id_characters} characters.`;
  return long ? { status: 400, code: -32600, message } : undefined;
}
