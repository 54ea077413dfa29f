/**
 * The loopback endpoint of the emulator: authorisation, form bodies, idempotency and Stripe's answers.
 * It listens on 127.0.0.1 only and wants a key that is made anew at every start.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import Stripe from "stripe";
import { COUPON_ROUTES } from "./coupon-routes.ts";
import { ApiError } from "./errors.ts";
import { type Answer, answerOnce, newSeed } from "./idempotency.ts";
import { decode } from "./params.ts";
import { REFUND_ROUTES } from "./refund-routes.ts";
import type { RouteContext } from "./route.ts";
import { SESSION_ROUTES } from "./session-routes.ts";

const ROUTES = [...SESSION_ROUTES, ...COUPON_ROUTES, ...REFUND_ROUTES];

export interface ServerOptions extends Omit<RouteContext, "now" | "seed" | "id"> {
  apiKey: string;
  clock: () => number;
  /** Called with what should not have happened; the client is told as little as Stripe tells. */
  onError: (error: unknown) => void;
}

const MAX_BODY = 1_000_000;

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) throw new ApiError(413, "The request body is too large.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function authorise(request: IncomingMessage, apiKey: string): void {
  if (request.headers.authorization !== `Bearer ${apiKey}`) {
    throw new ApiError(401, "Invalid API Key provided.");
  }
  const version = request.headers["stripe-version"];
  if (version !== Stripe.API_VERSION) {
    const message = `The sandbox speaks API version ${Stripe.API_VERSION}, not ${version}.`;
    throw new ApiError(400, message);
  }
}

const refusal = (error: ApiError): Answer => ({ status: error.status, body: error.body() });

async function answered(run: () => Promise<object>): Promise<Answer> {
  try {
    return { status: 200, body: JSON.stringify(await run()) };
  } catch (error) {
    if (error instanceof ApiError) return refusal(error);
    throw error;
  }
}

function send(response: ServerResponse, { status, body, replayed }: Answer): void {
  response.writeHead(status, {
    "content-type": "application/json",
    "request-id": `req_${newSeed().slice(0, 14)}`,
    ...(replayed && { "idempotent-replayed": "true" }),
  });
  response.end(body);
}

export async function startServer(options: ServerOptions) {
  const { state, clock, interference } = options;
  const { around = (listener) => listener } = interference;

  async function dispatch(request: IncomingMessage): Promise<Answer> {
    const form = await readBody(request);
    authorise(request, options.apiKey);
    const { method } = request;
    const url = new URL(request.url ?? "/", "http://sandbox");
    const route = ROUTES.find((r) => r.method === method && r.path.test(url.pathname));
    if (!route) {
      throw new ApiError(404, `Unrecognized request URL (${method}: ${url.pathname}).`);
    }
    const id = decodeURIComponent(route.path.exec(url.pathname)?.[1] ?? "");
    const prepare = () => {
      const run = route.bind(decode(method === "GET" ? url.search.slice(1) : form));
      const context = { ...options, id, now: clock() };
      return (seed: string) => answered(() => run({ ...context, seed }));
    };
    const key = request.headers["idempotency-key"];
    if (method === "GET" || typeof key !== "string") {
      return prepare()(newSeed());
    }
    const fingerprint = `${method} ${url.pathname} ${form}`;
    return answerOnce(state, { key, request: fingerprint, now: clock(), prepare });
  }

  function failure(error: unknown): Answer {
    if (error instanceof ApiError) return refusal(error);
    options.onError(error);
    return refusal(new ApiError(500, "An unknown error occurred."));
  }

  const server = createServer(
    around(async (request, response) => {
      send(response, await dispatch(request).catch(failure));
    }),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The sandbox has no port.");
  return {
    port: address.port,
    close: (): Promise<void> =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Kept-alive and faulted connections would hold the process open.
        server.closeAllConnections();
      }),
  };
}
