#!/usr/bin/env node
/**
 * The one command: `coffee-merchant start`, `stdio`, `merchant` … Here is only the choice; each part
 * of the service is loaded when it is first needed.
 */
import module from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import v8 from "node:v8";
import vm from "node:vm";
import { calledAs, calledWith, dataFolder } from "./app/data-folder.ts";

interface Part {
  does: string;
  /** Is told all by its settings: no words of its own, and no --help. */
  bare?: true;
  /** Answers the exit code. */
  run(words: readonly string[]): Promise<number>;
}

const PARTS: Record<string, Part> = {
  start: {
    does: "the whole service: /v1 and MCP over HTTP, the pages people pay on, the desk",
    bare: true,
    run: async () => (await import("./main.ts")).start(),
  },
  stdio: {
    does: "MCP over stdin and stdout, with those pages beside it",
    bare: true,
    run: async () => (await import("./stdio.ts")).stdio(),
  },
  merchant: {
    does: "the shop from behind the counter: orders, shipments, stock, refunds",
    run: async (words) => (await import("./cli.ts")).merchant(words),
  },
  move: {
    does: "copy a shop's database into another one",
    run: async (words) => (await import("./move.ts")).moveDatabase(words),
  },
  demo: {
    does: "one whole purchase in about a second, told step by step",
    run: async (words) => (await import("./demo.ts")).demo(words),
  },
  "verify-stripe": {
    does: "try a Stripe test key, as STRIPE_SECRET_KEY has it",
    run: async (words) => (await import("./verify-stripe.ts")).verify(words),
  },
};

/** What a start says of its settings; docs/operate.md has all of them. */
const SETTINGS = `Settings come from the environment:
  DATABASE_URL   sqlite:<file> or postgres://…   (sqlite:${dataFolder(process.env)}/merchant.db)
  HOST, PORT     where it listens                (127.0.0.1, 3000)
  BASE_URL       how others reach it             (http://HOST:PORT)
  CATALOG_FILE   what is sold                    (the shop's four beans)
  STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRETS with PAYMENT_PROVIDER=stripe; without: play money
`;

const OLDEST_NODE = [22, 18] as const;

/** Answers the exit code; what goes on serving ends its process itself. */
async function run(name: string, words: readonly string[]): Promise<number> {
  if (["--help", "-h", "help"].includes(name)) return say(overview());
  if (["--version", "-V"].includes(name)) return say((await import("./app/version.ts")).VERSION);
  const part = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
  if (!part) return refuse(`There is no command "${name}".`);
  if (part.bare && words.some((word) => ["--help", "-h"].includes(word))) {
    return say(`Usage: ${calledAs(name)}\n\n${part.does}\n\n${SETTINGS}`);
  }
  if (part.bare && words.length > 0) {
    const why = `${name} takes no arguments: its settings come from the environment.`;
    return refuse(why, `${calledWith(name)} --help tells more.`);
  }
  if (tooOld()) {
    const needed = `This needs Node ${OLDEST_NODE.join(".")} or newer; this is ${process.version}.`;
    return refuse(needed, "Install one (nodejs.org), or add --package=node@24 to npx.");
  }
  keepCompiled();
  if (!part.bare) process.stdout.once("error", endUnwritten);
  try {
    return await part.run(words);
  } catch (error) {
    const { startProblem } = await import("./app/start.ts");
    process.stderr.write(`${startProblem(error)}\n`);
    return 1;
  }
}

function overview(): string {
  const lines = Object.entries(PARTS).map(([name, { does }]) => `  ${name.padEnd(14)} ${does}`);
  return `Usage: coffee-merchant <command>\n\n${lines.join("\n")}\n\n${SETTINGS}`;
}

function say(text: string): number {
  process.stdout.once("error", endUnwritten);
  process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
  return 0;
}

/**
 * What was to do is done by then. A reader that has read enough (`merchant export orders | head`) is no
 * mistake; a full disk is.
 */
function endUnwritten({ code, message }: NodeJS.ErrnoException): never {
  if (code === "EPIPE") process.exit();
  process.stderr.write(`The output could not be written: ${message}\n`);
  process.exit(1);
}

function refuse(why: string, next = "coffee-merchant --help tells more."): number {
  process.stderr.write(`${why}\n${next}\n`);
  return 1;
}

function tooOld(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
}

/** V8 keeps what it compiled: beside the code, or where that cannot be written, with the user. */
function keepCompiled(): void {
  const { FAILED } = module.constants.compileCacheStatus;
  const beside = fileURLToPath(new URL("../dist/.compiled", import.meta.url));
  if (module.enableCompileCache(beside).status === FAILED) {
    const { XDG_CACHE_HOME = join(homedir(), ".cache") } = process.env;
    module.enableCompileCache(join(XDG_CACHE_HOME, "coffee-merchant"));
  }
  setTimeout(startIsOver, START_MS).unref();
}

/** A start is over by then, and its first requests are answered. */
const START_MS = 5_000;

/** A share of a second: a service that works for longer is not at rest. */
const AT_REST = 0.1;

/**
 * What was compiled is kept now: a process that is killed later keeps nothing. And a start allocates
 * a lot that is never needed again: released, a resting service uses 20 MB less. A busy one would pay
 * for it: with the garbage goes the code that V8 has optimized for it.
 */
async function startIsOver(): Promise<void> {
  module.flushCompileCache();
  const before = performance.eventLoopUtilization();
  await delay(1000, undefined, { ref: false });
  if (performance.eventLoopUtilization(before).utilization > AT_REST) return;
  v8.setFlagsFromString("--expose-gc");
  const collect = vm.runInNewContext("gc") as NonNullable<typeof globalThis.gc>;
  await collect({ type: "major", execution: "async", flavor: "last-resort" });
}

const [name = "--help", ...words] = process.argv.slice(2);
process.exitCode = await run(name, words);
