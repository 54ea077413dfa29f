/** No test depends on luck with its ports: a process keeps its own over restarts. */
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { freePort } from "../support/loopback.ts";

it("a process's port is given to it alone, and to no connection that goes out", async () => {
  const ports = await Promise.all(
    Array.from({ length: 200 }, async () => Number(await freePort())),
  );
  expect(new Set(ports).size).toBe(ports.length);
  const [outgoing = 32_768] = await readFile("/proc/sys/net/ipv4/ip_local_port_range", "utf8")
    .then((range) => range.split(/\s/).map(Number))
    .catch(() => []);
  expect(Math.max(...ports)).toBeLessThan(outgoing);
});
