import type { IncomingMessage, ServerResponse } from "node:http";
import cors from "cors";
import express, { type ErrorRequestHandler, type Request, type RequestHandler } from "express";
import helmet from "helmet";
import type { Logger } from "pino";
import { type Api, mountOperations } from "../api/api.ts";
import { discoveryDocuments } from "../api/discovery.ts";
import { openapi } from "../api/openapi/openapi.ts";
import type { Operation } from "../api/operation.ts";
import type { Service } from "../api/perform.ts";
import type { Contents } from "../api/resource.ts";
import { mountWebhook } from "../api/webhook.ts";
import { MerchantError } from "../core/errors.ts";
import { knowsHost, takesAnyOrigin } from "../core/network.ts";
import { namedAnswer } from "../core/next-step.ts";
import { mountDesk } from "../desk/desk.ts";
import { createMcpEndpoint, type McpEndpoint } from "../mcp/http.ts";
import { mountCancelRequest } from "../shop/cancel-request.ts";
import { mountContact } from "../shop/contact.ts";
import { mountFindOrder } from "../shop/find-order.ts";
import { mountGuide } from "../shop/guide.ts";
import { mountQuickCheckout } from "../shop/quick-checkout.ts";
import { mountQuickLink } from "../shop/quick-link.ts";
import { mountReview } from "../shop/review.ts";
import { mountSandbox } from "../shop/sandbox.ts";
import { mountShop } from "../shop/shop.ts";
import { mountWaitlist } from "../shop/waitlist.ts";
import { mountUcp } from "../ucp/endpoints.ts";
import { ucpProfiles } from "../ucp/envelope.ts";
import {
  assets,
  compressedAnswers,
  type Document,
  json,
  mountBeanPictures,
  mountDocuments,
  unknownPath,
} from "../web/documents.ts";
import type { ShopFrame } from "../web/layout.ts";
import { sendRefusal } from "../web/page-answers.ts";
import { fromExpress, sendProblem } from "../web/problem-answers.ts";
import { door, metered, warnAboutProxy } from "../web/request-context.ts";
import { requestLog } from "../web/request-log.ts";
import { onlyMethods } from "../web/routes.ts";
import type { OpenService } from "./compose.ts";
import type { Config } from "./config.ts";
import { MERCHANT_COMMAND } from "./data-folder.ts";
import { mountHealth } from "./health.ts";
import { shopContents } from "./registry.ts";

/** Serves all HTTP: /v1, MCP, the webhook, the pages and the desk. */
export interface WebHandler {
  answer(request: IncomingMessage, response: ServerResponse): void;
  close(): Promise<void>;
}

export interface WebOptions {
  contents: Contents;
  version: string;
  log: Logger;
  /** Replaces the product's own MCP endpoint, for conformance tests. */
  mcpEndpoint?: (service: Service) => McpEndpoint;
  /**
   * For MCP on stdio: the web is loaded by its first request, background jobs start a moment later, and
   * the service ends with its client.
   */
  webWhenAsked?: boolean;
}

interface AppParts extends Api {
  config: Config;
  operations: readonly Operation[];
}

