import { createHmac } from "node:crypto";

/**
 * A client's address as limits and scopes count it (contract §14): an IPv4 address, even if it comes
 * written as IPv6, or the /64 of an IPv6 address, because one subscriber has a whole /64. Drops a port that
 * a proxy added. Other text, such as "stdio", stays as it is.
 */
export function clientNetwork(address = "unknown"): string {
  const [, inBrackets, beforePort] = /^(?:\[(.+)\](?::\d+)?|([\d.]+):\d+)$/.exec(address) ?? [];
  const [bare = ""] = (inBrackets ?? beforePort ?? address).split("%", 1);
  const url = `http://[${bare}]`;
  if (!bare.includes(":") || !URL.canParse(url)) return bare;
  const groups = groupsOf(new URL(url).hostname.slice(1, -1));
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  const is6to4 = groups[0] === 0x2002;
  if (isMapped || is6to4) {
    const embedded = is6to4 ? groups.slice(1, 3) : groups.slice(6);
    return embedded.flatMap((group) => [group >> 8, group & 0xff]).join(".");
  }
  const prefix = groups.slice(0, 4).map((group) => group.toString(16));
  return `${prefix.join(":")}::/64`;
}

/** The /48 around an IPv6 caller's /64, which one subscriber may have. Others stay as they are. */
export const widerNetwork = (network: string): string =>
  network.replace(/^((?:[0-9a-f]+:){3})[0-9a-f]+::\/64$/, "$1:/48");

/** The eight groups of an IPv6 address as URLs write it: shortened, and never with dots. */
function groupsOf(address: string): number[] {
  const [before = [], after] = address.split("::").map(numbers);
  const gap = after ? 8 - before.length - after.length : 0;
  return [...before, ...Array<number>(gap).fill(0), ...(after ?? [])];
}

const numbers = (part: string): number[] =>
  part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16));

/**
 * How long every server keeps a connection between two requests. Longer than proxies pool theirs, because
 * a request on a connection that is just being closed is lost (contract §14).
 */
export const KEEP_ALIVE_MS = 95_000;

/** Stands for an address in the database: always the same, and useless without our secret. */
export const addressPseudonym = (secret: Buffer, network: string): string =>
  createHmac("sha256", secret).update(`client address ${network}`).digest("base64url");

/** Whether only this machine reaches a host name or address, as URLs or sockets write it. */
export const isLoopback = (host: string): boolean =>
  /^(127(\.\d+){3}|\[?(::1|::ffff:127(\.\d+){3})\]?|(.+\.)?localhost)$/i.test(host);

/** Host names that a service may be called by, and sites whose pages may call it. */
export interface Names {
  baseUrl: string;
  /** "shop.example", "shop.example:8443" and "https://shop.example" all mean shop.example. */
  hosts: readonly string[];
  /** "https://app.example", with scheme and port as browsers write them; "*" for any. */
  origins: readonly string[];
}

/** The same address with `www.`, or without it. Links lead people and agents to either. */
const withAndWithoutWww = (entry: string): string[] => {
  const url = asUrl(entry);
  if (!url || isLoopback(url.hostname) || /^[\d.]+$|^\[/.test(url.hostname)) return [entry];
  const twin = new URL(url);
  twin.hostname = url.hostname.startsWith("www.") ? url.hostname.slice(4) : `www.${url.hostname}`;
  return [entry, twin.href];
};

/**
 * Whether a Host header names us or this machine. A foreign page that points its own name to this machine
 * must not reach a local service.
 */
export function knowsHost({ baseUrl, hosts }: Names): (host: string | undefined) => boolean {
  const own = new Set([baseUrl, ...hosts].flatMap(withAndWithoutWww).map(hostname));
  let last: string | undefined;
  return (host) => {
    // Clients send the same header each time, and parsing it is most of the cost.
    if (host !== undefined && host === last) return true;
    const name = host === undefined ? undefined : hostname(host);
    const known = name !== undefined && (isLoopback(name) || own.has(name));
    if (known) last = host;
    return known;
  };
}

/** The shop's own origin, with and without `www.`. */
export const ownOrigins = (baseUrl: string): string[] =>
  withAndWithoutWww(baseUrl).map((one) => new URL(one).origin);

/**
 * Whether pages of any site may call MCP: at a public https address, where no cookie gives access and hosted
 * assistants send their own site as the origin.
 */
export function takesAnyOrigin({ baseUrl, origins }: Pick<Names, "baseUrl" | "origins">): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return origins.includes("*") || (protocol === "https:" && !isLoopback(hostname));
}

/** Whether a page of this origin may call: any, or our own, a named one, and any local one of a local shop. */
export function knowsOrigin(names: Names): (origin: string | undefined) => boolean {
  const { baseUrl, origins } = names;
  if (takesAnyOrigin(names)) return () => true;
  const own = new Set([...ownOrigins(baseUrl), ...origins.map((one) => urlOf(one)?.origin)]);
  const local = isLoopback(new URL(baseUrl).hostname);
  return (origin) => {
    if (origin === undefined) return true;
    const url = urlOf(origin);
    return url !== undefined && (own.has(url.origin) || (local && isLoopback(url.hostname)));
  };
}

const urlOf = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

const asUrl = (entry: string): URL | undefined =>
  urlOf(entry.includes("://") ? entry : `http://${entry}`);

const hostname = (entry: string): string | undefined => asUrl(entry)?.hostname;
