import type { Request, Response } from "express";
import { tolerantMessage } from "../api/tolerant-message.ts";
import { field } from "../core/fields.ts";
import { LIMITS } from "../core/policy.ts";
import { isJson, readJsonBody, UNCLEAR_BODY } from "../web/http-request.ts";

/** The body of a request, read unless it was read before. Answers an unreadable one as JSON-RPC requires. */
export async function bodyOf(req: Request, res: Response): Promise<unknown> {
  let refused: BodyProblem | undefined;
  try {
    if (req.body === undefined && isJson(req)) {
      req.body = tolerantMessage(await readJsonBody(req));
    }
    refused =
      refusedBatch(req.body) ??
      refusedIds(req.body) ??
      (isShort(req) ? undefined : refusedSize(req.body));
  } catch (error) {
    refused = unreadable(error);
  }
  if (!refused) return req.body;
  const { status, ...error } = refused;
  res.status(status).json({ jsonrpc: "2.0", id: null, error });
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

/** Each entry of a batch gets its own response. */
function refusedBatch(body: unknown): BodyProblem | undefined {
  const most = LIMITS.mcp_batch_messages;
  if (!Array.isArray(body) || body.length <= most) return undefined;
  const message = `A batch holds at most ${most} messages. Send the others in another batch.`;
  return { status: 413, code: -32600, message };
}

/** The response repeats the id, so a long one is refused. */
function refusedIds(body: unknown): BodyProblem | undefined {
  const ids = [body].flat().map((message) => field(message, "id"));
  const long = ids.some((id) => typeof id === "string" && id.length > LIMITS.id_characters);
  const message = `An id has at most ${LIMITS.id_characters} characters.`;
  return long ? { status: 400, code: -32600, message } : undefined;
}

/** Each value takes at least two characters with its separator, so a short body needs no counting. */
const isShort = ({ headers }: Request): boolean =>
  Number(headers["content-length"]) < 2 * LIMITS.mcp_values;

/** The SDK's validator writes several lines for each wrong value, so values are counted first. */
function refusedSize(body: unknown): BodyProblem | undefined {
  const most = LIMITS.mcp_values;
  if (JSON.stringify([body].flat().map(besideArguments)).split(",").length <= most)
    return undefined;
  const message = `A message holds at most ${most} values besides a tool's arguments.`;
  return { status: 413, code: -32600, message };
}

/** The operation checks a tool's arguments, and its errors are short. */
const besideArguments = (message: unknown): unknown =>
  field(message, "method") === "tools/call"
    ? { ...(field(message, "params") as object), arguments: null }
    : message;
