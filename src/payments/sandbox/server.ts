import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import Stripe from "stripe";
import { DAY_MS } from "../../core/policy.ts";
import { sha256 } from "../../core/sha256.ts";
import { ApiError, decode } from "./params.ts";
import { COUPON_ROUTES, REFUND_ROUTES, type RouteContext, SESSION_ROUTES } from "./routes.ts";
import { mutate, type SandboxState } from "./state.ts";

/**
 * The loopback endpoint of the emulator: authorisation, form bodies, idempotency and Stripe's answers.
 * It listens on 127.0.0.1 only and wants a key that is made anew at every start.
 */

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

/**
 * Stripe's Idempotency-Key: the same key with the same body gives the same answer, with another
 * body an error, and while the first is still being worked on a conflict that the library retries
 * by itself.
 */

const KIND = "idempotency";
const KEPT_MS = DAY_MS;
/**
 * After this the process that began is taken for dead and another may go on in its place: much longer
 * than any answer takes, and no longer than a buyer waits.
 */
const ABANDONED_MS = 5_000;

export interface Answer {
  status: number;
  body: string;
  /** The repeat of one that was given before. */
  replayed?: true;
}

interface Claim {
  fingerprint: string;
  /** Ids are made from it, so that going on after a crash makes the same objects, not new ones. */
  seed: string;
  firstAt: number;
  startedAt: number;
  done: boolean;
  /** A refusal is kept word for word. Any other answer is made again from the object itself. */
  refusal: Answer | null;
}

const newSeed = (): string => randomBytes(24).toString("hex");

function check(claim: Claim, fingerprint: string, key: string, now: number): void {
  if (claim.fingerprint !== fingerprint) {
    const message =
      "Keys for idempotent requests can only be used with the same parameters they were first " +
      `used with. Try using a key other than '${key}' if you meant to execute a different request.`;
    throw new ApiError(400, message, undefined, undefined, "idempotency_error");
  }
  if (!claim.done && now - claim.startedAt < ABANDONED_MS) {
    const message = `There is currently another in-progress request using this key '${key}'.`;
    const code = "idempotency_key_in_use";
    throw new ApiError(409, message, code, undefined, "idempotency_error");
  }
}

export interface Idempotent {
  key: string;
  /** Method, path and body as they came. */
  request: string;
  now: number;
  /** Throws where the parameters are wrong: such an answer is not kept, and the key stays free. */
  prepare: () => (seed: string) => Promise<Answer>;
}

async function answerOnce(
  state: SandboxState,
  { key, request, now, prepare }: Idempotent,
): Promise<Answer> {
  const id = `idem_${sha256(key)}`;
  const fingerprint = sha256(request);
  const row = await state.get(id);
  const known = row ? (JSON.parse(row.body) as Claim) : null;
  const current = known && now - known.firstAt < KEPT_MS ? known : null;
  if (current) check(current, fingerprint, key, now);
  if (current?.refusal) return { ...current.refusal, replayed: true };
  const run = prepare();
  if (current?.done) return { ...(await run(current.seed)), replayed: true };
  const claim: Claim = {
    fingerprint,
    seed: current?.seed ?? newSeed(),
    firstAt: current?.firstAt ?? now,
    startedAt: now,
    done: false,
    refusal: null,
  };
  if (!(await state.put(id, KIND, JSON.stringify(claim), row?.version ?? 0))) {
    return answerOnce(state, { key, request, now, prepare });
  }
  const keep = (change: Partial<Claim>) =>
    mutate<Claim>(state, id, (stored) => ({ next: { ...stored, ...change }, kind: KIND }));
  try {
    const answer = await run(claim.seed);
    await keep({ done: true, refusal: answer.status === 200 ? null : answer });
    return answer;
  } catch (error) {
    await keep({ startedAt: 0 });
    throw error;
  }
}
