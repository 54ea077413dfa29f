#!/usr/bin/env node
/** The command `coffee-merchant start`, `stdio`, `merchant` … loads only the chosen subcommand. */
import module from "node:module";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import v8 from "node:v8";
import vm from "node:vm";
import { calledAs, calledWith, dataFolder, homeFolder } from "./app/data-folder.ts";

interface Part {
  summary: string;
  /** Takes its settings from the environment, and no arguments. */
  noArguments?: true;
  /** Returns the exit code. */
  run(words: readonly string[]): Promise<number>;
}

const PARTS: Record<string, Part> = {
  start: {
    summary: "run the service: HTTP API, MCP, buyer pages and the desk",
    noArguments: true,
    run: async () => (await import("./main.ts")).start(),
  },
  stdio: {
    summary: "run MCP over stdin and stdout, and serve the buyer pages",
    noArguments: true,
    run: async () => (await import("./stdio.ts")).stdio(),
  },
  merchant: {
    summary: "manage the shop: orders, shipments, stock, refunds",
    run: async (words) => (await import("./cli.ts")).merchant(words),
  },
  move: {
    summary: "copy the shop's database to another one",
    run: async (words) => (await import("./move.ts")).moveDatabase(words),
  },
  demo: {
    summary: "show one purchase step by step, in about a second",
    run: async (words) => (await import("./demo.ts")).demo(words),
  },
  "verify-stripe": {
    summary: "check the Stripe test key in STRIPE_SECRET_KEY",
    run: async (words) => (await import("./verify-stripe.ts")).verify(words),
  },
};

/** The settings most people need; docs/operate.md lists all. */
const SETTINGS = `Settings come from the environment:
  DATABASE_URL   sqlite:<file> or postgres://…   (sqlite:${dataFolder(process.env) ?? "…"}/merchant.db)
  HOST, PORT     listening address               (127.0.0.1, 3000)
  BASE_URL       start of every link             (http://HOST:PORT)
  CATALOG_FILE   beans and shop                  (four sample beans)
  STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRETS with PAYMENT_PROVIDER=stripe; otherwise play money
`;

const OLDEST_NODE = [22, 18] as const;

/** Returns the exit code. A service that keeps running ends its process itself. */
async function run(name: string, words: readonly string[]): Promise<number> {
  if (["--help", "-h", "help"].includes(name)) return say(overview());
  if (["--version", "-V"].includes(name)) return say((await import("./app/version.ts")).VERSION);
  const part = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
  if (!part) return refuse(`There is no command "${name}".`);
  if (part.noArguments && words.some((word) => ["--help", "-h"].includes(word))) {
    return say(`Usage: ${calledAs(name)}\n\n${part.summary}\n\n${SETTINGS}`);
  }
  if (part.noArguments && words.length > 0) {
    const why = `${name} takes no arguments: its settings come from the environment.`;
    return refuse(why, `${calledWith(name)} --help tells more.`);
  }
  if (isNodeTooOld()) {
    const needed = `This needs Node ${OLDEST_NODE.join(".")} or newer; this is ${process.version}.`;
    return refuse(needed, "Install one (nodejs.org), or add --package=node@24 to npx.");
  }
  keepCompiled();
  if (!part.noArguments) process.stdout.once("error", endUnwritten);
  try {
    return await part.run(words);
  } catch (error) {
    const { startProblem } = await import("./app/start.ts");
    process.stderr.write(`${startProblem(error)}\n`);
    return 1;
  }
}

function overview(): string {
  const lines = Object.entries(PARTS).map(
    ([name, { summary }]) => `  ${name.padEnd(14)} ${summary}`,
  );
  return `Usage: coffee-merchant <command>\n\n${lines.join("\n")}\n\n${SETTINGS}`;
}

function say(text: string): number {
  process.stdout.once("error", endUnwritten);
  process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
  return 0;
}

/** The work is done by then. A closed pipe (`merchant export orders | head`) is fine, a full disk is not. */
function endUnwritten({ code, message }: NodeJS.ErrnoException): never {
  if (code === "EPIPE") process.exit();
  process.stderr.write(`The output could not be written: ${message}\n`);
  process.exit(1);
}

function refuse(why: string, next = "coffee-merchant --help tells more."): number {
  process.stderr.write(`${why}\n${next}\n`);
  return 1;
}

function isNodeTooOld(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
}

/** Keeps V8's compile cache beside the code, or in the user's cache folder if that is read-only. */
function keepCompiled(): void {
  const { FAILED } = module.constants.compileCacheStatus;
  const cacheFolder = fileURLToPath(new URL("../dist/.compiled", import.meta.url));
  if (module.enableCompileCache(cacheFolder).status === FAILED) {
    const home = homeFolder(process.env);
    const cache = process.env.XDG_CACHE_HOME || (home && join(home, ".cache"));
    if (cache) module.enableCompileCache(join(cache, "coffee-merchant"));
  }
  setTimeout(afterStart, START_MS).unref();
}

/** The first requests are answered by then. */
const START_MS = 5_000;

/** Share of a second that an idle service may work. */
const AT_REST = 0.1;

/**
 * Writes the compile cache, which a killed process would lose. Then frees what only the start needed: an
 * idle service uses 20 MB less. A busy one keeps it, because the collection also drops optimized code.
 */
async function afterStart(): Promise<void> {
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
