import {
  type CacheHint,
  type McpRequestContext,
  ResourceNotFoundError,
  Server,
  type Tool,
} from "@modelcontextprotocol/server";
import type { Operation } from "../operations/operation.ts";
import type { Service } from "../operations/perform.ts";
import { callTool, unknownTool } from "./call-tool.ts";
import type { Caller } from "./caller.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import { completion, getPrompt, shownPrompt } from "./prompts.ts";
import { linksOf, readResource, Shelf } from "./read-resource.ts";
import type { Prompt, Resource } from "./resource.ts";
import { reviewOffer, reviewStates } from "./review-offer.ts";
import { toolOf } from "./schemas.ts";

export interface McpOptions {
  service: Service;
  operations: readonly Operation[];
  resources: readonly Resource[];
  prompts: readonly Prompt[];
  version: string;
}

/** Following a resource on one connection: the 2025 eras on stdio. */
export interface Subscriptions {
  subscribe(uri: string): Promise<boolean>;
  unsubscribe(uri: string): void;
}

/** One MCP server for one request over HTTP or one connection on stdio, in either era. */
export type ServerFactory = (
  context: McpRequestContext,
  caller: Caller,
  subscriptions?: Subscriptions,
) => Server;

const FIVE_MINUTES_MS = 300_000;
const PUBLIC: Required<CacheHint> = { ttlMs: FIVE_MINUTES_MS, cacheScope: "public" };

/** Everything that does not change from call to call is made here, once. */
export function serverFactory(options: McpOptions): ServerFactory {
  const { service, operations, prompts } = options;
  const { baseUrl } = service.merchant;
  const byName = new Map(operations.map((op) => [op.name, op]));
  const tools = { bare: toolList(operations, false), keyed: toolList(operations, true) };
  const shelf = new Shelf(options.resources, service);
  const states = reviewStates(service.stateKey);
  const info = {
    name: "coffee-merchant",
    title: "Coffee merchant",
    version: options.version,
    websiteUrl: baseUrl,
  };

  return (context, caller, subscriptions) => {
    const subscribe = context.era === "modern" || subscriptions !== undefined;
    const server = new Server(info, {
      instructions: INSTRUCTIONS,
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false, ...(subscribe && { subscribe }) },
        prompts: { listChanged: false },
        completions: {},
      },
      cacheHints: cacheHints(caller),
      requestState: { verify: states.verify },
    });
    const offer = reviewOffer(server, context.era, states);
    const links = (body: unknown) =>
      knowsLinks(context, server) ? linksOf(body, shelf, caller) : [];
    server.setRequestHandler("tools/list", () => ({
      tools: caller.keyArgument === "shown" ? tools.keyed : tools.bare,
    }));
    server.setRequestHandler("tools/call", ({ params }, ctx) => {
      const op = byName.get(params.name);
      if (!op) throw unknownTool();
      return callTool(op, params.arguments ?? {}, ctx, { service, caller, offer, links });
    });
    serveResources(server, { era: context.era, shelf, caller, service });
    servePrompts(server, { prompts, shelf, service });
    if (context.era === "legacy" && subscriptions) serveSubscriptions(server, subscriptions);
    return server;
  };
}

const toolList = (operations: readonly Operation[], keyArgument: boolean): Tool[] =>
  operations.map((op) => toolOf(op, keyArgument));

/**
 * What may be kept and by whom. tools/list shows `api_key` by who asks, so it is private; and where
 * a registration on this connection would change it, it is not kept at all.
 */
const cacheHints = (caller: Caller) => ({
  "server/discover": PUBLIC,
  "prompts/list": PUBLIC,
  "resources/list": PUBLIC,
  "resources/templates/list": PUBLIC,
  "tools/list": {
    ttlMs: caller.registered && caller.keyArgument !== "refused" ? 0 : FIVE_MINUTES_MS,
    cacheScope: "private" as const,
  },
});

/** The first protocol version with resource_link; older clients cannot read a result that has one. */
const LINKS_SINCE = "2025-06-18";

function knowsLinks({ era, requestInfo }: McpRequestContext, server: Server): boolean {
  if (era === "modern") return true;
  const version =
    requestInfo?.headers.get("mcp-protocol-version") ?? server.getNegotiatedProtocolVersion();
  return version !== undefined && version >= LINKS_SINCE;
}

interface Reading {
  era: "legacy" | "modern";
  shelf: Shelf;
  caller: Caller;
  service: Service;
}

function serveResources(server: Server, { era, shelf, caller, service }: Reading): void {
  server.setRequestHandler("resources/list", () => ({ resources: shelf.listed }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: shelf.templates,
  }));
  server.setRequestHandler("resources/read", async ({ params }) => {
    const { cache, contents } = await readResource(params.uri, shelf, caller, service);
    return { contents, ...(era === "modern" && cache) };
  });
}

interface Prompting {
  prompts: readonly Prompt[];
  shelf: Shelf;
  service: Service;
}

function servePrompts(server: Server, { prompts, shelf, service: { merchant } }: Prompting): void {
  const shown = prompts.map(shownPrompt);
  server.setRequestHandler("prompts/list", () => ({ prompts: shown }));
  server.setRequestHandler("prompts/get", ({ params }) =>
    getPrompt(prompts, params.name, params.arguments ?? {}, merchant),
  );
  server.setRequestHandler("completion/complete", ({ params }) =>
    completion(params, prompts, shelf, merchant),
  );
}

function serveSubscriptions(server: Server, subscriptions: Subscriptions): void {
  server.setRequestHandler("resources/subscribe", async ({ params }) => {
    if (!(await subscriptions.subscribe(params.uri))) throw new ResourceNotFoundError(params.uri);
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params }) => {
    subscriptions.unsubscribe(params.uri);
    return {};
  });
}
