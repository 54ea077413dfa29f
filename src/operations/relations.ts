import { type Operation, pathParameters } from "./operation.ts";

/**
 * The ids that an operation's answer always carries: the parameter each fills in, and the field it stands in.
 * `id` is that of the thing answered, and so fills in the parameter of the operation that reads it.
 */
export function idsIn(op: Operation, operations: readonly Operation[]): Map<string, string> {
  const fields = Object.entries(op.output.shape)
    .filter(([, { type }]) => type !== "optional")
    .map(([field]) => field);
  const named = fields.filter((field) => /^\w+_id$/.test(field));
  const ids = new Map(named.map((field) => [field, field]));
  const own = fields.includes("id") && readerOf(op, operations);
  if (own) ids.set(parameterOf(own), "id");
  return ids;
}

/** Where a thing that was just made can be read: the path of a 201, filled in from its answer. */
export function locationOf(
  op: Operation,
  operations: readonly Operation[],
): ((answer: unknown) => string) | null {
  const reader = op.http.status === 201 ? readerOf(op, operations) : undefined;
  if (!reader) return null;
  const place = `{${parameterOf(reader)}}`;
  return (answer) => {
    const { id } = answer as { id: string };
    return reader.http.path.replace(place, encodeURIComponent(id));
  };
}

/** The operation that reads one thing of this shape by its id, where there is one. */
const readerOf = (op: Operation, operations: readonly Operation[]): Operation | undefined =>
  operations.find(
    ({ http, output }) => http.method === "GET" && output === op.output && http.path.endsWith("}"),
  );

const parameterOf = ({ http }: Operation): string => pathParameters(http.path).at(-1)!;
