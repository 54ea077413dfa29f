/** Who counts as one caller (contract §14). */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  addressPseudonym,
  clientNetwork,
  isLoopback,
  widerNetwork,
} from "../../src/core/client-address.ts";

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["::ffff:cb00:7107", "203.0.113.7"],
  ["0:0:0:0:0:FFFF:203.0.113.7", "203.0.113.7"],
  ["203.0.113.7:49152", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:1:2::ffff", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["[2001:db8:1:2::3]:443", "2001:db8:1:2::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["2002:cb00:7107::1", "203.0.113.7"],
  ["stdio", "stdio"],
  ["unknown", "unknown"],
])("%s is %s", (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});

test("the wider network of an IPv6 caller is its /48", () => {
  expect(widerNetwork(clientNetwork("2001:db8:1:2::3"))).toBe("2001:db8:1::/48");
  expect(widerNetwork("203.0.113.7")).toBe("203.0.113.7");
});

const group = fc.nat(0xffff).map((n) => n.toString(16));

test("every address of one /64 is one caller, and of another it is another", () => {
  const groups = (length: number) => fc.array(group, { minLength: length, maxLength: length });
  fc.assert(
    fc.property(groups(4), groups(4), groups(4), (network, one, other) => {
      fc.pre(network.some((g) => g !== "0") && !["2002"].includes(network[0]!));
      const of = (host: string[]) => clientNetwork([...network, ...host].join(":"));
      expect(of(one)).toBe(of(other));
      const next = [((Number.parseInt(network[0]!, 16) + 1) % 0x10000).toString(16)];
      expect(clientNetwork([...next, ...network.slice(1), ...one].join(":"))).not.toBe(of(one));
    }),
  );
});

test("what is stored of an address cannot be found by trying all addresses without our secret", () => {
  const [ours, theirs] = [Buffer.from("ours"), Buffer.from("theirs")];
  const stored = addressPseudonym(ours, "203.0.113.7");
  expect(stored).toBe(addressPseudonym(ours, "203.0.113.7"));
  expect(stored).not.toBe(addressPseudonym(theirs, "203.0.113.7"));
  expect(stored).not.toBe(createHash("sha256").update("203.0.113.7").digest("base64url"));
});

test.each(["127.0.0.1", "127.9.9.9", "::1", "[::1]", "localhost", "shop.localhost"])(
  "%s is this machine only",
  (host) => expect(isLoopback(host)).toBe(true),
);

test.each(["0.0.0.0", "::", "[::]", "192.168.1.4", "127.0.0.1.example", "localhost.example"])(
  "%s is reached by others",
  (host) => expect(isLoopback(host)).toBe(false),
);
