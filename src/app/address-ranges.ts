import { BlockList, isIP } from "node:net";

/** "203.0.113.0/24" in its parts, or null. */
function rangeOf(text: string): { address: string; bits: number; family: "ipv4" | "ipv6" } | null {
  const [, address = "", digits = ""] = /^([\da-f.:]+)\/(\d{1,3})$/i.exec(text) ?? [];
  const version = isIP(address);
  const bits = Number(digits);
  if (version === 0 || bits > (version === 4 ? 32 : 128)) return null;
  return { address, bits, family: version === 4 ? "ipv4" : "ipv6" };
}

export const isAddressRange = (text: string): boolean => rangeOf(text) !== null;

/** Whether one of these ranges has a client's address (see clientNetwork). */
export function addressesIn(ranges: readonly string[]): (address: string) => boolean {
  if (ranges.length === 0) return () => false;
  const known = new BlockList();
  for (const { address, bits, family } of ranges.flatMap((range) => rangeOf(range) ?? [])) {
    known.addSubnet(address, family === "ipv6" ? Math.min(bits, 64) : bits, family);
  }
  return (address) => {
    const bare = address.replace("/64", "");
    return isIP(bare) > 0 && known.check(bare, isIP(bare) === 4 ? "ipv4" : "ipv6");
  };
}
