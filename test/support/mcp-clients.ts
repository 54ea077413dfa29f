import { PassThrough } from "node:stream";
import {
  Client,
  type ClientOptions,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { Client as ClientOf2025 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HttpOf2025 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { AjvJsonSchemaValidator as AjvOf2025 } from "@modelcontextprotocol/sdk/validation/ajv";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
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

/** Clients in use: 2.x in its modes, and 1.x of the 2025 protocols. */
export const CLIENTS = ["pinned", "auto", "legacy", "sdk-1.x"] as const;
export type ClientKind = (typeof CLIENTS)[number];

const INFO = { name: "test-client", version: "1.0.0" };

const NEGOTIATION = {
  pinned: { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  auto: { versionNegotiation: { mode: "auto" } },
  legacy: {},
} as const;

/** Compiles each schema once: every client has the same tools. */
function compilingOnce(validator: jsonSchemaValidator): jsonSchemaValidator {
  // biome-ignore lint/suspicious/noExplicitAny: whatever its schema describes.
  const compiled = new Map<string, JsonSchemaValidator<any>>();
  return {
    getValidator(schema) {
      const text = JSON.stringify(schema);
      const known = compiled.get(text) ?? validator.getValidator(schema);
      compiled.set(text, known);
      return known;
    },
  };
}

const VALIDATOR = compilingOnce(new AjvJsonSchemaValidator());
const VALIDATOR_OF_2025 = compilingOnce(new AjvOf2025());

/** Creates a client. Both kinds have the type of 2.x: their methods and results are the same. */
export function makeClient(kind: ClientKind, options: ClientOptions = {}): Client {
  const client =
    kind === "sdk-1.x"
      ? (new ClientOf2025(INFO, {
          jsonSchemaValidator: VALIDATOR_OF_2025,
          ...(options as object),
        }) as unknown as Client)
      : new Client(INFO, { jsonSchemaValidator: VALIDATOR, ...NEGOTIATION[kind], ...options });
  onTestFinished(() => client.close());
  return client;
}

export interface ConnectOptions extends ClientOptions {
  /** Default: /mcp. */
  path?: string;
  /** Sent as Authorization: Bearer. */
  key?: string | undefined;
}

export async function overHttp(
  baseUrl: string,
  kind: ClientKind,
  { key, path = "/mcp", ...options }: ConnectOptions = {},
): Promise<Client> {
  const client = makeClient(kind, options);
  const init =
    key === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${key}` } } };
  const url = new URL(path, baseUrl);
  const transport = kind === "sdk-1.x" ? new HttpOf2025(url, init) : undefined;
  await client.connect((transport as never) ?? new StreamableHTTPClientTransport(url, init));
  return client;
}

/** The server's transport also works for a client, because both ends speak the same format. */
export async function overPipes(
  { toServer, fromServer }: StdioPipes,
  kind: ClientKind,
  options: ClientOptions = {},
): Promise<Client> {
  const client = makeClient(kind, options);
  await client.connect(new StdioServerTransport(fromServer, toServer));
  return client;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever came.
export type Result = any;

/** Calls a tool and returns its result. */
export async function call(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Result> {
  return client.callTool({ name, arguments: args });
}
