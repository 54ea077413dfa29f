import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// Plain JavaScript, with launch.mjs: they run at every `npm start`, and stripping types would cost it
// 45 ms and 17 MB before the service has begun.

/** What the build is made of. */
const SOURCES = ["src", "tools", "resources", "package.json"];
const PACKAGES = ["node_modules/.package-lock.json"];

/** After `npm ci --omit=dev` nothing can build, and a build of these sources is as good as it was. */
const BUILDER = "node_modules/rolldown";
export const NO_BUILDER =
  "What builds is a development dependency: npm ci, without --omit=dev; then npm run build.";

/** Where a build says what it was made of. */
export const STAMP_FILE = "dist/built.json";

/**
 * Short texts that differ as soon as any source does, or any installed package: by name, size and time,
 * for reading 3 MB would cost more than it finds. Not "newer than": an older release unpacked over a
 * newer one is no build of it either.
 * @param {string} root the folder of package.json
 */
export const stampOf = (root) => ({
  sources: stamp(root, SOURCES),
  packages: stamp(root, PACKAGES),
});

/**
 * @param {string} root
 * @param {readonly string[]} paths
 */
function stamp(root, paths) {
  const hash = createHash("sha256");
  for (const path of paths) look(root, path, hash);
  return hash.digest("base64url");
}

/**
 * @param {string} root
 * @param {string} path
 * @param {import("node:crypto").Hash} hash
 */
function look(root, path, hash) {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (!found) return;
  if (!found.isDirectory()) {
    hash.update(`${path} ${found.size} ${found.mtimeMs}\n`);
    return;
  }
  for (const name of readdirSync(join(root, path)).sort()) look(root, `${path}/${name}`, hash);
}

/**
 * What the build in dist/ was made of, and the files it has; nothing where there is none.
 * @param {string} root
 * @returns {{ stamp: ReturnType<typeof stampOf>, files: string[] } | undefined}
 */
export function builtOf(root) {
  try {
    return JSON.parse(readFileSync(join(root, STAMP_FILE), "utf8"));
  } catch {
    return undefined;
  }
}

/**
 * Builds where a source has changed since the last build; answers whether dist/ is fresh now.
 * @param {string} root
 * @returns {boolean}
 */
export function refresh(root) {
  const made = builtOf(root)?.stamp;
  const { sources, packages } = stampOf(root);
  const ours = made?.sources === sources;
  if (ours && made.packages === packages) return true;
  if (!existsSync(join(root, BUILDER))) {
    if (!ours) process.stderr.write(`${NO_BUILDER}\n`);
    return ours;
  }
  if (!process.features.typescript) {
    process.stderr.write(
      `To build, this needs Node 22.18 or newer; this is ${process.version}. ` +
        "npm ci brings one, where it may run the scripts of packages (ignore-scripts).\n",
    );
    return false;
  }
  // A process of its own: what the bundler took of memory, the service would keep.
  const builder = fileURLToPath(new URL("main.ts", import.meta.url));
  // stdout may be MCP's, or a command's one JSON value.
  return spawnSync(process.execPath, [builder], { stdio: ["ignore", 2, 2] }).status === 0;
}
