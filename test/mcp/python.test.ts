/** Python's MCP client, if installed: `pip install mcp`, and PYTHON names the interpreter. */
import { execFile, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operations } from "../../tools/index.ts";
import { startService, type TestService } from "../support/service.ts";

const run = promisify(execFile);
const PYTHON = process.env.PYTHON ?? "python3";
const SCRIPT = fileURLToPath(new URL("python/buy.py", import.meta.url));

/** Version of the package, if installed. Read without an import, which takes a second. */
const VERSION = "from importlib.metadata import version; print(version('mcp'))";
const [major] = spawnSync(PYTHON, ["-c", VERSION]).stdout?.toString().match(/^\d+/) ?? [];
/** Version 2.x negotiates the protocol; 1.x only has sessions of the 2025 versions. */
const NEGOTIATED = Number(major) >= 2 ? ["auto", "legacy"] : [];

describe.skipIf(!major)(`Python's client${major ? "" : `: ${PYTHON} has no package mcp`}`, () => {
  let service: TestService;
  let bought: Record<string, unknown>;
  beforeAll(async () => {
    service = await startService();
    const { stdout } = await run(PYTHON, [
      SCRIPT,
      `${service.baseUrl}/mcp`,
      "session",
      ...NEGOTIATED,
    ]);
    bought = JSON.parse(stdout);
  });
  afterAll(() => service.stop());

  for (const how of ["session", "auto", "legacy"]) {
    test.skipIf(how !== "session" && !NEGOTIATED.includes(how))(
      `buys by ${how}, in four calls`,
      () => {
        expect(bought[how]).toEqual({
          tools: operations.length,
          calls: 4,
          review_url: expect.stringContaining(`${service.baseUrl}/review/`),
          refused: "NOT_FOUND",
          policy: "policy_v1",
        });
      },
    );
  }
});
