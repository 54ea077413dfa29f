/** A clone builds by itself, and always runs its current sources. */
import { execFile } from "node:child_process";
import { chmod, mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { test as base, expect } from "vitest";
import { CHILD_ENV, cloneInto, ROOT } from "../support/command.ts";
import { scratchFolder } from "../support/scratch-folder.ts";

const SOURCES = ["src", "tools", "resources", "docs", "drizzle", "package.json", "LICENSE"];

const test = base.extend<{ clone: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest wants the pattern.
  clone: async ({}, use) => {
    const folder = await scratchFolder("clone");
    // Includes this test run's build.
    await cloneInto(folder, [...SOURCES, "dist"]);
    await use(folder);
  },
});

/** Like `npm ci --omit=dev`: no bundler, and no Node from npm. */
async function installForProduction(clone: string) {
  const packages = join(clone, "node_modules");
  await rm(packages);
  await mkdir(packages);
  await symlink(join(ROOT, "node_modules/better-sqlite3"), join(packages, "better-sqlite3"));
}

const launch = async (clone: string, ...words: string[]) => launchBy([], clone, words);

const launchBy = async (flags: string[], clone: string, words: string[]) => {
  const command = [...flags, join(clone, "src/build/launch.mjs"), ...words];
  const { stdout } = await promisify(execFile)(process.execPath, command, { env: CHILD_ENV });
  return stdout;
};

async function change(file: string, from: string, to: string) {
  const text = await readFile(file, "utf8");
  expect(text).toContain(from);
  await writeFile(file, text.replace(from, to));
}

const stamp = (clone: string) => readFile(join(clone, "dist/built.json"), "utf8");
const builtFiles = async (clone: string): Promise<string[]> => JSON.parse(await stamp(clone)).files;

test("the first start builds, the next does not, and a changed source is built again", async ({
  clone,
}) => {
  const built = await stamp(clone);
  expect(await launch(clone, "--help")).toContain("show one purchase step by step");
  expect(await launch(clone, "--version")).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(await stamp(clone)).toBe(built);

  const source = join(clone, "src/coffee-merchant.ts");
  await change(source, "show one purchase", "show one more purchase");
  const merchant = join(clone, "src/cli/run.ts");
  await change(merchant, "Examples:", "For example:");
  // Older than the build, like a release unpacked over a newer one.
  for (const changed of [source, merchant]) await utimes(changed, 0, 0);
  const part = async () => (await builtFiles(clone)).find((file) => file.startsWith("cli-"))!;
  const first = await part();
  expect(await launch(clone, "--help")).toContain("show one more purchase step by step");
  // A process of the previous build still finds its chunks. Those of older builds are gone.
  expect(await readdir(join(clone, "dist"))).toEqual(expect.arrayContaining([first, await part()]));
  expect(await part()).not.toBe(first);

  // A source that can't be built starts nothing, not even the previous build.
  await writeFile(source, "export const = ;");
  await expect(launch(clone, "--version")).rejects.toMatchObject({ code: 1, stdout: "" });
  await writeFile(source, "process.stdout.write('new');");
  expect(await launch(clone)).toBe("new");
  expect(await readdir(join(clone, "dist"))).not.toContain(first);

  // A clone without a build. Its source is short now, so building is fast.
  await rm(join(clone, "dist"), { recursive: true });
  expect(await launch(clone)).toBe("new");
  const anew = await stamp(clone);
  expect(await launch(clone)).toBe("new");
  expect(await stamp(clone)).toBe(anew);
});

test("without the bundler it runs a build of the same sources, and otherwise says why it can't", async ({
  clone,
}) => {
  await installForProduction(clone);
  expect(await launch(clone, "--help")).toContain("show one purchase step by step");
  await change(join(clone, "src/cli/run.ts"), "Examples:", "For example:");
  await expect(launch(clone, "--help")).rejects.toMatchObject({
    stderr: expect.stringMatching(
      /^Building needs the development dependencies, .*npm ci --include=dev, .*\n$/,
    ),
  });
});

/** Runs the start as a user who can't write to the clone. */
async function startAsOther(clone: string) {
  const isRoot = process.getuid?.() === 0;
  await chmod(clone, isRoot ? 0o755 : 0o555);
  if (!isRoot) await chmod(join(clone, "dist"), 0o555);
  const env = { ...CHILD_ENV, HOME: clone, PORT: "0" };
  const command = [join(clone, "src/build/launch.mjs"), "start"];
  const as = isRoot ? { uid: 65_534, gid: 65_534 } : {};
  const started = promisify(execFile)(process.execPath, command, { cwd: clone, env, ...as });
  return started.finally(async () => {
    for (const folder of [clone, join(clone, "dist")]) await chmod(folder, 0o755);
  });
}

test("a clone of another user says what works, without an error of the system", async ({
  clone,
}) => {
  await expect(startAsOther(clone)).rejects.toMatchObject({
    stderr: expect.stringMatching(/^The database cannot be opened: .*DATABASE_URL=sqlite:FILE/m),
  });
  const source = join(clone, "src/cli/run.ts");
  await change(source, "Examples:", "For example:");
  await expect(startAsOther(clone)).rejects.toMatchObject({
    stderr: expect.stringMatching(
      /^This user can't write to dist\/\. Run npm run build once .*\n$/,
    ),
  });
});

test("a Node that can't build prints a message without a stack", async ({ clone }) => {
  await change(join(clone, "src/cli/run.ts"), "Examples:", "For example:");
  const old = launchBy(["--no-experimental-strip-types"], clone, ["--help"]);
  await expect(old).rejects.toMatchObject({
    stderr: expect.stringMatching(/^Building needs Node 22\.18 or newer; .*\n$/),
  });
});

test("a build from git knows its commit and whether something was changed since", async ({
  clone,
}) => {
  const author = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
  const git = (...words: string[]) =>
    promisify(execFile)("git", [...author, ...words], { cwd: clone });
  await writeFile(
    join(clone, "src/coffee-merchant.ts"),
    'import { COMMIT } from "./app/version.ts";\nprocess.stdout.write(String(COMMIT));',
  );
  expect(await launch(clone)).toBe("undefined");
  const build = () => rm(join(clone, "dist"), { recursive: true }).then(() => launch(clone));
  await git("init", "--quiet");
  await git("add", "package.json");
  await git("commit", "--quiet", "--message", "First");
  const commit = (await git("rev-parse", "HEAD")).stdout.trim();
  expect(await build()).toBe(commit);
  await change(join(clone, "package.json"), '"license": "MIT"', '"license": "ISC"');
  expect(await build()).toBe(`${commit}-dirty`);
});
