import { createHmac } from "node:crypto";

/**
 * A client's address as limits and scopes know it (contract §14): an IPv4 address, also where it comes
 * written as IPv6, or the /64 of an IPv6 address. One subscriber has a whole /64, so counting its
 * addresses one by one would count nothing. A port that a proxy wrote beside it is left out. What is
 * no address, such as "stdio", stays as it is.
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

/** The eight numbers of an IPv6 address, as a URL writes it: shortened, and never with dots. */
function groupsOf(address: string): number[] {
  const [before = [], after] = address.split("::").map(numbers);
  const gap = after ? 8 - before.length - after.length : 0;
  return [...before, ...Array<number>(gap).fill(0), ...(after ?? [])];
}

const numbers = (part: string): number[] =>
  part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16));

/** What is stored in place of an address: the same for the same one, of no use without our secret. */
export const addressPseudonym = (secret: Buffer, network: string): string =>
  createHmac("sha256", secret).update(`client address ${network}`).digest("base64url");

/** Whether only this machine reaches a host name or address, as URLs or sockets write it. */
export const isLoopback = (host: string): boolean =>
  /^(127(\.\d+){3}|\[?(::1|::ffff:127(\.\d+){3})\]?|(.+\.)?localhost)$/i.test(host);
