import { isLoopback } from "./client-address.ts";

/** The names under which a service may be called, and the sites whose pages may call it. */
export interface Names {
  baseUrl: string;
  /** "shop.example", "shop.example:8443" and "https://shop.example" all mean shop.example. */
  hosts: readonly string[];
  /** "https://app.example", with scheme and port as browsers write them; "*" for any. */
  origins: readonly string[];
}

/**
 * Whether a Host header is ours or this machine's own. A page elsewhere that makes its own name point
 * to this machine must not reach a local service through it.
 */
export function knowsHost({ baseUrl, hosts }: Names): (host: string | undefined) => boolean {
  const own = new Set([baseUrl, ...hosts].map(hostname));
  let last: string | undefined;
  return (host) => {
    // Clients say the same each time; reading it as an address is most of what this costs.
    if (host !== undefined && host === last) return true;
    const name = host === undefined ? undefined : hostname(host);
    const known = name !== undefined && (isLoopback(name) || own.has(name));
    if (known) last = host;
    return known;
  };
}

/** Whether a page of this origin may call: our own, a named one, and any local one of a local shop. */
export function knowsOrigin({ baseUrl, origins }: Names): (origin: string | undefined) => boolean {
  const own = new Set([baseUrl, ...origins].map((one) => urlOf(one)?.origin));
  const local = isLoopback(new URL(baseUrl).hostname);
  return (origin) => {
    if (origin === undefined || origins.includes("*")) return true;
    const url = urlOf(origin);
    return url !== undefined && (own.has(url.origin) || (local && isLoopback(url.hostname)));
  };
}

const urlOf = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

const hostname = (entry: string): string | undefined =>
  urlOf(entry.includes("://") ? entry : `http://${entry}`)?.hostname;
