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
  "Building needs the development dependencies. Run npm ci without --omit=dev, then npm run build.";

/** Describes the build in dist/: hashes of its inputs and the names of its files. */
export const STAMP_FILE = "dist/built.json";

/** @param {string} root */
export const stampsOf = (root) => ({
  sources: stampOf(root, SOURCES),
  packages: stampOf(root, PACKAGES),
});

/**
 * Hash of names, sizes and times. Reading 3 MB of sources would be slower, and comparing times alone
 * would miss an older release unpacked over a newer one.
 * @param {string} root
 * @param {readonly string[]} paths
 */
function stampOf(root, paths) {
  const hash = createHash("sha256");
  for (const path of paths.filter((one) => existsSync(join(root, one)))) {
    const isFolder = statSync(join(root, path)).isDirectory();
    const names = isFolder ? readdirSync(join(root, path), { recursive: true }).sort() : [""];
    for (const name of names) {
      const file = statSync(join(root, path, String(name)));
      if (file.isFile()) hash.update(`${path} ${name} ${file.size} ${file.mtimeMs}\n`);
    }
  }
  return hash.digest("base64url");
}

/**
 * @param {string} root
 * @returns {{ sources: string, packages: string, files: string[] } | undefined}
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
  const isFromSources = built?.sources === sources;
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
