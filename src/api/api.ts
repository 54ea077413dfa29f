import type { Express, Request, RequestHandler, Response } from "express";
import { MerchantError } from "../core/errors.ts";
import { pointer } from "../core/input-problems.ts";
import { sameWord } from "../core/nearest.ts";
import { type CredentialName, namedAnswer, placeOf } from "../core/next-step.ts";
import { jsonBody } from "../web/body.ts";
import { acceptsJson, bearerKey, callerGone, pathParameters } from "../web/http-request.ts";
import { callerAddress, type HttpContext, sendLimits } from "../web/request-context.ts";
import { onlyMethods } from "../web/routes.ts";
import { credentialsOf, locationOf, type Operation } from "./operation.ts";
import { type Request as Asked, perform, type Service } from "./perform.ts";

export interface Api {
  service: Service;
  edge: HttpContext;
}

/** Mounts one route per operation (contract §18). */
export function mountOperations(app: Express, operations: readonly Operation[], api: Api): void {
  const byPath = Map.groupBy(operations, (op) => op.http.path);
  for (const [path, ops] of byPath) {
    const route = app.route(path.replace(/\{(\w+)\}/g, ":$1"));
    for (const op of ops) {
      const handle = endpoint(op, api, locationOf(op, operations));
      if (op.http.method === "GET") route.get(handle);
      else if (op.http.method === "DELETE") route.delete(jsonBody, handle);
      else route.post(jsonBody, handle);
    }
    route.all(onlyMethods(ops.map((op) => op.http.method)));
  }
}

function endpoint(
  op: Operation,
  { service, edge }: Api,
  location: ReturnType<typeof locationOf>,
): RequestHandler {
  const readInput = inputOf(op);
  return async (req, res) => {
    res.locals.route = op.http.path;
    if (op.access === "agent" || op.effect === "write") refuseOthers(req);
    const { body, replayed } = await perform(
      op,
      {
        ...readInput(req),
        credentials: {
          apiKey: bearerKey(req.header("authorization")),
          finderKey: req.header("finder-key"),
          idempotencyKey: unquoted(req.header("idempotency-key")),
        },
        address: callerAddress(req),
        gone: callerGone(res, edge.leaving),
        onMetered: (metered) => sendLimits(res, metered),
      },
      service,
    );
    if (replayed) res.setHeader("Idempotent-Replayed", "true");
    if (location) res.setHeader("Location", location(body));
    sendJson(res.status(op.http.status), namedAnswer(body, "endpoints"));
  };
}

/** A text leaves in one write with its headers. Express makes a buffer of it, which takes two. */
function sendJson(res: Response, body: unknown): void {
  const text = JSON.stringify(body);
  res.setHeader("Content-Type", "application/json; charset=utf-8");
  res.setHeader("Content-Length", Buffer.byteLength(text));
  res.end(text);
}

/** Throws 406 if the client excludes JSON. Public responses are sent anyway, as RFC 9110 allows. */
function refuseOthers(req: Request): void {
  if (acceptsJson(req.headers.accept)) return;
  if (req.accepts(["application/json", "application/problem+json"])) return;
  throw new MerchantError("NOT_ACCEPTABLE", "Responses here are JSON: accept application/json.");
}

/** The IETF draft sends the key as a quoted string. */
const unquoted = (key: string | undefined): string | undefined =>
  key === undefined ? undefined : (/^"(.*)"$/.exec(key)?.[1] ?? key);

const ONCE = "Give this parameter once.";

/** Reads the body of a POST and the query of other methods. Fields in the other one are problems. */
function inputOf(op: Operation): (req: Request) => Pick<Asked, "input" | "problems"> {
  const { path, method } = op.http;
  const names = pathParameters(path);
  const credentials = credentialsOf(op);
  const isPost = method === "POST";
  const read = isPost ? (req: Request) => bodyOf(req, names) : queryOf;
  const [used, unused] = isPost ? ["body", "query"] : ["query", "body"];
  const misplaced = `${method} does not read the ${unused}. Send it in the ${used}, or leave it out.`;
  return (req) => {
    const given = read(req);
    const unread = isPost ? req.query : (req.body ?? {});
    const taken = names.filter((name) => Object.hasOwn(given, name));
    const strayed = Object.keys(unread);
    const secret = (name: string) => sameWord(name, credentials);
    const inHeader = Object.keys(given).filter(secret);
    const twice = isPost ? [] : Object.keys(given).filter((name) => Array.isArray(req.query[name]));
    const fields = [
      ...taken.map((name) => ({ name, detail: `${name} is in the path. Leave it out here.` })),
      ...inHeader.map((name) => ({ name, detail: sentAs(secret(name)!) })),
      ...strayed.map((name) => {
        const credential = secret(name);
        const detail = credential ? sentAs(credential) : misplaced;
        return { name, detail, ...(isPost && { parameter: name }) };
      }),
    ];
    const problems = [
      ...fields.map((said) => ({ code: "UNKNOWN_FIELD", ...said })),
      ...twice.map((name) => ({ code: "REPEATED", name, detail: ONCE })),
    ].map(({ name, ...said }) => ({ pointer: pointer([name]), ...said }));
    const inPath = Object.fromEntries(names.map((name) => [name, req.params[name]]));
    const own = Object.fromEntries(
      Object.entries(given).filter(([name]) => !inHeader.includes(name)),
    );
    return { input: { ...own, ...inPath }, problems };
  };
}

const sentAs = (name: CredentialName): string => `Send it as ${placeOf(name, "endpoints")}.`;

function bodyOf({ body: sent }: Request, names: readonly string[]): object {
  const body: unknown = sent ?? (names.length > 0 ? {} : undefined);
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body;
  throw new MerchantError("MALFORMED_JSON", "Send one JSON object as the body.");
}

/** The query, with the first value of a repeated parameter. */
const queryOf = ({ query }: Request): object =>
  Object.fromEntries(
    Object.entries(query).map(([name, given]) => [name, Array.isArray(given) ? given[0] : given]),
  );
