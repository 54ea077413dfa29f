import { toNodeHandler } from "@modelcontextprotocol/node";
import {
  createMcpHandler,
  isLegacyRequest,
  type McpHandlerRequestOptions,
  type McpHttpHandler,
  type McpRequestContext,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Request, Response } from "express";
import { MerchantError } from "../core/errors.ts";
import { field } from "../core/fields.ts";
import { knowsHost, knowsOrigin } from "../core/network.ts";
import { note, noteRefusal } from "../core/request-note.ts";
import type { Merchant } from "../merchant/merchant.ts";
import { acceptsJson, bearerKey, callerGone } from "../web/http-request.ts";
import { callerAddress } from "../web/request-context.ts";
import { bodyOf } from "./body.ts";
import { type Caller, httpCaller, shopCaller } from "./caller.ts";
import { type McpOptions, mcpContents } from "./contents.ts";
import { type DirectAnswers, directAnswers } from "./direct.ts";
import {
  authorizeSubscriptions,
  isListen,
  type OrderWatch,
  openStreams,
  orderWatch,
  wantsStream,
} from "./order-watch.ts";
import { type ServerFactory, serverFactory } from "./server.ts";

export interface McpEndpointOptions extends McpOptions {
  /** Host names besides loopback and the base URL's under which the service may be called. */
  allowedHosts?: readonly string[];
  /** Origins besides these whose browser pages may call it; "*" for any. */
  allowedOrigins?: readonly string[];
  /** Streams responses of the 2025 eras, for tools that send messages before their result. */
  streams?: boolean;
}

export interface McpEndpoint {
  /** Serves one request. Throws MerchantError for a rate limit or a database that fails. */
  mountable: (req: Request, res: Response) => Promise<void>;
  close(): Promise<void>;
}

/** Serves MCP over streamable HTTP, both protocol eras at one address, without sessions. */
export function createMcpEndpoint(options: McpEndpointOptions): McpEndpoint {
  const { service } = options;
  const contents = mcpContents(options);
  return mountFactory(serverFactory(contents, service), options, directAnswers(contents, service));
}

/** The endpoint around any factory, so that the conformance suite tests this code. */
export function mountFactory(
  factory: ServerFactory,
  options: McpEndpointOptions,
  direct: DirectAnswers = () => null,
): McpEndpoint {
  const { keyless = false, streams = false, service } = options;
  const { merchant, limits, log } = service;
  const onerror = (error: Error) => log.debug({ error }, "an MCP request was refused");
  const servers: McpServerFactory = (context) => factory(context, callerOf(context));
  const handler = createMcpHandler(servers, { onerror });
  const fetch: McpHttpHandler["fetch"] = async (request, sent = {}) => {
    const isJson = !streams && sent.parsedBody !== undefined;
    if (!isJson || !(await isLegacyRequest(request, sent.parsedBody)))
      return handler.fetch(request, sent);
    return answerLegacy(servers, request, sent);
  };
  const node = toNodeHandler({ fetch }, { onerror });
  const watch = orderWatch(options.service, (uri) => handler.notify.resourceUpdated(uri));
  const known = refuseForeign(options);
  const enter = openStreams();
  const closing = new AbortController();
  return {
    async mountable(req, res) {
      res.locals.route = keyless ? "/mcp/shop" : "/mcp";
      if (!known(req, res)) return;
      const address = callerAddress(req);
      const requestId = String(res.getHeader("Request-Id"));
      const identified = keyless
        ? shopCaller(address, requestId)
        : await identify(req, res, merchant, { address, requestId });
      const body = await bodyOf(req, res);
      if (res.headersSent) return;
      noteMethod(body);
      const isRefused = identified instanceof MerchantError;
      // A client that gets no answer to this says only that the protocol is not offered.
      const isDiscovery = field(body, "method") === "server/discover";
      if (isRefused && !isDiscovery) return refuseKey(res, body, identified);
      const caller = isRefused ? httpCaller(undefined, address, requestId) : identified;
      if (Array.isArray(body)) {
        caller.batch = { taken: 0 };
        if (body.length > 1) limits.charge({ requests: body.length - 1 }, { address });
      }
      caller.gone = callerGone(res, closing.signal);
      const answer = req.method === "POST" ? direct(req.headers, body, caller) : null;
      if (answer) {
        const { begin, rest } = await answer(caller.gone);
        if (res.destroyed) return;
        const length = Buffer.byteLength(begin) + rest.length;
        res.writeHead(200, { "Content-Type": "application/json", "Content-Length": length });
        res.write(begin);
        res.end(rest);
        return;
      }
      const clientId: string = res.locals.agent ?? "anonymous";
      if (wantsStream(body)) atEnd(res, enter(res.locals.agent ?? address));
      // The SDK refuses a client that does not name both, though it may need no stream.
      if (takesJsonOnly(req) && !wantsStream(body)) req.headers.accept = JSON_AND_STREAM;
      const auth = { token: "", clientId, scopes: [], extra: { caller } };
      const request = Object.assign(req, { auth });
      await node(request, res, await narrowListen(body, res, watch, caller));
    },
    async close() {
      closing.abort();
      watch.close();
      await handler.close();
    },
  };
}

