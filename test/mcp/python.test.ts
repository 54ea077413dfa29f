/** Python's own MCP client, where a Python has it: `pip install mcp`, and PYTHON names that Python. */
import { execFile, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operations } from "../../tools/index.ts";
import { startService, type TestService } from "../support/service.ts";

const run = promisify(execFile);
const PYTHON = process.env.PYTHON ?? "python3";
const SCRIPT = fileURLToPath(new URL("python/buy.py", import.meta.url));

const has = (code: string): boolean => spawnSync(PYTHON, ["-c", code]).status === 0;
const found = has("import mcp");
/** The client of 2.x negotiates the protocol; 1.x has sessions of the 2025 protocols only. */
const WAYS = [
  ["session", found],
  ["auto", found && has("from mcp import Client")],
  ["legacy", found && has("from mcp import Client")],
] as const;

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

describe(`Python's client${found ? "" : `: left out, ${PYTHON} has no package mcp`}`, () => {
  for (const [how, there] of WAYS) {
    test.skipIf(!there)(`buys by ${how}, in four calls`, async () => {
      const { stdout } = await run(PYTHON, [SCRIPT, `${service.baseUrl}/mcp`, how]);
      expect(JSON.parse(stdout)).toEqual({
        tools: operations.length,
        calls: 4,
        review_url: expect.stringContaining(`${service.baseUrl}/review/`),
        refused: "NOT_FOUND",
        policy: "policy_v1",
      });
    });
  }
});
