/** By which names a shop is called, and from which sites. */
import { describe, expect, test } from "vitest";
import { knowsHost, knowsOrigin } from "../../src/core/known-names.ts";

const LOCAL = { baseUrl: "http://127.0.0.1:3000", hosts: [], origins: [] };
const PUBLIC = {
  baseUrl: "https://coffee.example",
  hosts: ["shop.example:8443", "https://other.example"],
  origins: ["https://app.example", "http://tool.example:8080", "plain.example"],
};

describe("a host name", () => {
  test.each(["127.0.0.1:3000", "localhost", "[::1]:3000", "shop.localhost:1"])(
    "%s is this machine",
    (host) => expect(knowsHost(LOCAL)(host)).toBe(true),
  );
  test.each(["evil.example", "127.0.0.1.evil.example", "evil.example:3000", "", "a b", undefined])(
    "%s is not",
    (host) => expect(knowsHost(LOCAL)(host)).toBe(false),
  );
  test.each(["coffee.example", "shop.example", "shop.example:1", "other.example", "localhost"])(
    "%s was named",
    (host) => expect(knowsHost(PUBLIC)(host)).toBe(true),
  );
});

describe("an origin", () => {
  const known = knowsOrigin(PUBLIC);
  test.each([
    "https://coffee.example",
    "https://app.example",
    "http://tool.example:8080",
    undefined,
  ])("%s may call", (origin) => expect(known(origin)).toBe(true));
  test.each([
    "http://coffee.example",
    "https://coffee.example:8443",
    "http://app.example",
    "http://tool.example",
    "https://plain.example",
    "http://localhost:5173",
    "null",
    "",
  ])("%s may not: scheme, host and port count", (origin) => expect(known(origin)).toBe(false));

  test("of this machine may call a shop on this machine", () => {
    expect(knowsOrigin(LOCAL)("http://localhost:5173")).toBe(true);
    expect(knowsOrigin(LOCAL)("https://evil.example")).toBe(false);
    expect(knowsOrigin({ ...LOCAL, origins: ["*"] })("https://evil.example")).toBe(true);
  });
});
