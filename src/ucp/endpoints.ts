import express, { type Express, type Request, type RequestHandler, type Response } from "express";
import type { LimitUse } from "../agents/limits.ts";
import type { Api } from "../api/api.ts";
import type { Operation } from "../api/operation.ts";
import { perform } from "../api/perform.ts";
import { objectIn, tolerantMessage } from "../api/tolerant-message.ts";
import type { Reply } from "../core/command.ts";
import { type ErrorCode, MerchantError } from "../core/errors.ts";
import { field, trimmed } from "../core/fields.ts";
import { newNonce } from "../core/ids.ts";
import { jsonSchema, withoutNull } from "../core/json-schema.ts";
import { isLoopback } from "../core/network.ts";
import { LIMITS } from "../core/policy.ts";
import { noteRefusal } from "../core/request-note.ts";
import { jsonBody } from "../web/body.ts";
import { readJsonBody } from "../web/http-request.ts";
import { asRefusal, fromExpress, setRefused } from "../web/problem-answers.ts";
import { callerAddress, metered, sendLimits } from "../web/request-context.ts";
import { onlyMethods } from "../web/routes.ts";
import { failed, jsonPath, RELEASES, type Release, stamped } from "./envelope.ts";
import { type Answer, bodyMember, toolOf, ucpOperations } from "./operations.ts";

/** Mounts the operations over REST and JSON-RPC, at the endpoints of each release (contract §20). */
export function mountUcp(app: Express, api: Api, version: string): void {
  // The endpoint of the first release is the beginning of the others'.
  for (const release of RELEASES.toReversed()) {
    app.use(release.endpoint, releaseRouter(release, api, version));
  }
}

function releaseRouter(release: Release, api: Api, version: string) {
  const router = express.Router();
  router
    .route("/mcp")
    .post(rpcHandler(release, api, version))
    .all(onlyMethods(["POST"]));
  // Before anything of a call is read.
  router.use(metered(1, api.service.limits));
  const byPath = Map.groupBy(ucpOperations, ({ http }) => http.path);
  for (const [path, operations] of byPath) {
    const route = router.route(path.replace("/ucp", "").replace("{id}", ":id"));
    for (const one of operations) {
      const method = one.http.method.toLowerCase() as "get" | "post" | "put";
      route[method](jsonBody, restHandler(one, release, api));
    }
    route.all(onlyMethods(operations.map(({ http }) => http.method)));
  }
  router.use(() => {
    throw new MerchantError("NOT_FOUND", "There is nothing at this address.");
  });
  router.use((error: unknown, _req: Request, res: Response, _next: unknown) => {
    const { status, body } = ucpRefusal(res, error, api);
    const { code, content } = body;
    const messages = [{ type: "error", severity: "unrecoverable", code, content }];
    res.status(status).json({ ...body, messages });
  });
  return router;
}

const restHandler =
  (one: Operation, release: Release, api: Api): RequestHandler =>
  async (req, res) => {
    res.locals.route = one.http.path.replace("/ucp", release.endpoint);
    const [, profile] = /(?:^|[\s,;])profile="([^"]*)"/.exec(req.header("ucp-agent") ?? "") ?? [];
    checkProfile(profile, 'the header UCP-Agent: profile="…"');
    const member = bodyMember(one);
    const input = { ...req.params, ...(member && { [member]: unwrapped(req.body, member) }) };
    const key = req.header("idempotency-key")?.replace(/^"(.*)"$/, "$1");
    const sent = { input, key, client: profile };
    const { body, replayed } = await call(one, sent, { req, res, api, release });
    if (replayed) res.setHeader("Idempotent-Replayed", "true");
    res.status(body.created ? 201 : 200).json(stamped(body.content, release));
  };

/** Clients written for the tools wrap the body in the tool's argument. */
function unwrapped(body: unknown, member: string): unknown {
  const inner = field(body, member);
  return isNested(inner) && Object.keys(body as object).length === 1 ? inner : body;
}

