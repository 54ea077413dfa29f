import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// Plain JavaScript, because every `npm start` runs it: stripping types would cost 45 ms and 17 MB.

const SOURCES = ["src", "tools", "resources", "package.json"];
const PACKAGES = ["node_modules/.package-lock.json"];
const BUILDER = "node_modules/rolldown";

export const NO_BUILDER =
  "Building needs the development dependencies, which npm leaves out with NODE_ENV=production or " +
  "--omit=dev. Run npm ci --include=dev, or copy a dist folder that was built from these sources, or " +
  "install the package (docs/operate.md).";

/** For a clone that belongs to another user. */
export const CANNOT_WRITE =
  "This user can't write to dist/. Run npm run build once as the owner of this folder, " +
  "or install the package (docs/operate.md).";

/** Describes the build in dist/: hashes of its inputs and the names of its files. */
export const STAMP_FILE = "dist/built.json";

/** @param {string} root */
export const stampsOf = (root) => ({
  sources: stampOf(root, SOURCES),
  packages: stampOf(root, PACKAGES),
});

/**
 * Hash of the sources' names and content, which a copy keeps in contrast to their times.
 * @param {string} root
 */
export function contentsOf(root) {
  const hash = createHash("sha256");
  for (const { name, path } of filesIn(root, SOURCES))
    hash.update(`${name}\n`).update(readFileSync(path));
  return hash.digest("base64url");
}

/**
 * @param {string} root
 * @param {readonly string[]} paths
 */
function* filesIn(root, paths) {
  for (const path of paths.filter((one) => existsSync(join(root, one)))) {
    const isFolder = statSync(join(root, path)).isDirectory();
    const names = isFolder ? readdirSync(join(root, path), { recursive: true }).sort() : [""];
    for (const name of names) {
      const file = join(root, path, String(name));
      const stat = statSync(file);
      if (stat.isFile()) yield { name: `${path} ${name}`, path: file, stat };
    }
  }
}

/**
 * Hash of names, sizes and times. Reading 3 MB of sources would be slower, and comparing times alone
 * would miss an older release unpacked over a newer one.
 * @param {string} root
 * @param {readonly string[]} paths
 */
function stampOf(root, paths) {
  const hash = createHash("sha256");
  for (const { name, stat } of filesIn(root, paths)) {
    hash.update(`${name} ${stat.size} ${stat.mtimeMs}\n`);
  }
  return hash.digest("base64url");
}

/**
 * @param {string} root
 * @returns {{ sources: string, contents: string, packages: string, files: string[] } | undefined}
 */
export function builtOf(root) {
  const file = join(root, STAMP_FILE);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

/**
 * Builds if a source or a package has changed. Returns whether dist/ is current.
 * @param {string} root
 */
export function refresh(root) {
  const built = builtOf(root);
  const { sources, packages } = stampsOf(root);
  const isFromSources =
    built?.sources === sources || (built !== undefined && built.contents === contentsOf(root));
  if (isFromSources && built.packages === packages) return true;
  // After `npm ci --omit=dev` the packages differ, but a build of the same sources is good.
  if (!existsSync(join(root, BUILDER))) {
    if (!isFromSources) process.stderr.write(`${NO_BUILDER}\n`);
    return isFromSources;
  }
  if (!process.features.typescript) {
    process.stderr.write(
      `Building needs Node 22.18 or newer; this is ${process.version}. ` +
        "npm ci installs one if it may run package scripts (ignore-scripts=false).\n",
    );
    return false;
  }
  // In its own process, so that the service does not keep the bundler's memory. Its output goes to
  // stderr, because stdout may carry MCP messages.
  const builder = fileURLToPath(new URL("main.ts", import.meta.url));
  return spawnSync(process.execPath, [builder], { stdio: ["ignore", 2, 2] }).status === 0;
}
