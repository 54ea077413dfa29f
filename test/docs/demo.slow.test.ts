import { expect, test } from "vitest";
import { createStory, DemoFailed } from "../../src/demo/story.ts";
import { runCommand } from "../support/command.ts";

test("the demo makes a whole purchase, without colors outside a terminal, and exits with 0", async () => {
  const { stdout, stderr } = await runCommand(["demo"]);
  const chapters = stdout.match(/^The (agent|buyer|merchant|service)/gm);
  expect(new Set(chapters).size).toBe(4);
  expect(stdout).toMatch(/order\.confirmed[\s\S]*order\.shipped[\s\S]*order\.completed/);
  expect(stdout).toMatch(/One purchase, \d+ checks, [\d.]+ s\. No money moved/);
  expect(stdout).not.toContain("\u001b[");
  expect(stderr).toBe("");
});

test("with --as-agent it prints the texts that a model reads, with their size", async () => {
  const { stdout, stderr } = await runCommand(["demo", "--as-agent"]);
  expect(stdout).toMatch(/reads tools\/list, \d+ tools, [\d,]+ bytes/);
  expect(stdout).toMatch(/calls request_quote and reads [\d,]+ bytes\n\s+IDEMPOTENCY_KEY_REQUIRED/);
  expect(stdout).toMatch(/calls get_quote_order and reads [\d,]+ bytes\n\s+id: ord_/);
  expect(stdout).toMatch(/In all the model has read [\d,]+ bytes/);
  expect(stderr).toBe("");
});

test("a failed check fails the demo and is named", () => {
  const story = createStory(process.stdout);
  story.check(true, "one holds");
  expect(() => story.check(false, "the total is right", 12)).toThrow(DemoFailed);
  expect(() => story.check(false, "the total is right", 12)).toThrow(/the total is right.*\n.*12/);
  expect(story.checks).toBe(3);
});