export function createWeb(
  config: Config,
  { service, sandbox, installation }: OpenService,
  options: WebOptions & { leaving: AbortSignal },
): WebHandler {
  const { contents, version, log, leaving, webWhenAsked = false } = options;
  const { operations } = contents;
  const endpoint = (options.mcpEndpoint ?? productEndpoint(config, options))(service);
  const shop = productEndpoint(config, { version, contents: shopContents, keyless: true })(service);
  const mcp = { "/mcp": endpoint, "/mcp/shop": shop };
  const { baseUrl } = config;
  const { clock } = service;
  const edge = { baseUrl, clock, log, leaving, merchantCommand: MERCHANT_COMMAND };
  const parts = { service, edge, config, operations };
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("trust proxy", config.trustProxy);
  app.set("query parser", "simple");
  app.locals.shop = service.merchant satisfies ShopFrame;
  const requests = requestLog(edge, service.merchant.addressPseudonym);
  app.use(requests.logged);
  app.use(door(service.limits, Math.ceil(config.maxConnections / 4)));
  if (config.trustProxy === 0) app.use(warnAboutProxy(edge));
  app.use(securityHeaders(parts));
  app.use(withoutLastSlash);
  if (!config.public) app.use(knownHost(config, mcp));
  const ready = readyDocuments(parts);
  const ucp = config.offersUcp;
  const documents = [
    ...ready,
    ...assets(service.merchant),
    ...discoveryDocuments(parts),
    ...(ucp ? ucpProfiles(baseUrl) : []),
  ];
  app.use(crossOrigin(config, publicPaths(documents, operations), mcp));
  app.use(["/v1", "/mcp", "/ucp"], compressedAnswers);
  // MCP and operations come first: they are called most, and Express tries routes in order.
  for (const [path, { mountable }] of Object.entries(mcp)) {
    app
      .route(path)
      .options(onlyMethods(["POST"]))
      .all(mountable);
  }
  // Served by hand: documents, and the one GET that redirects.
  const byHand = new Set([...ready.map(({ path }) => path), "/v1/quick-checkout"]);
  mountOperations(
    app,
    operations.filter((op) => !byHand.has(op.http.path)),
    parts,
  );
  mountWebhook(app, parts);
  const health = { version, installation, endsWithClient: webWhenAsked };
  mountHealth(app, { ...parts, ...health });
  mountDocuments(app, documents);
  mountBeanPictures(app, service.merchant.catalog);
  const page = metered(PAGE_POINTS, service.limits);
  app.use((req, res, next) => (PAGES.test(req.path) ? page(req, res, next) : next()));
  mountShop(app, parts);
  mountGuide(app, parts);
  mountQuickLink(app, parts);
  mountQuickCheckout(app, parts);
  if (ucp) mountUcp(app, parts, version);
  mountReview(app, parts);
  mountFindOrder(app, parts);
  mountCancelRequest(app, parts);
  mountContact(app, parts);
  mountWaitlist(app, parts);
  mountDesk(app, parts);
  if (sandbox) mountSandbox(app, sandbox.buyer, parts);
  app.use(unknownPath);
  app.use(refuse(parts));
  const close = async () => {
    for (const one of Object.values(mcp)) await one.close();
    requests.flush();
  };
  const answer: WebHandler["answer"] = (request, response) => {
    request.url = originForm(request.url ?? "/");
    app(request, response);
  };
  return { answer, close };
}

/** The path and query of `GET http://shop.example/mcp`, as a request through a proxy may be written. */
function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  const url = URL.parse(target);
  return url && /^https?:$/.test(url.protocol) ? `${url.pathname}${url.search}` : target;
}

interface EndpointOptions extends Pick<WebOptions, "contents" | "version"> {
  keyless?: boolean;
}

const productEndpoint =
  (
    { allowedHosts, corsOrigins }: Config,
    { contents, version, keyless = false }: EndpointOptions,
  ) =>
  (service: Service) =>
    createMcpEndpoint({
      service,
      ...contents,
      version,
      keyless,
      allowedHosts,
      allowedOrigins: corsOrigins,
    });

/** Operations served as documents, with the same bytes for everybody. */
function readyDocuments({ service, config, operations }: AppParts): Document[] {
  const { information } = service.merchant;
  const catalog = async () => namedAnswer(await information.catalog(), "endpoints");
  return [
    json("/v1/catalog", catalog, { changes: true, maxAge: 60 }),
    json("/openapi.json", () => openapi(operations, config.baseUrl), { maxAge: 60 }),
  ].map((document) => ({
    ...document,
    operation: operations.find(({ http }) => http.path === document.path),
  }));
}

/** Pages that are made for each request. Each costs database reads. */
const PAGE_POINTS = 4;

const PAGES =
  /^\/($|(beans|cart|checkout|find-order|llms\.txt|privacy|quick-checkout-link|review|sandbox|shipping|waitlist)(\/|$))/i;

/** One URL per page, because a page builds its forms and links from it. */
const withoutLastSlash: RequestHandler = (req, _res, next) => {
  const { path } = req;
  if (path !== "/" && path.endsWith("/")) req.url = req.url.replace(path, () => path.slice(0, -1));
  next();
};

const publicPaths = (documents: readonly Document[], operations: readonly Operation[]) =>
  new Set([
    ...["/", "/llms.txt"],
    ...documents.map(({ path }) => path),
    ...operations
      .filter(({ http, access }) => http.method === "GET" && access !== "agent")
      .map(({ http }) => http.path),
  ]);

