import { pipeline, type Readable, type Writable } from "node:stream";
import type { JSONRPCMessage, Server } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { newId } from "../core/ids.ts";
import { type Caller, stdioCaller } from "./caller.ts";
import { type McpOptions, mcpContents } from "./contents.ts";
import { authorizeSubscriptions, isListen, type OrderWatch, orderWatch } from "./order-watch.ts";
import { serverFactory } from "./server.ts";
import { MessageLines } from "./stdio-lines.ts";

export interface StdioOptions extends McpOptions {
  /** MERCHANT_API_KEY. Without it, the connection uses the key that it registers. */
  apiKey?: string | undefined;
  /** Defaults to the process's streams. */
  stdin?: Readable;
  stdout?: Writable;
}

export interface StdioEndpoint {
  /** Resolves when the client closes stdin. */
  closed: Promise<void>;
  close(): Promise<void>;
}

/** MCP on stdio: one connection, either protocol era. Nothing else may write to stdout. */
export function serveMcpStdio(options: StdioOptions): StdioEndpoint {
  const factory = serverFactory(mcpContents(options), options.service);
  const { merchant, clock, log } = options.service;
  const caller = stdioCaller(
    options.apiKey,
    () => newId("req", clock()),
    (key) => merchant.agents.authenticate(key),
  );
  // The SDK may discard a probe's server, so the newest one counts.
  let server: Server | undefined;
  const warn = (error: unknown) => log.warn({ error }, "MCP on stdio");
  const watch = orderWatch(options.service, (uri) => {
    server?.sendResourceUpdated({ uri }).catch(warn);
  });
  const { stdin = process.stdin, stdout = process.stdout } = options;
  const lines = new MessageLines((text) => void stdout.write(text), log);
  // The end of stdin reaches the transport, which then closes the connection.
  pipeline(stdin, lines, () => {});
  const transport = new ListeningTransport(watch, caller, { stdin: lines, stdout });
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  transport.ended = () => {
    watch.close();
    resolve();
  };
  const handle = serveStdio(
    (context) => {
      server = factory(context, caller, watch);
      return server;
    },
    { transport, onerror: warn },
  );
  return { closed, close: () => handle.close() };
}

/**
 * Narrows `subscriptions/listen` to orders of the connection's key before the SDK sees it. Later messages
 * wait for a listen request, so all keep their order.
 */
class ListeningTransport extends StdioServerTransport {
  ended: () => void = () => {};
  readonly #watch: OrderWatch;
  readonly #caller: Caller;
  readonly #stops = new Map<unknown, () => void>();
  #tail: Promise<void> = Promise.resolve();

  constructor(
    watch: OrderWatch,
    caller: Caller,
    { stdin, stdout }: { stdin: Readable; stdout: Writable },
  ) {
    super(stdin, stdout);
    this.#watch = watch;
    this.#caller = caller;
  }

  override async start(): Promise<void> {
    const deliver = this.onmessage;
    const closed = this.onclose;
    this.onmessage = (message) => {
      this.#tail = this.#tail
        .then(() => this.#allowed(message))
        .then((allowed) => deliver?.(allowed))
        .catch((error: unknown) => this.onerror?.(error as Error));
    };
    this.onclose = () => {
      closed?.();
      this.ended();
    };
    await super.start();
  }

  async #allowed(message: JSONRPCMessage): Promise<JSONRPCMessage> {
    if ("method" in message && message.method === "notifications/cancelled") {
      const id = (message.params as { requestId?: unknown } | undefined)?.requestId;
      this.#stops.get(id)?.();
      this.#stops.delete(id);
    }
    if (!isListen(message)) return message;
    const narrow = await authorizeSubscriptions(message, this.#watch, this.#caller.apiKey).catch(
      () => authorizeSubscriptions(message, this.#watch, undefined),
    );
    this.#stops.set((message as { id?: unknown }).id, narrow.stop);
    return narrow.message;
  }
}
