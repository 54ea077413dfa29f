import { type Document, json } from "../http/documents.ts";
import { openapi } from "../http/openapi.ts";
import { namedAnswer } from "../operations/next-steps.ts";
import type { Operation } from "../operations/operation.ts";
import type { Service } from "../operations/perform.ts";

/** The public documents of a running service (contract §18), as bytes, made anew only where they change. */
export function documents({ merchant }: Service, operations: readonly Operation[]): Document[] {
  const { information, baseUrl } = merchant;
  return [
    json("/v1/catalog", async () => namedAnswer(await information.catalog(), "endpoints"), {
      limits: ["catalog"],
      changes: true,
    }),
    json("/openapi.json", () => openapi(operations, baseUrl)),
  ];
}
