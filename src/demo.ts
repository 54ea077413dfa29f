import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { readConfig } from "./app/config.ts";
import { calledAs, calledWith } from "./app/data-folder.ts";
import { createLog } from "./app/log.ts";
import { contents } from "./app/registry.ts";
import { serve } from "./app/serve.ts";
import { VERSION } from "./app/version.ts";
import { buyAsModel } from "./demo/model.ts";
import { purchase } from "./demo/purchase.ts";
import { createStory, createWeb, DemoFailed } from "./demo/story.ts";

/** `npm run demo` makes one purchase with its own database over real HTTP, and checks each step. */
export async function demo(words: readonly string[]): Promise<number> {
  const { asAgent } = new Command(calledWith("demo"))
    .description("Show one purchase step by step, in about a second.")
    .option("--as-agent", "buy over MCP and show every text that a model reads, with its size")
    .parse([...words], { from: "user" })
    .opts<{ asAgent?: true }>();
  try {
    await tell(asAgent ?? false);
    process.exit(0);
  } catch (error) {
    const reason = error instanceof DemoFailed ? error.message : (error as Error).stack;
    process.stderr.write(`\nThe demo failed. ${reason}\n`);
    process.exit(1);
  }
}

async function tell(asAgent: boolean): Promise<void> {
  const began = performance.now();
  const folder = await mkdtemp(join(tmpdir(), "coffee-demo-"));
  const story = createStory(process.stdout);
  const config = readConfig({
    PORT: "0",
    DATABASE_URL: `sqlite:${join(folder, "merchant.db")}`,
    LOG_LEVEL: "silent",
  });
  try {
    const log = createLog(config.logLevel);
    const served = await serve(config, { log, contents, version: VERSION });
    try {
      story.chapter("The service", `listens at ${served.baseUrl}, payments: sandbox`);
      const scene = { story, web: createWeb(served.baseUrl, story) };
      if (asAgent) await buyAsModel(scene);
      else await purchase(scene, served.service.merchant);
    } finally {
      await served.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  process.stdout.write(
    `\nOne purchase, ${story.checks} checks, ${seconds} s. No money moved: this was the sandbox.\n` +
      `Run your own with ${calledAs("start")}.\n`,
  );
}