interface Caller {
  req: Request;
  res: Response;
  api: Api;
  release: Release;
}

async function call(
  operation: Operation,
  { input, key, client }: { input: object; key: unknown; client: unknown },
  { req, res, api }: Caller,
): Promise<Reply<Answer>> {
  const request = {
    input,
    // A key is optional here; a call without one is an intent of its own.
    credentials: { idempotencyKey: isGiven(key) ? String(key) : newNonce() },
    address: callerAddress(req),
    client: String(client),
    onMetered: (metered: LimitUse) => sendLimits(res, metered),
  };
  try {
    return (await perform(operation, request, api.service)) as Reply<Answer>;
  } catch (error) {
    if (!(error instanceof MerchantError && error.code === "NOT_FOUND")) throw error;
    // An unknown id is a result over UCP, not a protocol error.
    const { code, message: detail } = error;
    const content = failed(api.edge.baseUrl, [{ pointer: "", code, detail }]);
    return { body: { created: false, content }, replayed: false };
  }
}

/** A number is text, as over /mcp. */
const isGiven = (key: unknown): boolean =>
  Number.isSafeInteger(key) || (typeof key === "string" && trimmed(key) !== "");

const isNested = (value: unknown): value is object => typeof value === "object" && value !== null;

/** The profile is not fetched (contract §20): every client gets every capability. */
function checkProfile(profile: unknown, where: string): void {
  const url = typeof profile === "string" ? URL.parse(profile) : null;
  const isLocal = url?.protocol === "http:" && isLoopback(url.hostname);
  if (url?.protocol === "https:" || isLocal) return;
  throw new InvalidProfile(`Send the https address of your UCP profile in ${where}.`);
}

/** The one mistake that only UCP knows. */
class InvalidProfile extends Error {}

/** UCP's codes of our refusals; any other refusal is a mistake in the request. */
const CODES: Partial<Record<ErrorCode, { status?: number; code: string; rpc: number }>> = {
  IDEMPOTENCY_CONFLICT: { status: 409, code: "idempotency_conflict", rpc: -32000 },
  IDEMPOTENCY_IN_FLIGHT: { code: "idempotency_in_flight", rpc: -32000 },
  LIMIT_EXCEEDED: { code: "request_too_large", rpc: -32602 },
  RATE_LIMITED: { code: "rate_limited", rpc: -32000 },
  NOT_FOUND: { code: "not_found", rpc: -32601 },
  METHOD_NOT_ALLOWED: { code: "method_not_allowed", rpc: -32601 },
  INTERNAL: { code: "internal", rpc: -32603 },
  STORE_UNAVAILABLE: { code: "unavailable", rpc: -32000 },
};

/** Translates a refusal into UCP's words, and sets the headers that tell when to come back. */
function ucpRefusal(res: Response, error: unknown, { edge }: Api) {
  const continue_url = `${edge.baseUrl}/`;
  if (error instanceof InvalidProfile) {
    noteRefusal("INVALID_PROFILE");
    const body = { code: "invalid_profile_url", content: error.message, continue_url };
    return { status: 400, rpc: -32001, body };
  }
  const refusal = asRefusal(res, fromExpress(error), edge);
  setRefused(res, refusal);
  const { status, problems, retryAfter } = refusal;
  const known = CODES[refusal.code] ?? { code: "invalid_request", rpc: -32602 };
  const places = problems.map(({ pointer, detail }) => `${jsonPath(pointer)}: ${detail}`);
  // No place is that of the key.
  const aboutKey =
    refusal.code === "IDEMPOTENCY_KEY_REQUIRED" && `${refusal.message} Or send none.`;
  const content = [aboutKey || [], places].flat().join(" ") || refusal.message;
  return {
    status: known.status ?? (status === 422 ? 400 : status),
    rpc: known.rpc,
    body: { code: known.code, content, continue_url, retry_after: retryAfter },
  };
}

