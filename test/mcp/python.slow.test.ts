/** The client of Python's package `mcp`, which pip installs into a folder of its own. CI must have Python. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { operations } from "../../tools/index.ts";
import { scratchFolder } from "../support/scratch-folder.ts";
import { startService } from "../support/service.ts";

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL("python/buy.py", import.meta.url));

test("Python's client buys by session, auto and legacy, in four calls each", async ({ skip }) => {
  const folder = await scratchFolder("mcp");
  try {
    await run(process.env.PYTHON ?? "python3", ["-m", "venv", folder]);
    await run(join(folder, "bin/pip"), ["install", "--quiet", "mcp==2.3.0"]);
  } catch (error) {
    if (process.env.CI) throw error;
    skip(`pip could not install mcp: ${(error as Error).message}`);
  }
  const service = await startService();
  onTestFinished(service.stop);
  const ways = ["session", "auto", "legacy"];
  const args = [SCRIPT, `${service.baseUrl}/mcp`, ...ways];
  const { stdout } = await run(join(folder, "bin/python"), args);
  const bought = {
    tools: operations.length,
    calls: 4,
    review_url: expect.stringContaining(`${service.baseUrl}/review/`),
    refused: "NOT_FOUND",
    policy: "policy_v1",
  };
  expect(JSON.parse(stdout)).toEqual(Object.fromEntries(ways.map((way) => [way, bought])));
}, 180_000);