/** Paths for programs, whose refusals are JSON. People open the quick-checkout link. */
const FOR_PROGRAMS = /^\/(v1(?!\/quick-checkout$)|mcp|ucp|webhooks|healthz|readyz)(\/|$)/i;

function refuse({ edge }: Api): ErrorRequestHandler {
  return (error, req, res, _next) => {
    if (FOR_PROGRAMS.test(req.path)) sendProblem(res, fromExpress(error), edge);
    else sendRefusal(res, fromExpress(error), edge);
  };
}

/** Foreign pages must not read a local shop by pointing their own name to this machine. */
function knownHost({ baseUrl, allowedHosts, corsOrigins }: Config, mcp: object): RequestHandler {
  const known = knowsHost({ baseUrl, hosts: allowedHosts, origins: corsOrigins });
  return (req, _res, next) => {
    // MCP checks the host itself, and answers in its own format.
    if (Object.hasOwn(mcp, req.path) || known(req.headers.host)) next();
    else throw new MerchantError("HOST_REFUSED", "This shop is not called by that host name.");
  };
}

/** No scripts, frames or foreign content. Forms go to us and on to the provider's page. */
function securityHeaders({ service, edge }: Api): RequestHandler {
  const { checkoutOrigins } = service.merchant.payments;
  const set = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        "default-src": ["'none'"],
        "style-src": ["'self'"],
        "img-src": ["'self'"],
        // Chromium applies this to the redirect after a form, too, and blocks it silently.
        "form-action": ["'self'", ...new Set([new URL(edge.baseUrl).origin, ...checkoutOrigins])],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
      },
    },
    // Other names of the domain may still be served over http.
    strictTransportSecurity: edge.baseUrl.startsWith("https:") && { includeSubDomains: false },
    referrerPolicy: { policy: "no-referrer" },
    crossOriginResourcePolicy: { policy: "same-origin" },
    // For Internet Explorer and Flash.
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
  // They are the same for every request, so helmet sets them once.
  const headers = recordedHeaders(set);
  // Responses that may be cached replace this header.
  headers.set("Cache-Control", "no-store");
  return (_req, res, next) => {
    for (const [name, value] of headers) res.setHeader(name, value);
    next();
  };
}

function recordedHeaders(set: ReturnType<typeof helmet>): Map<string, string> {
  const headers = new Map<string, string>();
  const response = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  };
  set({} as IncomingMessage, response as unknown as ServerResponse, (error) => {
    if (error) throw error;
  });
  return headers;
}

/**
 * Every web page may read responses that need no key, errors included, and call a public shop's MCP. Only
 * named origins may call the rest (contract §18).
 */
function crossOrigin(
  { baseUrl, corsOrigins: origins }: Config,
  publicPaths: ReadonlySet<string>,
  mcp: object,
): RequestHandler {
  const named = origins.includes("*") ? "*" : origins.length > 0 && [...origins];
  const methods = ["GET", "POST", "PUT", "DELETE"];
  const forAll = cors(PUBLIC);
  const forNamed = cors({ ...COMMON, origin: named, methods });
  const isOpen = takesAnyOrigin({ baseUrl, origins });
  const forMcp = isOpen ? cors({ ...COMMON, origin: "*", methods }) : forNamed;
  return (req, res, next) => {
    if (Object.hasOwn(mcp, req.path)) forMcp(req, res, next);
    else if (!publicPaths.has(req.path) || !PUBLIC.methods.includes(wantedMethod(req)))
      forNamed(req, res, next);
    else {
      res.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
      forAll(req, res, next);
    }
  };
}

/** The method that a preflight asks for. */
const wantedMethod = (req: Request): string =>
  req.method === "OPTIONS" ? (req.header("access-control-request-method") ?? "GET") : req.method;

const COMMON: cors.CorsOptions = {
  allowedHeaders:
    "authorization,content-type,idempotency-key,finder-key,if-none-match,mcp-protocol-version,mcp-method,mcp-name,ucp-agent,request-id",
  exposedHeaders:
    "request-id,idempotent-replayed,ratelimit,ratelimit-policy,retry-after,etag,location,link",
  maxAge: 600,
};

/** After a preflight the route still lists its methods in Allow. */
const PUBLIC = {
  ...COMMON,
  origin: "*",
  methods: ["GET", "HEAD"],
  preflightContinue: true,
} satisfies cors.CorsOptions;
