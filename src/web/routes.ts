import type { Express, Request, RequestHandler, Response } from "express";
import { MerchantError } from "../core/errors.ts";
import { bareToken } from "../core/ids.ts";
import { ownOrigins } from "../core/network.ts";
import { form } from "./body.ts";
import { endpointOf, type HttpContext } from "./request-context.ts";

/** The token in a page's path, however its link was pasted. */
export const tokenOf = (req: Request): string => bareToken(String(req.params.token));

export function mountGet(app: Express, path: string, ...handlers: RequestHandler[]): void {
  app
    .route(path)
    .get(handlers)
    .all(onlyMethods(["GET"]));
}

/** Mounts a form, which only our own pages may send. */
export function mountForm(
  app: Express,
  edge: HttpContext,
  path: string,
  { get, post }: { get?: RequestHandler; post: RequestHandler },
): void {
  const route = app.route(path).post(ownOrigin(edge), form, post);
  if (get) route.get(get);
  route.all(onlyMethods(get ? ["GET", "POST"] : ["POST"]));
}

/** Refuses forms from other sites (contract §5). */
export function ownOrigin({ baseUrl }: HttpContext): RequestHandler {
  const own = ownOrigins(baseUrl);
  return (req, _res, next) => {
    if (req.method === "GET" || req.method === "HEAD") return next();
    const origin = req.header("origin");
    const site = req.header("sec-fetch-site");
    const foreign =
      (origin !== undefined &&
        !own.includes(origin) &&
        origin !== `${req.protocol}://${req.host}`) ||
      (origin === undefined && site !== undefined && !["same-origin", "none"].includes(site));
    // A sandboxed or privacy-minded browser sends "null" from our own no-referrer page.
    const refused = foreign && !(origin === "null" && site === "same-origin");
    if (refused) throw new MerchantError("ORIGIN_REFUSED", "This form came from another site.");
    next();
  };
}

/** Answers other methods of a path with 405 and Allow. */
export function onlyMethods(methods: readonly string[]) {
  const allow = [...new Set([...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"])];
  return (req: Request, res: Response): void => {
    res.setHeader("Allow", allow.join(", "));
    if (req.method === "OPTIONS") {
      res.status(204).end();
      return;
    }
    throw new MerchantError(
      "METHOD_NOT_ALLOWED",
      `${req.method} is not supported here. Use ${methods.join(" or ")}.`,
      {
        next: methods.map((method) => ({
          action: endpointOf(res, method)!,
          why: "Supported here.",
        })),
      },
    );
  };
}