/** A method of the protocol, not whatever a stranger wrote in its place. */
const METHODS =
  /^(initialize|ping|(tools|resources|prompts|subscriptions|notifications|server|logging)\/[a-z_/]{1,30})$/;

function noteMethod(body: unknown): void {
  const method = field(body, "method");
  if (typeof method === "string" && METHODS.test(method)) note({ rpc: method });
}

/** `mountable` puts the caller of every request here. */
const callerOf = ({ authInfo }: McpRequestContext): Caller => authInfo?.extra?.caller as Caller;

/** Checks the bearer key before the protocol reads the request. Returns the refusal of a bad one. */
async function identify(
  req: Request,
  res: Response,
  { agents }: Merchant,
  { address, requestId }: { address: string; requestId: string },
): Promise<Caller | MerchantError> {
  const key = bearerKey(req.header("authorization"));
  if (key !== undefined) {
    const agent = await agents.authenticate(key).catch((error: unknown) => {
      if (error instanceof MerchantError && error.status === 401) return error;
      throw error;
    });
    if (agent instanceof MerchantError) return agent;
    res.locals.agent = agent.id;
  }
  return httpCaller(key, address, requestId);
}

/** No tool works until then, so the text addresses the person who configured the connection. */
const FIX_HEADER =
  "Remove the Authorization header from this connection's settings, or put a valid key there. " +
  "Without the header you can see every tool, and register_agent gives you a key.";

/** No code of the protocol's own. */
const BAD_KEY = -32010;

/**
 * Answers a bad key as an error of each request, which hosts show. To 401 they would start OAuth, which is
 * not served here, and report a failed client registration.
 */
function refuseKey(res: Response, body: unknown, { code, message }: MerchantError): void {
  noteRefusal(code);
  const data = { code, status: 401, retryable: false };
  const error = { code: BAD_KEY, message: `${code}: ${message} ${FIX_HEADER}`, data };
  const answers = [body]
    .flat()
    .filter((sent) => field(sent, "method") !== undefined && field(sent, "id") !== undefined)
    .map((sent) => ({ jsonrpc: "2.0", id: field(sent, "id"), error }));
  if (answers.length === 0) res.status(res.req.method === "POST" ? 202 : 405).end();
  else res.json(Array.isArray(body) ? answers : answers[0]);
}

/** Narrows a listen request to the caller's orders, until the stream ends. */
async function narrowListen(
  body: unknown,
  res: Response,
  watch: OrderWatch,
  caller: Caller,
): Promise<unknown> {
  if (!isListen(body)) return body;
  const { message, stop } = await authorizeSubscriptions(
    body,
    watch,
    caller.apiKey,
    () => void res.destroy(),
  );
  atEnd(res, stop);
  return message;
}

/** Runs at the end of the response, or now if the client has gone. */
function atEnd(res: Response, act: () => void): void {
  if (res.destroyed) act();
  else res.once("close", act);
}

/** Refuses unknown host names and origins with 403, before it reads anything. */
function refuseForeign({ service, allowedHosts = [], allowedOrigins = [] }: McpEndpointOptions) {
  const { baseUrl } = service.merchant;
  const names = { baseUrl, hosts: allowedHosts, origins: allowedOrigins };
  const [host, origin] = [knowsHost(names), knowsOrigin(names)];
  return (req: Request, res: Response): boolean => {
    const wrong = [
      ...(host(req.headers.host) ? [] : ["host name"]),
      ...(origin(req.headers.origin) ? [] : ["origin"]),
    ];
    if (wrong.length === 0) return true;
    const message = `This ${wrong.join(" and ")} may not call here.`;
    res.status(403).json({ jsonrpc: "2.0", id: null, error: { code: -32000, message } });
    return false;
  };
}

const JSON_AND_STREAM = "application/json, text/event-stream";

function takesJsonOnly({ headers: { accept } }: Request): boolean {
  const both = accept?.includes("application/json") && accept.includes("text/event-stream");
  return !both && acceptsJson(accept);
}

/**
 * Answers a request or batch of the 2025 eras as JSON, because the SDK's own handler of these eras streams every
 * response. Our tools send nothing before their result, so nothing is lost.
 */
async function answerLegacy(
  factory: McpServerFactory,
  request: globalThis.Request,
  options: McpHandlerRequestOptions,
): Promise<globalThis.Response> {
  const server = await factory({ era: "legacy", requestInfo: request, ...options });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const close = () => void server.close();
  request.signal.addEventListener("abort", close, { once: true });
  await server.connect(transport);
  const response = await transport.handleRequest(request, options);
  close();
  const { parsedBody } = options;
  const isBatch = Array.isArray(parsedBody) && response.ok && response.body !== null;
  if (!isBatch) return response;
  // The SDK answers a batch of one without a list.
  return Response.json([await response.json()].flat());
}
