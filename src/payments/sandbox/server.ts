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
import type { ApiFault } from "./interference.ts";
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

const FAILED = refusal(new ApiError(500, "An unknown error occurred."));

async function answered(run: () => Promise<object>): Promise<Answer> {
  try {
    return { status: 200, body: JSON.stringify(await run()) };
  } catch (error) {
    if (error instanceof ApiError) return refusal(error);
    throw error;
  }
}

const forbidden = (permission: string): ApiError =>
  new ApiError(
    403,
    "The provided key 'rk_test_*********' does not have the required permissions for this endpoint on " +
      `account 'acct_sandbox'. Having the '${permission}' permission would allow this request to ` +
      "continue.",
  );

function send(response: ServerResponse, answer: Answer, replayed = false): void {
  response.writeHead(answer.status, {
    "content-type": "application/json",
    "request-id": `req_${newSeed().slice(0, 14)}`,
    ...(replayed ? { "idempotent-replayed": "true" } : {}),
  });
  response.end(answer.body);
}

export async function startServer(options: ServerOptions) {
  const { state, clock, interference } = options;

  async function dispatch(request: IncomingMessage, form: string, fault: ApiFault | null) {
    authorise(request, options.apiKey);
    const { method } = request;
    const url = new URL(request.url ?? "/", "http://sandbox");
    const route = ROUTES.find((r) => r.method === method && r.path.test(url.pathname));
    if (!route) {
      throw new ApiError(404, `Unrecognized request URL (${method}: ${url.pathname}).`);
    }
    if (interference.lacks?.includes(route.permission)) throw forbidden(route.permission);
    const id = decodeURIComponent(route.path.exec(url.pathname)?.[1] ?? "");
    const failing = fault?.kind === "error" ? fault : null;
    const prepare = () => {
      const run = route.bind(decode(method === "GET" ? url.search.slice(1) : form));
      const context = { ...options, id, now: clock() };
      return async (seed: string) => {
        if (failing && !failing.effect) return FAILED;
        const answer = await answered(() => run({ ...context, seed }));
        return failing ? FAILED : answer;
      };
    };
    const key = request.headers["idempotency-key"];
    if (method === "GET" || typeof key !== "string") {
      return { ...(await prepare()(newSeed())), replayed: false };
    }
    const fingerprint = `${method} ${url.pathname} ${form}`;
    return answerOnce(state, { key, request: fingerprint, now: clock(), prepare });
  }

  async function respond(request: IncomingMessage, response: ServerResponse) {
    const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
    const fault = interference.api?.({ method: request.method ?? "", path }) ?? null;
    // Only a 500 is what the request itself came to; the others never let it begin.
    if (fault?.kind === "error" && fault.status !== 500) {
      const code = fault.code ?? (fault.status === 429 ? "rate_limit" : undefined);
      throw new ApiError(fault.status, "A failure on request.", code);
    }
    if (fault?.kind === "rubbish") {
      response.writeHead(200, { "content-type": "text/html" });
      response.end(fault.body ?? "<html>502 Bad Gateway</html>");
      return;
    }
    const form = await readBody(request);
    if (fault?.kind === "timeout") {
      if (fault.effect) await dispatch(request, form, null);
      const timer = setTimeout(() => response.destroy(), fault.ms);
      response.once("close", () => clearTimeout(timer));
      return;
    }
    const answer = await dispatch(request, form, fault);
    send(response, answer, answer.replayed);
  }

  function failure(error: unknown): Answer {
    if (error instanceof ApiError) return refusal(error);
    options.onError(error);
    return FAILED;
  }

  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      if (!response.headersSent) send(response, failure(error));
    });
  });
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
