import type { Operation } from "../api/operation.ts";
import type { Request } from "../api/perform.ts";
import { asReceived, invalid, namesIn } from "../core/input-problems.ts";
import type { ToolName } from "../core/next-step.ts";
import type { Caller } from "./caller.ts";
import { CREDENTIAL_NAMES } from "./schemas.ts";

type ToolArguments = Record<string, unknown>;
type SplitArguments = Pick<Request, "input" | "credentials">;

export const isArguments = (value: unknown): value is ToolArguments =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isText = (value: unknown): value is string => typeof value === "string";

function notArguments(op: Operation, args: unknown) {
  const names = namesIn(op.input).join(", ");
  const detail = `arguments is an object, { … }${names && `, with ${names}`}: not a list, not text.`;
  const problem = { pointer: "", code: "WRONG_TYPE", detail, ...asReceived(args) };
  return invalid({ problems: [problem], again: op.name as ToolName });
}

/**
 * Parts a call's arguments into the operation's input and the credentials that HTTP has headers for. One
 * that this tool has no use for does no harm, as a header would not; but a connection that carries a key
 * has one only.
 */
export function splitCredentials(op: Operation, args: unknown, caller: Caller): SplitArguments {
  if (!isArguments(args)) throw notArguments(op, args);
  const names = CREDENTIAL_NAMES.filter(
    (name) => name !== "api_key" || caller.keyArgument !== "refused",
  );
  const wrong = names.filter(
    (name) => !isText(args[name] ?? "") && !Number.isSafeInteger(args[name]),
  );
  if (wrong.length > 0) {
    throw invalid({
      problems: wrong.map((name) => ({
        pointer: `/${name}`,
        code: "WRONG_TYPE",
        detail: `${name} is text: send it in quotes.`,
      })),
      again: op.name as ToolName,
    });
  }
  const taken = new Set<string>(names);
  const given = (name: (typeof names)[number]) =>
    taken.has(name) && args[name] != null ? String(args[name]) : undefined;
  return {
    input: Object.fromEntries(Object.entries(args).filter(([name]) => !taken.has(name))),
    credentials: {
      // As in the header: with the word before it, it is still the key.
      apiKey: given("api_key")?.replace(/^Bearer +/i, "") ?? caller.apiKey,
      idempotencyKey: given("idempotency_key"),
      finderKey: given("finder_key"),
    },
  };
}
