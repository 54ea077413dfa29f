import { PassThrough } from "node:stream";
import { onTestFinished } from "vitest";
import { prompts, resources } from "../../resources/index.ts";
import { readConfig } from "../../src/config.ts";
import { createLog } from "../../src/log.ts";
import { createMcpFace, type McpFace, type McpFaceOptions } from "../../src/mcp/http.ts";
import { type StdioFace, serveMcpStdio } from "../../src/mcp/stdio.ts";
import type { Service } from "../../src/operation.ts";
import { type Served, serve } from "../../src/serve.ts";
import { operations } from "../../tools/index.ts";

export const offered = { operations, resources, prompts, version: "0.0.0-test" };

/** The whole service with its MCP face, on a free port, in memory. */
export async function startMcp(
  options: {
    env?: Record<string, string>;
    face?: Partial<McpFaceOptions>;
    mcp?: (service: Service) => McpFace;
  } = {},
): Promise<Served> {
  const config = readConfig({
    PORT: "0",
    DATABASE_URL: "sqlite::memory:",
    RATE_LIMITS: "off",
    LOG_LEVEL: "silent",
    ...options.env,
  });
  return serve(config, {
    log: createLog(config.logLevel),
    checkAnswers: true,
    contents: { operations, resources, prompts },
    face: options.mcp ?? ((service) => createMcpFace({ ...offered, service, ...options.face })),
    version: offered.version,
  });
}

/** The server's end of a pipe pair, and the two ends a client holds. */
export interface Piped {
  face: StdioFace;
  /** What the client writes. */
  toServer: PassThrough;
  /** What the client reads. */
  fromServer: PassThrough;
}

/** MCP on stdio over pipes in this process: what a host starts, without starting a process. */
export function startStdio(service: Service, apiKey?: string): Piped {
  const toServer = new PassThrough();
  const fromServer = new PassThrough();
  const face = serveMcpStdio({ ...offered, service, apiKey, stdin: toServer, stdout: fromServer });
  onTestFinished(() => face.close());
  return { face, toServer, fromServer };
}
