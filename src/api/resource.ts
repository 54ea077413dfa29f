import type { CacheHint } from "@modelcontextprotocol/server";
import type { ToolName } from "../core/next-step.ts";
import type { LimitName } from "../core/rate-limits.ts";
import type { AgentRow } from "../core/records.ts";
import type { Merchant } from "../merchant/merchant.ts";
import type { Operation } from "./operation.ts";

/** Values for the blanks of a resource's address or of a prompt. */
export type Params = Record<string, string>;

/** What completes a value as it is typed. Never for ids of quotes and orders: it would list them. */
export type Complete = (merchant: Merchant) => readonly string[];

/** One thing an agent can read by address: data plus one function, as an operation is. */
export interface Resource {
  /** An address, or a template of addresses with blanks such as {order_id}. */
  uri: string;
  name: string;
  title: string;
  description: string;
  /** "agent": needs the connection's key, and shows only what that key has made. */
  access: "public" | "agent";
  /** The tool that reads the same: it takes a key as an argument, which a read of a resource does not. */
  tool?: ToolName;
  limits: readonly LimitName[];
  cache: Required<CacheHint>;
  /** Of a template: the public addresses worth listing one by one. */
  list?: (merchant: Merchant) => { uri: string; name: string; title: string }[];
  complete?: Record<string, Complete>;
  /** Of a card for hosts that show MCP Apps (SEP-1865): the tools whose answers it shows. */
  shows?: readonly string[];
  /** Throws NOT_FOUND for what is not there and for what another key owns, alike. */
  read(call: { params: Params; agent: AgentRow | null }, merchant: Merchant): Promise<unknown>;
}

/** By the tools whose answers they show: the addresses of cards. */
export const cardsOf = (resources: readonly Resource[]): ReadonlyMap<string, string> =>
  new Map(resources.flatMap(({ uri, shows = [] }) => shows.map((tool) => [tool, uri] as const)));

/** The agent of a resource with access "agent". */
export function ownerOf(agent: AgentRow | null): AgentRow {
  if (agent === null) throw new Error("the caller hands this in");
  return agent;
}

/** A conversation's beginning that a person picks, such as a slash command. */
export interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: { name: string; description: string; required: boolean; complete?: Complete }[];
  /** What the person says with it. */
  write(params: Params, merchant: Merchant): string;
}

/** Everything an interface offers agents. */
export interface Contents {
  operations: readonly Operation[];
  resources: readonly Resource[];
  prompts: readonly Prompt[];
}
