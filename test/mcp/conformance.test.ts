import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningService } from "../../src/app/serve.ts";
import { COMPILED } from "../support/quick-imports.ts";
import { REAL_CLOCK, startService } from "../support/service.ts";
import { type Address, conformanceEndpoint } from "./conformance/overlay.ts";

/** The protocol's suite. npm's `latest` does not know 2026-07-28, so package.json pins a later version. */
const SUITE = fileURLToPath(
  new URL("../../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url),
);

/** Scenarios that need a session: requests during a call, and subscriptions. Stdio supports both. */
const STATELESS_2025 = [
  "tools-call-sampling",
  "tools-call-elicitation",
  "elicitation-sep1034-defaults",
  "elicitation-sep1330-enums",
  "resources-subscribe",
  "resources-unsubscribe",
];

/** An optional capability, which this shop does not offer. */
const NOT_OFFERED = "completion-complete";

const ADDRESSES: Address[] = ["/mcp", "/mcp/shop"];

describe.concurrent.each(ADDRESSES)("the conformance suite, through %s", (address) => {
  let served: RunningService;
  beforeAll(async () => {
    served = await startService({}, REAL_CLOCK, { mcpEndpoint: conformanceEndpoint(address) });
  });
  afterAll(() => served.stop());

  test("everything of 2026-07-28 that is not optional passes, 36 of 37", async () => {
    const { passed, failed } = await required(served, "2026-07-28");
    expect(failed.filter((name) => name !== NOT_OFFERED)).toEqual([]);
    expect(passed).toHaveLength(36);
  });

  test("everything that a stateless server can do of 2025-11-25 passes, 23 of 30", async () => {
    const { passed, failed } = await required(served, "2025-11-25");
    expect(failed.sort()).toEqual([...STATELESS_2025, NOT_OFFERED].toSorted());
    expect(passed).toHaveLength(23);
  });
});

/** Scored scenarios of a revision, by outcome. */
async function required({ baseUrl }: RunningService, revision: string) {
  const url = new URL("/mcp", baseUrl).href;
  const { promise, resolve } = Promise.withResolvers<string>();
  // The suite exits with 1 for any failure. Its output names the failures.
  execFile(
    process.execPath,
    [SUITE, "server", "--url", url, "--requirements", revision],
    { maxBuffer: 64 * 1024 * 1024, env: { ...process.env, NODE_COMPILE_CACHE: COMPILED } },
    (_error, stdout) => resolve(stdout),
  );
  const [, summary = ""] = (await promise).split("=== SUMMARY ===");
  const [scenarios = "", unscored = ""] = summary.split("Not scored");
  const left = new Set([...unscored.matchAll(/[✓✗] (\S+) \(/g)].map(([, name]) => name));
  const lines = [...scenarios.matchAll(/([✓✗]) (\S+):/g)].filter(([, , name]) => !left.has(name));
  const named = (mark: string) => lines.filter((line) => line[1] === mark).map((line) => line[2]!);
  return { passed: named("✓"), failed: named("✗") };
}
