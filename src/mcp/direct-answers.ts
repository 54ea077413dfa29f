import { SERVER_INFO_META_KEY } from "@modelcontextprotocol/server";
import type { CallerGone, Operation } from "../api/operation.ts";
import type { Service } from "../api/perform.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { madeFrom } from "../catalog/live-catalog.ts";
import { callTool, type ToolResult } from "./call-tool.ts";
import type { Caller } from "./caller.ts";
import { cacheHints, LISTS, type ListMethod, type McpContents } from "./contents.ts";
import type { PlainRequest } from "./plain-request.ts";
import { linksOf } from "./read-resource.ts";

/**
 * Answers plain requests without a server of the SDK's: lists from ready bytes, calls with no more
 * than the operation costs. What it answers is what the SDK would answer; a test compares them.
 * Null, before anything is done, where the SDK is to answer after all.
 */
export type DirectAnswers = (request: PlainRequest, caller: Caller) => DirectAnswer | null;
/** The pieces of one answer, to be written as they are: a list's bytes are not copied. */
export type DirectAnswer = (gone: CallerGone) => Promise<Buffer[]>;

export function directAnswers(contents: McpContents, service: Service): DirectAnswers {
  const ready = readyLists(contents, service.merchant.catalog);
  const served = served2026(contents);
  return (request, caller) => {
    const { era, id, method, params, version } = request;
    if (isList(method)) {
      if (params.name !== undefined || params.arguments !== undefined) return null;
      return async () => jsonRpcResult(id, ready(era, method, caller));
    }
    const op = method === "tools/call" ? contents.byName.get(params.name as string) : undefined;
    const { arguments: args = {} } = params;
    if (!op || mayAskTheBuyer(op, request)) return null;
    const links = (body: unknown) => linksOf(body, contents.registry, caller, { era, version });
    const offer = async (_body: unknown, result: ToolResult) => result;
    return async (gone) => {
      const result = await callTool(op, args, { service, caller, gone, offer, links });
      return jsonRpcResult(id, bytes(era === "modern" ? served(result) : result));
    };
  };
}

const isList = (method: string): method is ListMethod => LISTS.includes(method as ListMethod);

/** Then there is a second round, which is the SDK's. */
const mayAskTheBuyer = (op: Operation, { capabilities }: PlainRequest): boolean =>
  capabilities?.elicitation !== undefined && "review_url" in op.output.shape;

/** What every result of 2026-07-28 carries. */
const served2026 =
  ({ info }: McpContents) =>
  (result: object & { _meta?: unknown }) => ({
    ...result,
    resultType: "complete",
    _meta: { ...(result._meta ?? {}), [SERVER_INFO_META_KEY]: info },
  });

/**
 * The lists' bytes in both eras, for callers with a key and without; each is made when first asked for,
 * and anew with another catalog.
 */
function readyLists(contents: McpContents, catalog: Catalog) {
  const served = served2026(contents);
  const lists = madeFrom(catalog, () => new Map<string, Buffer>());
  return (era: string, method: ListMethod, caller: Caller): Buffer => {
    const ready = lists();
    const name = `${era} ${method} ${caller.keyArgument}`;
    const list = () => contents.list(method, caller);
    const modern = () => served({ ...list(), ...cacheHints(caller)[method] });
    const made = ready.get(name) ?? bytes(era === "modern" ? modern() : list());
    ready.set(name, made);
    return made;
  };
}

const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

const END = Buffer.from("}");

const jsonRpcResult = (id: string | number, result: Buffer): Buffer[] => [
  Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`),
  result,
  END,
];
