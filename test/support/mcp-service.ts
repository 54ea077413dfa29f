import { PassThrough } from "node:stream";
import { onTestFinished } from "vitest";
import type { Service } from "../../src/api/perform.ts";
import { contents } from "../../src/app/registry.ts";
import { type StdioEndpoint, serveMcpStdio } from "../../src/mcp/stdio.ts";

export const offered = { ...contents, version: "0.0.0-test" };

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
