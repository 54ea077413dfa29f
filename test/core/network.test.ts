/** Client networks (contract §14), and the host names and origins that may call. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addressPseudonym,
  clientNetwork,
  isLoopback,
  knowsHost,
  knowsOrigin,
  ownOrigins,
  widerNetwork,
} from "../../src/core/network.ts";

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["::ffff:cb00:7107", "203.0.113.7"],
  ["0:0:0:0:0:FFFF:203.0.113.7", "203.0.113.7"],
  ["203.0.113.7:49152", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:1:2::ffff", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001::3:4:5:6:7", "2001:0:0:3::/64"],
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

test("all addresses of one /64 are one caller, and each /64 is a different one", () => {
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

test("a stored pseudonym can't be found by trying all addresses without our secret", () => {
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

const LOCAL = { baseUrl: "http://127.0.0.1:3000", hosts: [], origins: [] };
const PUBLIC = {
  baseUrl: "https://coffee.example",
  hosts: ["shop.example:8443", "https://other.example"],
  origins: ["https://app.example", "http://tool.example:8080", "plain.example"],
};

describe("a host name", () => {
  test.each(["127.0.0.1:3000", "localhost", "[::1]:3000", "shop.localhost:1"])(
    "%s names this machine",
    (host) => expect(knowsHost(LOCAL)(host)).toBe(true),
  );
  test.each(["evil.example", "127.0.0.1.evil.example", "evil.example:3000", "", "a b", undefined])(
    "%s is foreign",
    (host) => expect(knowsHost(LOCAL)(host)).toBe(false),
  );
  test.each([
    ...["coffee.example", "shop.example", "shop.example:1", "other.example", "localhost"],
    ...["www.coffee.example", "www.shop.example:8443"],
  ])("%s is configured", (host) => expect(knowsHost(PUBLIC)(host)).toBe(true));
  test("is known without www., too, and no further name is", () => {
    const known = knowsHost({ ...PUBLIC, baseUrl: "https://www.roaster.example" });
    expect(known("roaster.example")).toBe(true);
    for (const host of ["www.www.roaster.example", "ww.roaster.example", "www.example"])
      expect(known(host)).toBe(false);
  });
});

test.each([
  ["https://coffee.example", ["https://coffee.example", "https://www.coffee.example"]],
  [
    "https://www.coffee.example:8443",
    ["https://www.coffee.example:8443", "https://coffee.example:8443"],
  ],
  ["http://127.0.0.1:3000", ["http://127.0.0.1:3000"]],
  ["http://192.168.1.4:3000", ["http://192.168.1.4:3000"]],
  ["http://[2001:db8::1]", ["http://[2001:db8::1]"]],
])("%s has the origins %j", (baseUrl, origins) => {
  expect(ownOrigins(baseUrl)).toEqual(origins);
});

describe("an origin", () => {
  const known = knowsOrigin({ ...PUBLIC, baseUrl: "http://coffee.example" });
  test.each([
    "http://coffee.example",
    "http://www.coffee.example",
    "https://app.example",
    "http://tool.example:8080",
    undefined,
  ])("%s may call", (origin) => expect(known(origin)).toBe(true));
  test.each([
    "https://coffee.example",
    "http://coffee.example:8443",
    "http://app.example",
    "http://tool.example",
    "https://plain.example",
    "http://localhost:5173",
    "null",
    "",
  ])("%s may not: scheme, host and port count", (origin) => expect(known(origin)).toBe(false));

  test.each(["https://claude.ai", "https://www.coffee.example", "null", ""])(
    "%s may call a public shop",
    (origin) => expect(knowsOrigin(PUBLIC)(origin)).toBe(true),
  );
  test("of another site may not call a shop of this machine, with https either", () => {
    expect(knowsOrigin({ ...LOCAL, baseUrl: "https://localhost" })("https://evil.example")).toBe(
      false,
    );
  });

  test("of this machine may call a local shop", () => {
    expect(knowsOrigin(LOCAL)("http://localhost:5173")).toBe(true);
    expect(knowsOrigin(LOCAL)("https://evil.example")).toBe(false);
    expect(knowsOrigin({ ...LOCAL, origins: ["*"] })("https://evil.example")).toBe(true);
  });
});
