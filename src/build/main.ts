import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { InputOptions, OutputOptions, Plugin } from "rolldown";
import { VERSION } from "../app/version.ts";
import { builtOf, CANNOT_WRITE, contentsOf, NO_BUILDER, STAMP_FILE, stampsOf } from "./fresh.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DIST = join(ROOT, "dist");
const COMMAND = "coffee-merchant";

/** A module finds its files relative to its source, bundled or not. */
const keepSourceUrls: Plugin = {
  name: "keep-source-urls",
  transform: {
    filter: { id: /[\\/](src|tools|resources)[\\/][^?]*\.ts$/, code: /import\.meta\.url/ },
    handler(code, id) {
      const path = JSON.stringify(relative(DIST, id).replaceAll("\\", "/"));
      return code.replaceAll("import.meta.url", `new URL(${path}, import.meta.url).href`);
    },
  },
};

type Bundle = InputOptions & { output: OutputOptions };

/** The command, with one chunk per part that loads separately. */
const SERVICE: Bundle = {
  input: { [COMMAND]: join(ROOT, `src/${COMMAND}.ts`) },
  platform: "node",
  // Native code can't be bundled.
  external: ["better-sqlite3", "pg-native"],
  transform: { define: { BUILD_COMMIT: JSON.stringify(commitOf(ROOT)) ?? "undefined" } },
  plugins: [keepSourceUrls],
  output: {
    format: "esm",
    comments: false,
    // Names and lines stay, for stack traces. Full minification starts no faster.
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
    chunkFileNames: "[name]-[hash].js",
  },
};

/** The script of the card, which its page contains. */
const CARD: Bundle = {
  input: { card: join(ROOT, "src/mcp/card/main.ts") },
  platform: "browser",
  transform: { define: { VERSION: JSON.stringify(VERSION) } },
  treeshake: { moduleSideEffects: false },
  output: {
    format: "esm",
    comments: false,
    // The library logs every message, keys included.
    minify: { compress: { dropConsole: true }, mangle: true, codegen: true },
  },
};

/** Bundles the command and the card's script into dist/. */
async function build(): Promise<void> {
  const [stamps, contents] = [stampsOf(ROOT), contentsOf(ROOT)];
  const chunks = (await Promise.all([SERVICE, CARD].map(chunksOf))).flat();
  const previous = builtOf(ROOT)?.files ?? [];
  await mkdir(DIST, { recursive: true });
  for (const { fileName, code } of chunks) await replace(fileName, code);
  const licenses = await thirdPartyLicenses(chunks.flatMap(({ moduleIds }) => moduleIds));
  await replace("THIRD-PARTY-LICENSES.txt", licenses);
  await chmod(join(DIST, `${COMMAND}.js`), 0o755);
  const files = [...chunks.map(({ fileName }) => fileName), "THIRD-PARTY-LICENSES.txt"];
  await replace(basename(STAMP_FILE), JSON.stringify({ ...stamps, contents, files }));
  // A process running the previous build still loads chunks of it.
  const kept = new Set([...files, ...previous, basename(STAMP_FILE)]);
  for (const name of await readdir(DIST)) {
    if (!kept.has(name)) await rm(join(DIST, name), { recursive: true, force: true });
  }
}

async function chunksOf({ output, ...input }: Bundle) {
  const { rolldown } = await import("rolldown");
  const bundle = await rolldown(input);
  const generated = await bundle.generate(output);
  await bundle.close();
  return generated.output.filter((file) => file.type === "chunk");
}

/** Undefined without git, and for a copy inside another project's repository. */
function commitOf(root: string): string | undefined {
  if (!existsSync(join(root, ".git"))) return undefined;
  const words = ["describe", "--always", "--exclude=*", "--abbrev=40", "--dirty"];
  return spawnSync("git", words, { cwd: root, encoding: "utf8" }).stdout?.trim() || undefined;
}

/** Replaces a file atomically: another process may be starting from it. */
async function replace(name: string, content: string): Promise<void> {
  const temporary = join(DIST, `${name}.${process.pid}`);
  await writeFile(temporary, content);
  await rename(temporary, join(DIST, name));
}

const COPYRIGHT = /^\s*(copyright|\(c\)|©).*$/gim;

/** Notices of all bundled packages. Packages with the same terms share one text. */
async function thirdPartyLicenses(modules: readonly string[]): Promise<string> {
  const folder = /^.*[\\/]node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+/;
  const folders = new Set(modules.flatMap((id) => folder.exec(id)?.[0] ?? []));
  const notices = [...folders].sort().map(async (path) => {
    const manifest = JSON.parse(await readFile(join(path, "package.json"), "utf8"));
    const file = (await readdir(path)).find((name) =>
      /^(licen[sc]e|copying|copyright)/i.test(name),
    );
    const text = file ? await readFile(join(path, file), "utf8") : `License: ${manifest.license}`;
    const holders = text.match(COPYRIGHT) ?? [];
    return {
      owner: [`${manifest.name} ${manifest.version}`, ...holders.map((line) => line.trim())],
      terms: text.replace(COPYRIGHT, "").trim().replace(/\s+/g, " "),
      text: text.replace(COPYRIGHT, "").trim(),
    };
  });
  const groups = Map.groupBy(await Promise.all(notices), ({ terms }) => terms);
  return [...groups.values()]
    .map((group) => `${group.flatMap(({ owner }) => owner).join("\n")}\n\n${group[0]!.text}`)
    .join(`\n\n${"-".repeat(72)}\n\n`);
}

try {
  if (process.argv.includes("--clean")) await rm(DIST, { recursive: true, force: true });
  await build();
} catch (error) {
  const { code = "", message } = error as NodeJS.ErrnoException;
  const isMissing = code === "ERR_MODULE_NOT_FOUND";
  const isRefused = ["EACCES", "EPERM", "EROFS"].includes(code);
  process.stderr.write(`${isMissing ? NO_BUILDER : isRefused ? CANNOT_WRITE : message}\n`);
  process.exitCode = 1;
}
