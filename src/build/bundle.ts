import { chmod, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { OutputOptions } from "rolldown";
import { builtOf, STAMP_FILE, stampOf } from "./fresh.mjs";
import { thirdPartyLicenses } from "./licenses.ts";
import { ascii, lightHttp, loadOnUse, packedWords, placed, readyTools } from "./plugins.ts";

/** The package's only dependencies: what has native code cannot be bundled. */
const EXTERNAL = ["better-sqlite3", "pg-native"];
/** Only payments need Stripe, only shops on PostgreSQL its driver. */
const WHEN_USED = ["stripe", "pg"];
const COMMAND = "coffee-merchant";

/**
 * Bundles the one command into `dist/`, one chunk for each part that is loaded by itself. The files
 * of the build before stay beside it: a process that runs on them loads some of them later.
 */
export async function build(root: string): Promise<void> {
  const { rolldown } = await import("rolldown");
  const stamp = stampOf(root);
  const dist = join(root, dirname(STAMP_FILE));
  const bundle = await rolldown({
    input: { [COMMAND]: join(root, `src/${COMMAND}.ts`) },
    platform: "node",
    external: EXTERNAL,
    plugins: [placed(dist), ascii, lightHttp, loadOnUse(WHEN_USED), readyTools, packedWords],
  });
  const { output } = await bundle.generate(OUTPUT);
  const modules = output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
  await bundle.close();
  const made = new Map(
    output.map((file) => [file.fileName, file.type === "chunk" ? file.code : file.source]),
  );
  made.set("THIRD-PARTY-LICENSES.txt", await thirdPartyLicenses(root, modules));
  const before = builtOf(root)?.files ?? [];
  await mkdir(dist, { recursive: true });
  for (const [name, content] of made) await put(join(dist, name), content);
  await chmod(join(dist, `${COMMAND}.js`), 0o755);
  const files = [...made.keys()];
  await put(join(root, STAMP_FILE), JSON.stringify({ stamp, files }));
  const stays = new Set([...files, ...before, relative(dist, join(root, STAMP_FILE))]);
  for (const name of await readdir(dist)) {
    if (!stays.has(name)) await rm(join(dist, name), { recursive: true, force: true });
  }
}

/**
 * Without what is never reached and without comments, but with lines and names, for the reader of a
 * stack trace: minified it started no faster.
 */
const OUTPUT: OutputOptions = {
  format: "esm",
  comments: false,
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
  chunkFileNames: "[name]-[hash].js",
};

/** Whole or not at all: another process may be starting from it. */
async function put(file: string, content: string | Uint8Array): Promise<void> {
  const beside = `${file}.${process.pid}`;
  await writeFile(beside, content);
  await rename(beside, file);
}
