import { type Document, json } from "./http/public.ts";
import type { Service } from "./operation.ts";

/** The public documents of a running service (SPEC §4), as bytes that never change while it runs. */
export function documents({ merchant }: Service, openapi: (baseUrl: string) => object): Document[] {
  const { information, context } = merchant;
  return [
    json("/v1/catalog", information.catalog(), { limits: ["catalog"] }),
    json("/openapi.json", openapi(context.baseUrl)),
  ];
}
