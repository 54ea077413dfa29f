import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import express, { type NextFunction, type Request, type Response } from "express";
import { sha256 } from "../../core/hash.ts";
import { DAY_MS } from "../../core/policy.ts";
import { ApiError } from "./params.ts";
import { type RouteContext, sandboxRoutes } from "./routes.ts";
import type { SandboxState } from "./state.ts";

export interface ServerOptions extends RouteContext {
  apiKey: string;
  /** Wraps the whole server; for tests. */
  around?: ((listener: RequestListener) => RequestListener) | undefined;
  /** Receives unexpected errors; the client learns as little as Stripe tells. */
  onError: (error: unknown) => void;
}

/** The emulated Stripe API on 127.0.0.1. It accepts only `apiKey`. */
export async function startServer(options: ServerOptions) {
  const { state, clock, apiKey, onError, around = (listener) => listener } = options;
  const app = express();
  app.set("query parser", "extended");
  app.use((request, _, next) => {
    if (request.headers.authorization === `Bearer ${apiKey}`) return next();
    throw new ApiError(401, "Invalid API Key provided.");
  });
  app.use(express.urlencoded({ extended: true, limit: "1mb", parameterLimit: 10_000 }));
  for (const { method, path, bind } of sandboxRoutes(options)) {
    app[method](path, async (request: Request, response: Response) => {
      const run = bind(method === "get" ? request.query : (request.body ?? {}));
      const { seed, repeated } = await seedOf(request, state, clock());
      const answer = await run({ id: String(request.params.id ?? ""), seed });
      if (repeated) response.set("idempotent-replayed", "true");
      response.json(answer);
    });
  }
  app.use(({ method, path }) => {
    throw new ApiError(404, `Unrecognized request URL (${method}: ${path}).`);
  });
  app.use((error: unknown, _: Request, response: Response, __: NextFunction) => {
    const known = error instanceof ApiError;
    if (!known) onError(error);
    const refusal = known ? error : new ApiError(500, "An unknown error occurred.");
    response.status(refusal.status).type("json").send(refusal.body());
  });
  const server = createServer(around(app));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    close: (): Promise<void> =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Connections kept alive would hold the process open.
        server.closeAllConnections();
      }),
  };
}

/**
 * The seed that belongs to the request's Idempotency-Key for a day. Because ids are made from it, a
 * repeated request finds the object it created before, even after a crash in between.
 */
async function seedOf(
  request: Request,
  state: SandboxState,
  now: number,
): Promise<{ seed: string; repeated: boolean }> {
  const key = request.get("idempotency-key");
  const seed = randomBytes(24).toString("hex");
  if (request.method === "GET" || key === undefined) return { seed, repeated: false };
  const id = `idem_${sha256(key)}`;
  const fingerprint = sha256(`${request.path} ${JSON.stringify(request.body)}`);
  const row = await state.get(id);
  const first =
    row && (JSON.parse(row.body) as { fingerprint: string; seed: string; firstAt: number });
  if (first && now - first.firstAt < DAY_MS) {
    if (first.fingerprint === fingerprint) return { seed: first.seed, repeated: true };
    const message =
      "Keys for idempotent requests can only be used with the same parameters they were first " +
      `used with. Try using a key other than '${key}' if you meant to execute a different request.`;
    throw new ApiError(400, message, undefined, undefined, "idempotency_error");
  }
  const body = JSON.stringify({ fingerprint, seed, firstAt: now });
  const stored = await state.put(id, "idempotency", body, row?.version ?? 0);
  return stored ? { seed, repeated: false } : seedOf(request, state, now);
}
