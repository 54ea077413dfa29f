import cors from "cors";
import type { Request, RequestHandler } from "express";

/** Whose browser pages may read which answers. */
interface CrossOrigin {
  /** Origins whose pages may call everything; "*" for any. */
  corsOrigins: readonly string[];
  /** What everybody may read without a key, any page may read, refusals included (contract §18). */
  publicPaths: ReadonlySet<string>;
}

export function crossOrigin({ corsOrigins, publicPaths }: CrossOrigin): RequestHandler {
  const named = corsOrigins.includes("*") ? "*" : corsOrigins.length > 0 && [...corsOrigins];
  const forAll = cors(PUBLIC);
  const forNamed = cors({ ...COMMON, origin: named, methods: ["GET", "POST", "DELETE"] });
  return (req, res, next) => {
    if (!publicPaths.has(req.path) || !PUBLIC.methods.includes(wantedMethod(req)))
      forNamed(req, res, next);
    else {
      res.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
      forAll(req, res, next);
    }
  };
}

/** A preflight asks for another method than its own. */
const wantedMethod = (req: Request): string =>
  req.method === "OPTIONS" ? (req.header("access-control-request-method") ?? "GET") : req.method;

const COMMON: cors.CorsOptions = {
  allowedHeaders: [
    "authorization",
    "content-type",
    "idempotency-key",
    "finder-key",
    "if-none-match",
    "mcp-protocol-version",
    "mcp-method",
    "mcp-name",
  ],
  exposedHeaders: [
    "request-id",
    "idempotent-replayed",
    "ratelimit",
    "ratelimit-policy",
    "retry-after",
    "etag",
    "location",
    "link",
  ],
  maxAge: 600,
};

/** The route goes on with a preflight, and says its methods in Allow as well. */
const PUBLIC = {
  ...COMMON,
  origin: "*",
  methods: ["GET", "HEAD"],
  preflightContinue: true,
} satisfies cors.CorsOptions;
