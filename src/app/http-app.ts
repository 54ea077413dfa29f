import type { IncomingMessage, ServerResponse } from "node:http";
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from "express";
import helmet from "helmet";
import { type Api, mountOperations } from "../api/api.ts";
import { discoveryDocuments } from "../api/discovery.ts";
import type { Operation } from "../api/operation.ts";
import { mountWebhook } from "../api/webhook.ts";
import { MerchantError } from "../core/errors.ts";
import { knowsHost } from "../core/known-names.ts";
import type { SandboxBuyer } from "../payments/sandbox/buyer.ts";
import { mountCancelRequest } from "../shop/cancel-request.ts";
import { mountGuide } from "../shop/guide.ts";
import { mountQuickCheckout } from "../shop/quick-checkout.ts";
import { mountQuickLink } from "../shop/quick-link.ts";
import { mountReview } from "../shop/review.ts";
import { mountSandbox } from "../shop/sandbox.ts";
import { mountShop } from "../shop/shop.ts";
import { mountWaitlist } from "../shop/waitlist.ts";
import { crossOrigin } from "../web/cross-origin.ts";
import {
  assets,
  type Document,
  mountBeanPictures,
  mountDocuments,
  unknownPath,
} from "../web/documents.ts";
import type { ShopFrame } from "../web/layout.ts";
import { sendRefusal } from "../web/page-answers.ts";
import { fromExpress, sendProblem } from "../web/problem-answers.ts";
import { compressedAnswers } from "../web/representation.ts";
import { tellOfProxy, traced } from "../web/request-context.ts";
import { onlyMethods } from "../web/routes.ts";
import { mountHealth } from "./health.ts";

export interface AppOptions extends Api {
  operations: readonly Operation[];
  /** Ready-made public documents: catalog, agent-info, openapi, llms.txt. */
  documents: readonly Document[];
  /** The MCP endpoint, mounted at /mcp. */
  mcp: (req: express.Request, res: express.Response) => Promise<void>;
  /** Puts the merchant's pages at /desk. */
  desk: (app: Express) => void;
  /** Present in the sandbox only. */
  buyer?: SandboxBuyer;
  trustProxy: number;
  /** Origins besides our own whose pages may call the API; "*" for any. */
  corsOrigins: readonly string[];
  /** Further host names under which a service that only this machine reaches may be called. */
  allowedHosts: readonly string[];
  /** Others reach it: by whatever name and address, of which we do not know all. */
  public: boolean;
  version: string;
  installation: string;
  /** It is served beside MCP on stdio, and ends with that. */
  endsWithClient: boolean;
}

/** Everything over HTTP: /v1, the webhook, MCP and the pages. */
export function createApp(options: AppOptions): Express {
  const { service, edge, operations } = options;
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("trust proxy", options.trustProxy);
  app.set("query parser", "simple");
  app.locals.shop = service.merchant satisfies ShopFrame;
  app.use(traced(edge));
  if (options.trustProxy === 0) app.use(tellOfProxy(edge));
  app.use(securityHeaders(options));
  app.use(withoutLastSlash);
  if (!options.public) app.use(knownHost(options));
  const documents = [
    ...options.documents.map((document) => ({
      ...document,
      operation: operations.find(({ http }) => http.path === document.path),
    })),
    ...assets(service.merchant),
    ...discoveryDocuments(options),
  ];
  app.use(crossOrigin({ ...options, publicPaths: publicPaths(documents, operations) }));
  app.use(["/v1", "/mcp"], compressedAnswers);
  // Written by hand: bytes made once, and the one GET that answers with a redirect.
  const byHand = new Set([...options.documents.map(({ path }) => path), "/v1/quick-checkout"]);
  // First of all routes: they are what is called most, and every route before a route costs it a look.
  mountOperations(
    app,
    operations.filter((op) => !byHand.has(op.http.path)),
    options,
  );
  mountWebhook(app, options);
  mountHealth(app, options);
  mountDocuments(app, documents, options);
  mountBeanPictures(app, options);
  mountShop(app, options);
  mountGuide(app, options);
  mountQuickLink(app, options);
  mountQuickCheckout(app, options);
  app.options("/mcp", onlyMethods(["POST"]));
  app.all("/mcp", options.mcp);
  mountReview(app, options);
  mountCancelRequest(app, options);
  mountWaitlist(app, options);
  options.desk(app);
  if (options.buyer) mountSandbox(app, options.buyer, edge);
  app.use(unknownPath);
  app.use(refuse(options));
  return app;
}

/** One address for each page: from the one that it was called by it makes its forms and links. */
const withoutLastSlash: RequestHandler = (req, _res, next) => {
  const { path } = req;
  if (path !== "/" && path.endsWith("/")) req.url = req.url.replace(path, () => path.slice(0, -1));
  next();
};

/** What is read without a key. */
const publicPaths = (documents: readonly Document[], operations: readonly Operation[]) =>
  new Set([
    ...["/", "/llms.txt"],
    ...documents.map(({ path }) => path),
    ...operations
      .filter(({ http, access }) => http.method === "GET" && access !== "agent")
      .map(({ http }) => http.path),
  ]);

/** Where programs are at home every refusal is JSON; the one link that people open is not there. */
const FOR_PROGRAMS = /^\/(v1(?!\/quick-checkout$)|mcp|webhooks|healthz|readyz)(\/|$)/;

function refuse({ edge }: AppOptions): ErrorRequestHandler {
  return (error, req, res, _next) => {
    if (FOR_PROGRAMS.test(req.path)) sendProblem(res, fromExpress(error), edge);
    else sendRefusal(res, fromExpress(error), edge);
  };
}

/** Pages elsewhere must not read a local shop by making their own name point to this machine. */
function knownHost({ edge, allowedHosts, corsOrigins }: AppOptions): RequestHandler {
  const known = knowsHost({ baseUrl: edge.baseUrl, hosts: allowedHosts, origins: corsOrigins });
  return (req, _res, next) => {
    // MCP looks by itself, and answers in its own words.
    if (req.path === "/mcp" || known(req.headers.host)) next();
    else throw new MerchantError("HOST_REFUSED", "This shop is not called by that host name.");
  };
}

/** No script, no frame, nothing from elsewhere; forms go to us and on to the provider's page. */
function securityHeaders({ service, edge }: AppOptions): RequestHandler {
  const { checkoutOrigins } = service.merchant.payments;
  const set = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        "default-src": ["'none'"],
        "style-src": ["'self'"],
        "img-src": ["'self'"],
        // Chromium applies this to the redirect after a form as well, and blocks it without a word.
        "form-action": ["'self'", ...new Set([new URL(edge.baseUrl).origin, ...checkoutOrigins])],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
      },
    },
    strictTransportSecurity: edge.baseUrl.startsWith("https:"),
    referrerPolicy: { policy: "no-referrer" },
    crossOriginResourcePolicy: { policy: "same-origin" },
  });
  // No cache keeps an answer, unless it says so itself: what is the same for everybody, a form to be sent again.
  const headers = [...headersOf(set), ["Cache-Control", "no-store"] as const];
  return (_req, res, next) => {
    for (const [name, value] of headers) res.setHeader(name, value);
    next();
  };
}

/** What a middleware sets whatever the request: asked once, for it would work it out each time. */
function headersOf(set: ReturnType<typeof helmet>): [string, string][] {
  const headers: [string, string][] = [];
  const response = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader() {},
  };
  set({} as IncomingMessage, response as unknown as ServerResponse, () => {});
  return headers;
}
