import {
  type JSONRPCRequest,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
} from "@modelcontextprotocol/server";
import type { Service } from "../api/perform.ts";
import { callTool, unknownTool } from "./call-tool.ts";
import type { Caller } from "./caller.ts";
import { CARDS, showsCards } from "./card/fragment.ts";
import { cacheHints, LISTS, type McpContents } from "./contents.ts";
import type { OrderWatch } from "./order-watch.ts";
import { getPrompt } from "./prompts.ts";
import { linksOf, readResource } from "./read-resource.ts";
import { capabilitiesOf, reviewOffer, reviewStates } from "./review-offer.ts";

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
    const server = new Server(contents.info, {
      instructions: contents.instructions,
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false, ...(subscribe && { subscribe }) },
        prompts: { listChanged: false },
        extensions: { [CARDS]: {} },
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
    server.setRequestHandler("tools/call", ({ params }, ctx) => {
      const op = contents.byName.get(params.name);
      if (!op) throw unknownTool(params.name, contents.byName.keys());
      return callTool(op, params.arguments ?? {}, {
        service,
        caller,
        gone: caller.gone ?? (() => ctx.mcpReq.signal),
        cards: showsCards(capabilitiesOf(server, ctx)),
        offer: (body, result) => offer(body, result, ctx),
        links,
      });
    });
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
