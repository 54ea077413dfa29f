import { jsonSchema } from "../../domain/shared/json-schema.ts";
import { type Operation, pathParameters } from "../../operations/operation.ts";
import { idsIn } from "../../operations/relations.ts";
import type { Json } from "./parts.ts";

/**
 * What can be called next with what an answer says: every operation whose path takes one id that the
 * answer carries. So a client that knows the document alone comes from a quote to its order.
 */
export function linksFrom(op: Operation, operations: readonly Operation[]): Json {
  const links = [...idsIn(op, operations)].flatMap(([parameter, field]) =>
    operations
      .filter((other) => other !== op && pathParameters(other.http.path).join() === parameter)
      .map((other): [string, Json] => [
        other.name,
        {
          operationId: other.name,
          parameters: { [parameter]: `$response.body#/${field}` },
          ...bodyFrom(other, op),
        },
      ]),
  );
  return links.length > 0 ? { links: Object.fromEntries(links) } : {};
}

/** A body that the answer has every needed field of, such as the quote_hash of a checkout. */
function bodyFrom(other: Operation, op: Operation): Json {
  const { required = [] } = jsonSchema(other.input, "input") as { required?: string[] };
  const needed = required.filter((name) => !pathParameters(other.http.path).includes(name));
  const found = needed.length > 0 && needed.every((name) => name in op.output.shape);
  if (!found) return {};
  return {
    requestBody: Object.fromEntries(needed.map((name) => [name, `$response.body#/${name}`])),
  };
}
