import {
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";

type Handler = (request: JSONRPCRequest, ctx: ServerContext) => Promise<Result>;

/** The SDK's server, which answers parameters of a wrong shape with its validator's JSON: here in words. */
export class BriefServer extends Server {
  /** Answers what the SDK would refuse before its handler sees it; undefined is left to the SDK. */
  answersFirst?: (...called: Parameters<Handler>) => ReturnType<Handler> | undefined;

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler);
    return async (request, ctx) => {
      try {
        return await (this.answersFirst?.(request, ctx) ?? wrapped(request, ctx));
      } catch (error) {
        throw invalidParams(error) ?? error;
      }
    };
  }
}

interface Issue {
  path: (string | number)[];
  message: string;
}

/** So many things that are wrong are told, each in so many characters. */
const MOST_TOLD = 5;
const MOST_CHARACTERS = 200;

/** Its validator's issues as JSON; of a tool's call they have words before them. */
const ISSUES = /^(?:Invalid tools\/call request: )?(\[\n.*)$/s;

/** Undefined where it is another error than of parameters. */
function invalidParams(error: unknown): ProtocolError | undefined {
  const [, json] = (error instanceof Error && ISSUES.exec(error.message)) || [];
  if (json === undefined) return undefined;
  const issues = JSON.parse(json) as Issue[];
  const told = issues
    .slice(0, MOST_TOLD)
    .map(({ path, message }) => `${path.join(".")}: ${message}`.slice(0, MOST_CHARACTERS));
  const more = issues.length > MOST_TOLD ? ` And ${issues.length - MOST_TOLD} more.` : "";
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `${told.join("; ")}.${more}`);
}
