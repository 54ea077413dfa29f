/** The published tarball runs wherever it is unpacked. */

import { execFile, spawn } from "node:child_process";
import {
  chmod,
  chown,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
} from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { loadCatalog } from "../../src/catalog/catalog.ts";
import { SHIPPED_CATALOG_FILE } from "../support/catalog.ts";
import { cloneInto, INHERITED, ROOT } from "../support/command.ts";
import { freePort } from "../support/loopback.ts";
import { eventually } from "../support/shopper.ts";

const PARTS = ["src", "tools", "resources", "docs", "drizzle", "tsconfig.json", "package.json"];
const TEXTS = "LICENSE README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md mcp.json".split(" ");

/** The unpacked package, without better-sqlite3. */
const MOST_BYTES = 6_000_000;

const run = promisify(execFile);
/** As in a container: the system's list of users lacks it. */
const OTHER_USER = 54_321;

let folder: string;
let clone: string;
let tarball: string;
let env: Record<string, string>;
let size: number;
/** The service that npx has started in this folder. */
let client: Client;
let cwd: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "coffee-merchant-package-"));
  clone = join(folder, "clone");
  await mkdir(clone);
  await cloneInto(clone, [...PARTS, ...TEXTS]);
  env = {
    ...INHERITED,
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: join(folder, "home"),
    // So that data is stored in HOME.
    XDG_DATA_HOME: "",
    npm_config_cache: await npmCache(),
    npm_config_update_notifier: "false",
    npm_config_userconfig: process.env.npm_config_userconfig ?? join(homedir(), ".npmrc"),
  };
  await mkdir(join(folder, "home"));
  const { stdout } = await run("npm", ["pack", "--json", "--silent"], { cwd: clone, env });
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf("[\n")));
  size = packed.unpackedSize;
  tarball = join(clone, packed.filename);
  // Unpacked and started once for all tests.
  cwd = join(folder, "empty");
  await mkdir(cwd);
  client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StdioClientTransport({
      command: "npx",
      args: npx("stdio"),
      cwd,
      // Otherwise it would write its compile cache into a folder that another test compares.
      env: { ...env, PORT: "0", LOG_LEVEL: "silent", NODE_DISABLE_COMPILE_CACHE: "1" },
      stderr: "ignore",
    }),
  );
}, 180_000);
afterAll(async () => {
  await client?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Reuses npm's cache, but not npx's unpacked packages. */
async function npmCache(): Promise<string> {
  const cache = join(folder, "npm");
  await mkdir(cache);
  const usual = process.env.npm_config_cache ?? join(homedir(), ".npm");
  await mkdir(join(usual, "_cacache"), { recursive: true });
  await symlink(join(usual, "_cacache"), join(cache, "_cacache"));
  return cache;
}

/** Folder into which npx has unpacked it. */
async function unpacked(): Promise<string> {
  const [hash = ""] = await readdir(join(env.npm_config_cache!, "_npx"));
  return join(env.npm_config_cache!, "_npx", hash, "node_modules");
}

const npx = (...words: string[]) => [
  ...["--yes", "--prefer-offline", `--package=${tarball}`, "coffee-merchant"],
  ...words,
];

test("it is small, and has one dependency", async () => {
  expect(size).toBeLessThan(MOST_BYTES);
  const { dependencies } = (await import("../../package.json", { with: { type: "json" } })).default;
  expect(Object.keys(dependencies)).toEqual(["better-sqlite3"]);
});

test("npx starts it from the tarball in an empty folder, with all its parts", async () => {
  expect((await client.listTools()).tools.length).toBeGreaterThan(10);
  const link = await client.callTool({
    name: "build_quick_checkout_link",
    arguments: { items: [{ product_id: shippedBean(), quantity: 2 }] },
  });
  const { origin } = new URL((link.structuredContent as { checkout_url: string }).checkout_url);
  for (const path of ["/", "/assets/style.css", "/assets/coffee.jpg", "/openapi.json", "/readyz"]) {
    expect((await fetch(origin + path)).status, path).toBe(200);
  }
  expect(await readdir(cwd)).toEqual([]);
  const data = join(folder, "home/.local/share/coffee-merchant");
  expect(await readdir(data)).toContain("merchant.db");
});

test("another user runs it from a read-only folder", async () => {
  const place = await unpacked();
  const own = await mkdtemp(join(folder, "other-"));
  const node = join(folder, "node");
  await copyFile(process.execPath, node);
  const isRoot = process.getuid?.() === 0;
  const who = isRoot ? { uid: OTHER_USER, gid: OTHER_USER } : {};
  if (isRoot) await chown(own, OTHER_USER, OTHER_USER);
  for (const path of [folder, env.npm_config_cache!, node]) await chmod(path, 0o755);
  const before = await tree(join(place, "coffee-merchant"));
  await writable(join(place, "coffee-merchant"), false);
  const PORT = await freePort();
  const told = {
    ...INHERITED,
    HOME: own,
    XDG_DATA_HOME: join(own, "data"),
    PORT,
    LOG_LEVEL: "silent",
  };
  const command = join(place, "coffee-merchant/dist/coffee-merchant.js");
  const child = spawn(node, [command, "start"], { ...who, cwd: "/", env: told, stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  await eventually(async () => {
    const answer = await fetch(`http://127.0.0.1:${PORT}/readyz`).catch(() => null);
    return answer?.status === 200 ? true : undefined;
  });
  const { HOME: _, ...homeless } = told;
  const listed = await run(node, [command, "merchant", "orders", "list", "--json"], {
    ...who,
    cwd: "/",
    env: homeless,
  });
  expect(JSON.parse(listed.stdout)).toEqual([]);
  const { mode } = await stat(join(own, "data/coffee-merchant"));
  expect(mode & 0o077).toBe(0);
  expect(await tree(join(place, "coffee-merchant"))).toEqual(before);
  await writable(join(place, "coffee-merchant"), true);
});

test("the bundle for Claude Desktop is valid and starts by its manifest", async () => {
  const bundler = join(clone, "src/build/desktop.ts");
  await run(process.execPath, [bundler, folder, tarball, "--here"], { env });
  const [file = ""] = (await readdir(folder)).filter((name) => name.endsWith(".mcpb"));
  const place = join(folder, "desktop");
  const mcpb = join(ROOT, "node_modules/.bin/mcpb");
  await run(mcpb, ["unpack", join(folder, file), place], { env });
  const { server, tools } = JSON.parse(await readFile(join(place, "manifest.json"), "utf8"));
  const { args } = server.mcp_config;
  const client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Claude Desktop puts the folder there.
      args: args.map((word: string) => word.replace("${__dirname}", place)),
      env: { ...env, PORT: "0", MERCHANT_API_KEY: "", LOG_LEVEL: "silent" },
      stderr: "ignore",
    }),
  );
  onTestFinished(() => client.close());
  const names = (list: { name: string }[]) => list.map(({ name }) => name).sort();
  expect(names((await client.listTools()).tools)).toEqual(names(tools));
});

const tree = async (path: string) => (await readdir(path, { recursive: true })).sort();

async function writable(path: string, may: boolean): Promise<void> {
  for (const name of ["", ...(await readdir(path, { recursive: true }))]) {
    const { mode } = await stat(join(path, name));
    await chmod(join(path, name), may ? mode | 0o200 : mode & ~0o222);
  }
}

const shippedBean = (): string =>
  loadCatalog(SHIPPED_CATALOG_FILE).products.find((bean) => bean.availability === "STOCKED")!
    .product_id;
