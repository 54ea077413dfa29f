import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { contents } from "../app/registry.ts";
import { desktopManifest, type Package } from "./desktop-manifest.ts";

/**
 * `npm run desktop`: coffee-merchant-<version>.mcpb, which Claude Desktop installs with a double click.
 * It is what npm would publish, unpacked, with better-sqlite3 for every system beside it. Told where to
 * write to, and of a tarball that is there, it takes these; with --here it is for this system alone.
 */
const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Of better-sqlite3 what runs; the rest is SQLite's own source. */
const NATIVE = ["package.json", "LICENSE", "lib", "prebuilds"];

const [target = root, given, only] = process.argv.slice(2);
const everywhere = only !== "--here";
const folder = await mkdtemp(join(tmpdir(), "coffee-desktop-"));
try {
  await run("tar", ["-xzf", given ?? (await packed())], { cwd: folder });
  const bundle = join(folder, "package");
  for (const part of NATIVE) {
    const path = join("node_modules/better-sqlite3", part);
    await cp(join(root, path), join(bundle, path), {
      recursive: true,
      filter: (from) => everywhere || !from.endsWith(".node") || runsHere(from),
    });
  }
  const { name, version, description, license } = JSON.parse(
    await readFile(join(bundle, "package.json"), "utf8"),
  ) as Package;
  const manifest = desktopManifest({ name, version, description, license }, contents);
  await writeFile(join(bundle, "manifest.json"), JSON.stringify(manifest, null, 2));
  const file = join(target, `${name}-${version}.mcpb`);
  // What is not valid it does not pack.
  await run(join(root, "node_modules/.bin/mcpb"), ["pack", bundle, file]);
  process.stdout.write(`${file}\n`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Such as linuxmusl-x64.node. */
function runsHere(file: string): boolean {
  const [system = "", arch] = basename(file, ".node").split("-");
  return system.startsWith(process.platform) && arch === process.arch;
}

async function packed(): Promise<string> {
  const pack = ["pack", "--silent", "--pack-destination", folder];
  const { stdout } = await run("npm", pack, { cwd: root });
  return stdout.trim().split("\n").at(-1)!;
}
