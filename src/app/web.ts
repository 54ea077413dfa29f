import type { IncomingMessage, ServerResponse } from "node:http";
import { openapi } from "../api/openapi/openapi.ts";
import type { Service } from "../api/perform.ts";
import { namedAnswer } from "../core/next-step.ts";
import { mountDesk } from "../desk/desk.ts";
import { createMcpEndpoint } from "../mcp/http.ts";
import { json } from "../web/documents.ts";
import type { OpenService } from "./compose.ts";
import type { Config } from "./config.ts";
import { MERCHANT_COMMAND } from "./data-folder.ts";
import { createApp } from "./http-app.ts";
import type { ServeOptions } from "./serve.ts";

/** Everything that answers HTTP: /v1, MCP, the webhook, the pages and the desk. */
export interface WebHandler {
  answer(request: IncomingMessage, response: ServerResponse): void;
  close(): Promise<void>;
}

export function createWeb(
  config: Config,
  { service, sandbox, installation }: OpenService,
  options: ServeOptions & { leaving: AbortSignal },
): WebHandler {
  const { contents, version, log, leaving } = options;
  const { information } = service.merchant;
  const endpoint = (options.mcpEndpoint ?? productEndpoint(config, options))(service);
  const edge = {
    baseUrl: config.baseUrl,
    clock: service.clock,
    log,
    leaving,
    merchantCommand: MERCHANT_COMMAND,
  };
  const app = createApp({
    service,
    edge,
    operations: contents.operations,
    documents: [
      json("/v1/catalog", async () => namedAnswer(await information.catalog(), "endpoints"), {
        limits: ["catalog"],
        changes: true,
        maxAge: 60,
      }),
      json("/openapi.json", () => openapi(contents.operations, config.baseUrl), { maxAge: 60 }),
    ],
    mcp: endpoint.mountable,
    desk: (to) => mountDesk(to, { service, edge }),
    ...(sandbox && { buyer: sandbox.buyer }),
    trustProxy: config.trustProxy,
    corsOrigins: config.corsOrigins,
    allowedHosts: config.allowedHosts,
    public: config.public,
    version,
    installation: installation.id,
    endsWithClient: options.webWhenAsked === true,
  });
  return { answer: app, close: () => endpoint.close() };
}

const productEndpoint =
  (config: Config, { contents, version }: ServeOptions) =>
  (service: Service) =>
    createMcpEndpoint({
      service,
      ...contents,
      version,
      allowedHosts: config.allowedHosts,
      allowedOrigins: config.corsOrigins,
    });
