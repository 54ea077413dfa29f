import type { Server, ServerContext } from "@modelcontextprotocol/server";
import type { Service } from "../../../src/api/perform.ts";
import { shopContents } from "../../../src/app/registry.ts";
import { mcpContents } from "../../../src/mcp/contents.ts";
import { type McpEndpoint, mountFactory } from "../../../src/mcp/http.ts";
import { reviewStates } from "../../../src/mcp/review-offer.ts";
import { type ServerFactory, serverFactory } from "../../../src/mcp/server.ts";
import { offered } from "../../support/mcp-clients.ts";
import { PROMPTS, RESOURCES, readTemplate, TEMPLATE, TOOLS } from "./fixtures.ts";
import { askingPrompt, roundTools } from "./round-trip-tools.ts";

/** The contents of both addresses. */
const OFFERED = { "/mcp": offered, "/mcp/shop": { ...offered, ...shopContents, keyless: true } };

export type Address = keyof typeof OFFERED;

/** An interface of the product with the suite's fixtures laid over its tools, resources and prompts. */
export const conformanceEndpoint =
  (address: Address) =>
  (service: Service): McpEndpoint => {
    const options = { ...OFFERED[address], service };
    const product = serverFactory(mcpContents(options), service);
    const rounds = roundTools(reviewStates(service.stateKey));
    const factory: ServerFactory = (context, caller, watch) => {
      const server = product(context, caller, watch);
      server.registerCapabilities({ logging: {} });
      layTools(server, { ...TOOLS, ...rounds });
      layResources(server);
      layPrompts(server);
      return server;
    };
    return mountFactory(factory, { ...options, streams: true });
  };

// biome-ignore lint/suspicious/noExplicitAny: whatever the product's own handlers take and give.
type Handler = (request: any, ctx: ServerContext) => Promise<any>;

/** Puts a handler before the product's own, which it may call. */
function before(server: Server, method: string, handler: (own: Handler) => Handler): void {
  const handlers = (server as unknown as { _requestHandlers: Map<string, Handler> })
    ._requestHandlers;
  const own = handlers.get(method) ?? (() => Promise.reject(new Error(`no ${method}`)));
  server.setRequestHandler(method as "tools/list", handler(own) as never);
}

/** Puts more into a list of the product's. */
function listing(server: Server, list: string, more: object[], method = `${list}/list`): void {
  before(server, method, (own) => async (request, ctx) => {
    const result = await own(request, ctx);
    return { ...result, [list]: [...result[list], ...more] };
  });
}

function layTools(
  server: Server,
  tools: Record<string, (ctx: ServerContext, args: Record<string, unknown>) => unknown>,
): void {
  const inputSchema = { type: "object", properties: {} } as const;
  const shown = Object.keys(tools).map((name) => ({
    name,
    description: "A fixture.",
    inputSchema,
  }));
  listing(server, "tools", shown);
  before(server, "tools/call", (own) => async (request, ctx) => {
    const fixture = tools[request.params.name];
    return fixture ? fixture(ctx, request.params.arguments ?? {}) : own(request, ctx);
  });
}

function layResources(server: Server): void {
  const shown = Object.keys(RESOURCES).map((uri) => ({ uri, name: uri }));
  listing(server, "resources", shown);
  const template = { uriTemplate: TEMPLATE, name: "template" };
  listing(server, "resourceTemplates", [template], "resources/templates/list");
  before(server, "resources/read", (own) => async (request, ctx) => {
    const found = RESOURCES[request.params.uri] ?? readTemplate(request.params.uri);
    return found ? { contents: [found] } : own(request, ctx);
  });
}

function layPrompts(server: Server): void {
  const asking = "test_input_required_result_prompt";
  const shown = Object.entries(PROMPTS).map(([name, { names }]) => ({
    name,
    description: "A fixture.",
    arguments: names.map((argument) => ({ name: argument, required: true })),
  }));
  listing(server, "prompts", [...shown, { name: asking, description: "A fixture that asks." }]);
  before(server, "prompts/get", (own) => async (request, ctx) => {
    const { name, arguments: args } = request.params;
    if (name === asking) return askingPrompt(ctx);
    const prompt = PROMPTS[name];
    return prompt ? { messages: prompt.write(args ?? {}) } : own(request, ctx);
  });
}
