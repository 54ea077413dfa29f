import {
  type JSONRPCRequest,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Result,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Operation } from "../api/operation.ts";
import type { Service } from "../api/perform.ts";
import { callTool, isArguments, unknownTool } from "./call-tool.ts";
import type { Caller } from "./caller.ts";
import { cacheHints, LISTS, type McpContents } from "./contents.ts";
import type { OrderWatch } from "./order-watch.ts";
import { getPrompt } from "./prompts.ts";
import { linksOf, readResource } from "./read-resource.ts";
import { reviewOffer, reviewStates } from "./review-offer.ts";

/**
 * Creates the server of one HTTP request or one stdio connection, in either era. `watch` serves the
 * subscriptions of the 2025 eras, which need a connection.
 */
export type ServerFactory = (
  context: McpRequestContext,
  caller: Caller,
  watch?: OrderWatch,
) => Server;

/** Prepares everything that calls share. */
export function serverFactory(contents: McpContents, service: Service): ServerFactory {
  const states = reviewStates(service.stateKey);
  return (context, caller, watch) => {
    const { era } = context;
    const subscribe = !contents.keyless && (era === "modern" || watch !== undefined);
    const server = new BriefServer(contents.info, {
      instructions: contents.instructions,
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false, ...(subscribe && { subscribe }) },
        prompts: { listChanged: false },
        extensions: { "io.modelcontextprotocol/ui": {} },
      },
      cacheHints: cacheHints(caller),
      requestState: { verify: states.verify },
    });
    const offer = reviewOffer(server, era, states);
    for (const method of LISTS) {
      server.setRequestHandler(method, () => contents.list(method, caller) as never);
    }
    const version = versionOf(context, server);
    const links = (body: unknown) =>
      linksOf(body, contents.registry, caller, { era, version: version() });
    const call = async (op: Operation, args: unknown, ctx: ServerContext) =>
      callTool(op, args, {
        service,
        caller,
        gone: caller.gone ?? (() => ctx.mcpReq.signal),
        offer: (body, result) => offer(body, result, ctx),
        links,
      });
    server.setRequestHandler("tools/call", ({ params }, ctx) => {
      const op = contents.byName.get(params.name);
      if (!op) throw unknownTool(params.name, contents.byName.keys());
      return call(op, params.arguments ?? {}, ctx);
    });
    server.answersFirst = ({ method, params }, ctx) => {
      if (method !== "tools/call") return undefined;
      const { name, arguments: args = {} } = params ?? {};
      const op = contents.byName.get(name as string);
      return op && !isArguments(args) ? call(op, args, ctx) : undefined;
    };
    server.setRequestHandler("resources/read", async ({ params }) => {
      const { cache, ...read } = await readResource(params.uri, contents.registry, caller, service);
      return { ...read, ...(era === "modern" && cache) };
    });
    servePrompts(server, contents, service);
    // For 2026, the SDK answers an unknown method with 404 only if there is no fallback.
    if (era === "legacy") server.fallbackRequestHandler = unknownMethod(contents);
    if (era === "legacy" && watch) serveSubscriptions(server, watch, caller);
    // Over HTTP it could only reach a request of its own batch, whose response would then never end.
    if (era === "legacy" && !watch) server.removeNotificationHandler("notifications/cancelled");
    return server;
  };
}

const unknownMethod =
  ({ byName }: McpContents) =>
  async ({ method }: JSONRPCRequest): Promise<never> => {
    const [first] = byName.keys();
    const tool = byName.has(method) ? method : first;
    const how = `To call a tool, send tools/call with {"name": "${tool}", "arguments": {…}}.`;
    throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `Method not found. ${how}`);
  };

/** The protocol version: of the request over HTTP, of the handshake on stdio. */
const versionOf =
  ({ requestInfo }: McpRequestContext, server: Server) =>
  (): string | undefined =>
    requestInfo?.headers.get("mcp-protocol-version") ?? server.getNegotiatedProtocolVersion();

function servePrompts(server: Server, { prompts }: McpContents, service: Service): void {
  const { merchant } = service;
  server.setRequestHandler("prompts/get", ({ params }) =>
    getPrompt(prompts, params.name, params.arguments ?? {}, merchant),
  );
}

function serveSubscriptions(server: Server, watch: OrderWatch, caller: Caller): void {
  const followed = new Map<string, () => void>();
  server.setRequestHandler("resources/subscribe", async ({ params: { uri } }) => {
    if (followed.has(uri)) return {};
    const { uris, stop } = await watch.follow([uri], caller.apiKey);
    if (uris.length === 0) throw new ResourceNotFoundError(uri);
    followed.set(uri, stop);
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
    followed.get(uri)?.();
    followed.delete(uri);
    return {};
  });
}

type Handler = (request: JSONRPCRequest, ctx: ServerContext) => Promise<Result>;

/** The SDK's server answers parameters of the wrong type with its validator's JSON; this one in words. */
class BriefServer extends Server {
  /** Answers requests that the SDK would refuse before its handler runs; undefined leaves them to the SDK. */
  answersFirst?: (...called: Parameters<Handler>) => ReturnType<Handler> | undefined;

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler);
    return async (request, ctx) => {
      try {
        return await (this.answersFirst?.(request, ctx) ?? wrapped(request, ctx));
      } catch (error) {
        throw invalidParams(error) ?? error;
      }
    };
  }
}

interface Issue {
  path: (string | number)[];
  message: string;
}

/** Problems in one error, and characters of each. */
const MOST_TOLD = 5;
const MOST_CHARACTERS = 200;

/** The validator's issues as JSON. For a tool call, text precedes them. */
const ISSUES = /^(?:Invalid tools\/call request: )?(\[\n.*)$/s;

/** Undefined for any other error. */
function invalidParams(error: unknown): ProtocolError | undefined {
  const [, json] = (error instanceof Error && ISSUES.exec(error.message)) || [];
  if (json === undefined) return undefined;
  const issues = JSON.parse(json) as Issue[];
  const shown = issues
    .slice(0, MOST_TOLD)
    .map(({ path, message }) => `${path.join(".")}: ${message}`.slice(0, MOST_CHARACTERS));
  const more = issues.length > MOST_TOLD ? ` And ${issues.length - MOST_TOLD} more.` : "";
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `${shown.join("; ")}.${more}`);
}
