import type { CacheHint } from "@modelcontextprotocol/server";
import type { ToolName } from "../core/next-step.ts";
import type { AgentRow } from "../core/records.ts";
import type { Merchant } from "../merchant/merchant.ts";
import type { Operation } from "./operation.ts";

/** Values of a URI template or of a prompt's arguments. */
export type Params = Record<string, string>;

/** One resource that an agent can read by its URI: data and one function, like an operation. */
export interface Resource {
  /** A URI, or a template such as coffee://orders/{order_id}. */
  uri: string;
  name: string;
  title: string;
  description: string;
  /** "agent": needs the connection's key and shows only its own resources. */
  access: "public" | "agent";
  /** Tool that reads the same. Unlike a resource, it takes a key as an argument. */
  tool?: ToolName;
  cache: Required<CacheHint>;
  /** Public URIs of a template. */
  list?: (merchant: Merchant) => { uri: string; name: string; title: string }[];
  /** Tools whose results this card shows in hosts with MCP Apps (SEP-1865). */
  shows?: readonly string[];
  /** Throws the same NOT_FOUND for a missing resource and for another key's. */
  read(call: { params: Params; agent: AgentRow | null }, merchant: Merchant): Promise<unknown>;
}

/** URIs of cards, by the tools whose results they show. */
export const cardsOf = (resources: readonly Resource[]): ReadonlyMap<string, string> =>
  new Map(resources.flatMap(({ uri, shows = [] }) => shows.map((tool) => [tool, uri] as const)));

/** Agent of a resource with access "agent", which always has one. */
export function ownerOf(agent: AgentRow | null): AgentRow {
  if (agent === null) throw new Error("this resource needs an agent");
  return agent;
}

/** A message template that a person picks, such as a slash command. */
export interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: { name: string; description: string; required: boolean }[];
  /** Writes the person's message. */
  write(params: Params, merchant: Merchant): string;
}

/** Operations, resources and prompts of one interface. */
export interface Contents {
  operations: readonly Operation[];
  resources: readonly Resource[];
  prompts: readonly Prompt[];
}
