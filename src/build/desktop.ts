import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { contents } from "../app/registry.ts";

/**
 * `npm run desktop [-- FOLDER [TARBALL [--here]]]` writes coffee-merchant-<version>.mcpb, a bundle that
 * Claude Desktop installs: the npm package with better-sqlite3 for every system, or for this one alone.
 */
const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Parts of better-sqlite3 that run. The rest is SQLite's own source. */
const NATIVE = ["package.json", "LICENSE", "lib", "prebuilds"];

const [target = root, tarball, only] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "coffee-desktop-"));
try {
  await run("tar", ["-xzf", tarball ?? (await pack())], { cwd: folder });
  const bundle = join(folder, "package");
  for (const part of NATIVE) {
    const path = join("node_modules/better-sqlite3", part);
    const filter = (from: string) =>
      only !== "--here" || !from.endsWith(".node") || runsHere(basename(from, ".node"));
    await cp(join(root, path), join(bundle, path), { recursive: true, filter });
  }
  const about = JSON.parse(await readFile(join(bundle, "package.json"), "utf8"));
  await writeFile(join(bundle, "manifest.json"), JSON.stringify(manifest(about), null, 2));
  const file = join(target, `${about.name}-${about.version}.mcpb`);
  // Rejects an invalid manifest.
  await run(join(root, "node_modules/.bin/mcpb"), ["pack", bundle, file]);
  process.stdout.write(`${file}\n`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Whether a build such as linuxmusl-x64 is for this system. */
function runsHere(name: string): boolean {
  const [system = "", arch] = name.split("-");
  return system.startsWith(process.platform) && arch === process.arch;
}

async function pack(): Promise<string> {
  const words = ["pack", "--silent", "--pack-destination", folder];
  const { stdout } = await run("npm", words, { cwd: root });
  return stdout.trim().split("\n").at(-1)!;
}

/** MCPB manifest 0.3. */
function manifest({ name, version, description, license }: Record<string, unknown>) {
  return {
    manifest_version: "0.3",
    ...{ name, version, description, license },
    display_name: "Coffee merchant",
    author: { name: "The coffee merchant's maintainers" },
    server: {
      type: "node",
      entry_point: "dist/coffee-merchant.js",
      mcp_config: {
        command: "node",
        // biome-ignore-start lint/suspicious/noTemplateCurlyInString: Claude Desktop fills these in.
        args: ["${__dirname}/dist/coffee-merchant.js", "stdio"],
        env: { PORT: "${user_config.port}", MERCHANT_API_KEY: "${user_config.api_key}" },
        // biome-ignore-end lint/suspicious/noTemplateCurlyInString: Claude Desktop fills these in.
      },
    },
    tools: contents.operations.map(({ name, description }) => {
      return { name, description: description.split("\n")[0] };
    }),
    tools_generated: false,
    compatibility: {
      platforms: ["darwin", "win32", "linux"],
      runtimes: { node: ">=22.18" },
    },
    user_config: {
      port: {
        type: "number",
        title: "Port",
        description: "Port of the pages where you review and pay: http://127.0.0.1:<port>",
        default: 3917,
        min: 1024,
        max: 65_535,
        required: false,
      },
      api_key: {
        type: "string",
        title: "API key",
        description: "An API key of this shop. Leave it empty to let the agent register.",
        sensitive: true,
        default: "",
        required: false,
      },
    },
  };
}
