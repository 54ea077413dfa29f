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
  /** Besides what the product's own endpoint is made with. */
  options?: Partial<McpEndpointOptions>;
  /** Another endpoint altogether. */
  endpoint?: (service: Service) => McpEndpoint;
}

/** The whole service on a free port and a database of its own, on the true clock: its streams need it. */
export const startMcp = ({
  env = {},
  options,
  endpoint,
}: StartOptions = {}): Promise<RunningService> =>
  serveTest(env, {
    mcpEndpoint: endpoint ?? ((service) => createMcpEndpoint({ ...offered, service, ...options })),
  });

/** The server's end of a pipe pair, and the two ends a client holds. */
export interface StdioPipes {
  endpoint: StdioEndpoint;
  /** What the client writes. */
  toServer: PassThrough;
  /** What the client reads. */
  fromServer: PassThrough;
}

/** MCP on stdio over pipes in this process: what a host starts, without starting a process. */
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
