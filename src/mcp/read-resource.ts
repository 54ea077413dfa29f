import {
  type CacheHint,
  type ContentBlock,
  type ReadResourceResult,
  ResourceNotFoundError,
  type ResourceTemplateType,
  type Resource as Shown,
  UriTemplate,
} from "@modelcontextprotocol/server";
import type { Service } from "../api/perform.ts";
import type { Params, Resource } from "../api/resource.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { madeFrom } from "../catalog/live-catalog.ts";
import { MerchantError } from "../core/errors.ts";
import { VISIBLE_ASCII } from "../core/fields.ts";
import { namedAnswer, step } from "../core/next-step.ts";
import { LIMITS } from "../core/policy.ts";
import type { AgentRow } from "../core/records.ts";
import type { Merchant } from "../merchant/merchant.ts";
import { type Caller, textWithin } from "./caller.ts";
import { CARD_MIME, CARD_UI, cardPage } from "./card/page.ts";
import { resourceRefusal } from "./refusals.ts";

const MIME = "application/json";

/** Resources by their URIs. */
export class ResourceRegistry {
  /** Public resources, with each bean on sale. */
  readonly listed: () => Shown[];
  readonly templates: ResourceTemplateType[];
  readonly #resources: { resource: Resource; template: UriTemplate }[];

  constructor(resources: readonly Resource[], { merchant }: Service) {
    this.#resources = resources.map((resource) => ({
      resource,
      template: new UriTemplate(resource.uri),
    }));
    const [plain, blank] = [false, true].map((templated) =>
      resources.filter(({ uri }) => UriTemplate.isTemplate(uri) === templated),
    ) as [Resource[], Resource[]];
    this.listed = madeFrom(merchant.catalog, () => [
      ...plain.map(({ uri, ...resource }) => ({ uri, ...listing(resource) })),
      ...blank.flatMap((resource) =>
        (resource.list?.(merchant) ?? []).map((one) => ({ ...listing(resource), ...one })),
      ),
    ]);
    this.templates = blank.map(({ uri, ...resource }) => ({
      uriTemplate: uri,
      ...listing(resource),
    }));
  }

  find(uri: string): { resource: Resource; params: Params } | undefined {
    if (uri.length > LIMITS.uri_characters || !VISIBLE_ASCII.test(uri)) return undefined;
    for (const { resource, template } of this.#resources) {
      const params = template.match(uri);
      if (params) return { resource, params: params as Params };
    }
    return undefined;
  }

  byTemplate(uriTemplate: string): Resource | undefined {
    return this.#resources.find(({ resource }) => resource.uri === uriTemplate)?.resource;
  }
}

const listing = ({ name, title, description, shows }: Omit<Resource, "uri">) => ({
  name,
  title,
  description,
  mimeType: shows ? CARD_MIME : MIME,
});

/** One resources/read, under the limits of the operation it stands for (contract §14). */
export async function readResource(
  uri: string,
  registry: ResourceRegistry,
  caller: Caller,
  { merchant, limits, log }: Service,
): Promise<Pick<ReadResourceResult, "contents"> & { cache: Required<CacheHint> }> {
  const found = registry.find(uri);
  if (!found) {
    const asked = uri.slice(0, LIMITS.uri_characters);
    const where = "resources/list and resources/templates/list name the addresses.";
    throw new ResourceNotFoundError(asked, `Resource not found: ${asked}. ${where}`);
  }
  const { resource, params } = found;
  try {
    const agent = resource.access === "agent" ? await agentOf(caller, resource, merchant) : null;
    limits.charge({ requests: 1 }, { own: agent?.id, address: caller.address });
    const body = await resource.read({ params, agent }, merchant);
    const { text, ...content } = contentOf(body, resource, caller);
    const own = { uri, ...content, text: textWithin(caller, resource.name, text) };
    return { contents: [own], cache: resource.cache };
  } catch (error) {
    const { baseUrl } = merchant;
    throw resourceRefusal(error, uri, { caller, baseUrl, log, what: resource.name });
  }
}

/** A card is made from the catalog. Everything else is JSON. */
const contentOf = (body: unknown, { shows }: Resource, { naming }: Caller) =>
  shows
    ? { mimeType: CARD_MIME, text: () => cardPage(body as Catalog), _meta: { ui: CARD_UI } }
    : { mimeType: MIME, text: () => JSON.stringify(namedAnswer(body, naming)) };

function agentOf({ apiKey }: Caller, { tool }: Resource, { agents }: Merchant): Promise<AgentRow> {
  if (apiKey !== undefined) return agents.authenticate(apiKey);
  throw new MerchantError("UNAUTHENTICATED", "This needs the connection's own key.", {
    next: tool ? [step(tool, "It returns the same, and also takes a key as api_key.")] : [],
  });
}

/** The first protocol version with resource_link; older clients cannot read a result that has one. */
const LINKS_SINCE = "2025-06-18";

interface ClientProtocol {
  era: "legacy" | "modern";
  version: string | undefined;
}

const LINKED: Record<string, string> = {
  ord_: "coffee://orders/",
  qte_: "coffee://quotes/",
};

/** Links to the response's resources. Reading them needs the connection's key, so others get no links. */
export function linksOf(
  body: unknown,
  registry: ResourceRegistry,
  { apiKey }: Caller,
  { era, version = "" }: ClientProtocol,
): ContentBlock[] {
  const known = era === "modern" || version >= LINKS_SINCE;
  if (apiKey === undefined || !known) return [];
  const { id, order_id, quote_id } = body as Record<string, unknown>;
  const ids = [...new Set([id, order_id, quote_id])].filter((value) => typeof value === "string");
  return ids.flatMap((value): ContentBlock[] => {
    const base = LINKED[value.slice(0, 4)];
    const resource = base === undefined ? undefined : registry.find(base + value)?.resource;
    if (!resource) return [];
    const { name, title } = resource;
    return [{ type: "resource_link", uri: base + value, name, title, mimeType: MIME }];
  });
}
