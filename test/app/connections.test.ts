/** Connections are limited in number and time, whatever the client does. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import type { RequestListener, Server, ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import {
  CONNECTION_TIMES,
  type ConnectionOptions,
  createLimitedServer,
  oneAtATime,
} from "../../src/app/connections.ts";
import { listenLocally } from "../support/loopback.ts";
import { startService } from "../support/service.ts";
import { send } from "../support/shopper.ts";

const QUICK = { headersTimeout: 40, requestTimeout: 80, connectionsCheckingInterval: 10 };

async function listening(options: Partial<ConnectionOptions> = {}): Promise<Server> {
  const edge = { baseUrl: () => "http://127.0.0.1:1", clock: () => 0 };
  const server = createLimitedServer({
    ...edge,
    most: 100,
    mostOfOne: 100,
    times: QUICK,
    ...options,
  });
  await listenLocally(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return server;
}

/** A client that sends `bytes`, then nothing, and never closes its side. */
async function stubborn(server: Server, bytes = ""): Promise<Socket> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  if (bytes) socket.write(bytes);
  return socket;
}

test.each([
  ["says nothing at all", ""],
  ["stops in its headers", "POST /v1/quotes HTTP/1.1\r\nHost: a\r\n"],
  ["stops in its body", "POST /v1/quotes HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{"],
  ["is no HTTP", "hello\r\n\r\n"],
])("a client that %s and never closes is disconnected", async (_, bytes) => {
  const server = await listening();
  const accepted = once(server, "connection") as Promise<[Socket]>;
  await stubborn(server, bytes);
  const [line] = await accepted;
  await once(line, "close");
  expect(line.destroyed).toBe(true);
});

test("a client that does not read its response is disconnected", async () => {
  const server = await listening({ idleMs: 50 });
  server.removeAllListeners("request");
  server.on("request", (_req, res) => void res.end(Buffer.alloc(50_000_000)));
  const accepted = once(server, "connection") as Promise<[Socket]>;
  const socket = await stubborn(server, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  socket.pause();
  const [line] = await accepted;
  await once(line, "close");
  expect(line.destroyed).toBe(true);
});

test("connections above the limit are refused, and the others stay", async () => {
  const server = await listening({ most: 2, times: {} });
  const [one, two] = [await stubborn(server), await stubborn(server)];
  await once((await stubborn(server)).resume(), "end");
  expect([one.readyState, two.readyState]).toEqual(["open", "open"]);
});

test("one address can't take all connections", async () => {
  const server = await listening({ mostOfOne: 2, times: {} });
  const [one] = [await stubborn(server), await stubborn(server)];
  const third = await stubborn(server);
  third.resume();
  await new Promise((resolve) => third.once("end", resolve).once("close", resolve));
  expect(one.readyState).toBe("open");
  one.destroy();
  await once(one, "close");
});

test("the default limits end every stalled request within a minute", () => {
  const {
    headersTimeout = 0,
    requestTimeout = 0,
    connectionsCheckingInterval = 0,
  } = CONNECTION_TIMES;
  expect(headersTimeout).toBeGreaterThan(0);
  expect(requestTimeout).toBeGreaterThan(headersTimeout);
  expect(requestTimeout + connectionsCheckingInterval).toBeLessThan(60_000);
});

/** Every server of this process that answers during `act`, and its end of each connection. */
async function answering(act: () => Promise<void>) {
  const servers = new Set<Server>();
  const sockets = new Set<Socket>();
  const note = (message: unknown) => {
    const { server, socket } = message as { server: Server; socket: Socket };
    servers.add(server);
    sockets.add(socket);
  };
  subscribe("http.server.request.start", note);
  await act().finally(() => unsubscribe("http.server.request.start", note));
  return { servers: [...servers], sockets: [...sockets] };
}

test("every server keeps an idle connection longer than a proxy pools it", async () => {
  const service = await startService({ METRICS_PORT: "0" });
  onTestFinished(() => service.stop());
  const { servers, sockets } = await answering(async () => {
    await send(`http://127.0.0.1:${service.metricsPort}`, "/metrics");
    await send(service.baseUrl, "/healthz");
  });
  expect(servers).toHaveLength(2);
  for (const { keepAliveTimeout } of servers) expect(keepAliveTimeout).toBeGreaterThan(90_000);
  const pooled = sockets.filter((socket) => !socket.destroyed);
  expect(pooled.length).toBeGreaterThan(1);
  for (const { timeout = 0 } of pooled) expect(timeout).toBeGreaterThan(90_000);
});

/** A service that answers only when the test does. */
async function answeredByHand(): Promise<{ server: Server; asked: ServerResponse[] }> {
  const server = await listening({ times: {} });
  const asked: ServerResponse[] = [];
  const answer: RequestListener = (_req, res) => void asked.push(res);
  server.removeAllListeners("request").on("request", oneAtATime(answer));
  return { server, asked };
}

const pipelined = (requests: number) => "GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(requests);

test("requests of one connection are answered in turn", async () => {
  const { server, asked } = await answeredByHand();
  const socket = await stubborn(server, pipelined(10));
  let text = "";
  socket.on("data", (part) => {
    text += part;
  });
  for (let i = 0; i < 10; i++) {
    await expect.poll(() => asked.length).toBe(i + 1);
    asked[i]!.end(`answer ${i}.`);
  }
  await expect.poll(() => text.match(/answer \d\./g)).toHaveLength(10);
});

test("a connection with too many unanswered requests ends, and so does the work for it", async () => {
  const { server, asked } = await answeredByHand();
  const accepted = once(server, "connection") as Promise<[Socket]>;
  const socket = await stubborn(server, pipelined(5000));
  socket.resume();
  const [line] = await accepted;
  await once(line, "close");
  expect(asked).toHaveLength(1);
});
