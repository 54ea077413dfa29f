import { PassThrough } from "node:stream";
import { onTestFinished } from "vitest";
import type { Service } from "../../src/api/perform.ts";
import { contents } from "../../src/app/registry.ts";
import type { RunningService } from "../../src/app/serve.ts";
import {
  createMcpEndpoint,
  type McpEndpoint,
  type McpEndpointOptions,
} from "../../src/mcp/http.ts";
import { type StdioEndpoint, serveMcpStdio } from "../../src/mcp/stdio.ts";
import { serveTest } from "./service.ts";

export const offered = { ...contents, version: "0.0.0-test" };

interface StartOptions {
  env?: Record<string, string>;
  /** Added to the options of the product's endpoint. */
  options?: Partial<McpEndpointOptions>;
  /** Replaces the endpoint. */
  endpoint?: (service: Service) => McpEndpoint;
}

/** Starts the whole service on the real clock, which its streams need. */
export const startMcp = ({
  env = {},
  options,
  endpoint,
}: StartOptions = {}): Promise<RunningService> =>
  serveTest(env, {
    mcpEndpoint: endpoint ?? ((service) => createMcpEndpoint({ ...offered, service, ...options })),
  });

/** An MCP server on a pair of pipes, and the client's ends. */
export interface StdioPipes {
  endpoint: StdioEndpoint;
  /** The client writes here. */
  toServer: PassThrough;
  /** The client reads here. */
  fromServer: PassThrough;
}

/** Serves MCP on stdio over pipes, without a process of its own. */
export function startStdio(service: Service, apiKey?: string): StdioPipes {
  const toServer = new PassThrough();
  const fromServer = new PassThrough();
  const endpoint = serveMcpStdio({
    ...offered,
    service,
    apiKey,
    stdin: toServer,
    stdout: fromServer,
  });
  onTestFinished(() => endpoint.close());
  return { endpoint, toServer, fromServer };
}