/** JSON-RPC without sessions: UCP clients send no `initialize`, and accept plain JSON alone. */
function rpcHandler(release: Release, api: Api, version: string): RequestHandler {
  const initialize = (params: unknown) => ({
    protocolVersion: versionIn(params),
    capabilities: { tools: {} },
    serverInfo: { name: "coffee-merchant", version },
  });
  const methods = new Map<unknown, (params: unknown, caller: Caller) => unknown>([
    ["tools/call", callTool],
    ["tools/list", () => ({ tools: ucpOperations.map(asTool) })],
    ["ping", () => ({})],
    ["initialize", initialize],
  ]);
  return async (req, res) => {
    res.locals.route = `${release.endpoint}/mcp`;
    let id: unknown = null;
    try {
      const left = api.service.limits.charge({ requests: 1 }, { address: callerAddress(req) });
      if (left) sendLimits(res, left);
      const message = tolerantMessage(await readJsonBody(req));
      if (Array.isArray(message)) {
        throw new MerchantError("MALFORMED_REQUEST", "Send one message at a time, not a batch.");
      }
      const sent = field(message, "id");
      if (sent === undefined) return void res.status(202).end();
      if (!isRpcId(sent)) {
        const most = LIMITS.id_characters;
        const why = `An id is a number, or text of at most ${most} characters.`;
        throw new MerchantError("MALFORMED_REQUEST", why);
      }
      id = sent;
      const method = methods.get(field(message, "method"));
      const known = [...methods.keys()].join(", ");
      if (!method) throw new MerchantError("NOT_FOUND", `The methods are ${known}.`);
      const result = await method(field(message, "params"), { req, res, api, release });
      res.json({ jsonrpc: "2.0", id, result });
    } catch (error) {
      const { status, rpc, body } = ucpRefusal(res, error, api);
      const failure = { code: rpc, message: body.content, data: body };
      res.status(status).json({ jsonrpc: "2.0", id, error: failure });
    }
  };
}

/** The answer repeats it. */
const isRpcId = (id: unknown): id is string | number =>
  typeof id === "number" || (typeof id === "string" && id.length <= LIMITS.id_characters);

function versionIn(params: unknown): string {
  const asked = field(params, "protocolVersion");
  return typeof asked === "string" ? asked.slice(0, 40) : "2025-11-25";
}

const TOOLS = new Map<unknown, Operation>(ucpOperations.map((one) => [toolOf(one), one]));

async function callTool(params: unknown, caller: Caller) {
  const one = TOOLS.get(field(params, "name"));
  const known = [...TOOLS.keys()].join(", ");
  if (!one) throw new MerchantError("MALFORMED_REQUEST", `The tools are ${known}.`);
  const { meta: sent, ...input } = (field(params, "arguments") ?? {}) as Record<string, unknown>;
  const meta = objectIn(sent);
  const client = field(field(meta, "ucp-agent"), "profile");
  checkProfile(client, 'meta["ucp-agent"].profile');
  const key = field(meta, "idempotency-key");
  const { body } = await call(one, { input, key, client }, caller);
  const structuredContent = stamped(body.content, caller.release);
  const text = JSON.stringify(structuredContent);
  return { content: [{ type: "text", text }], structuredContent, isError: false };
}

const META = {
  type: "object",
  description: "ucp-agent {profile: https address}; idempotency-key, the same for a retry.",
  required: ["ucp-agent"],
};

/** Open and self-contained: clients add members, and compile the schema without fetching anything. */
function asTool(operation: Operation) {
  const { title, description } = operation;
  const { properties, required, ...schema } = withoutNull(jsonSchema(operation.input, "input"));
  const inputSchema = {
    ...schema,
    properties: { meta: META, ...(properties as object) },
    required: ["meta", ...(required as string[])],
  };
  return { name: toolOf(operation), title, description, inputSchema };
}
