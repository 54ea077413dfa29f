import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { readConfig } from "./app/config.ts";
import { calledAs, calledWith } from "./app/data-folder.ts";
import { createLog } from "./app/log.ts";
import { contents } from "./app/registry.ts";
import { type RunningService, serve } from "./app/serve.ts";
import { VERSION } from "./app/version.ts";
import { follow, readEvents, shop } from "./demo/agent.ts";
import { buyAsModel } from "./demo/model.ts";
import { deliver, pay, ship } from "./demo/people.ts";
import { createStory, createWeb, DemoFailed, type Scene } from "./demo/scene.ts";
import type { Merchant } from "./merchant/merchant.ts";

/**
 * `npm run demo`: a whole purchase in a few seconds. The service runs here with a database of its own;
 * agent and buyer meet it over real HTTP, and every claim that is printed has been checked.
 */
async function main(asAgent: boolean): Promise<void> {
  const began = performance.now();
  const folder = await mkdtemp(join(tmpdir(), "coffee-demo-"));
  const story = createStory(process.stdout);
  try {
    const served = await open(join(folder, "merchant.db"));
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

async function open(file: string): Promise<RunningService> {
  const config = readConfig({ PORT: "0", DATABASE_URL: `sqlite:${file}`, LOG_LEVEL: "silent" });
  return serve(config, { log: createLog(config.logLevel), contents, version: VERSION });
}

async function purchase(scene: Scene, merchant: Merchant): Promise<void> {
  const { story } = scene;
  const shopping = await shop(scene);
  await pay(scene, shopping);
  const order = await follow(scene, shopping);
  let seen = await readEvents(scene, shopping, order.id, 0);
  await ship(story, merchant, order);
  story.chapter("The agent", "asks for what is new");
  seen = await readEvents(scene, shopping, order.id, seen);
  await deliver(story, merchant, order);
  story.chapter("The agent", "asks for what is new");
  await readEvents(scene, shopping, order.id, seen);
}

export async function demo(words: readonly string[]): Promise<number> {
  await new Command(calledWith("demo"))
    .description("One whole purchase in a few seconds, told step by step.")
    .option("--as-agent", "over MCP: every word that a model reads on the way, and its size")
    .action(({ asAgent = false }: { asAgent?: boolean }) => shown(asAgent))
    .parseAsync([...words], { from: "user" });
  return 0;
}

const shown = (asAgent: boolean): Promise<never> =>
  main(asAgent).then(
    () => process.exit(0),
    (error: unknown) => {
      const told = error instanceof DemoFailed ? error.message : (error as Error).stack;
      process.stderr.write(`\nThe demo failed. ${told}\n`);
      process.exit(1);
    },
  );
