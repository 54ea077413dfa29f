import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MERCHANT_COMMAND } from "../../src/app/data-folder.ts";
import { SHIPPED_CATALOG_FILE } from "../support/catalog.ts";
import { startService, type TestService } from "../support/service.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** Paths of the documents for people. */
const documents = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "CHANGELOG.md",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

/** The blocks that a document marks as run by a test, in order. */
const blocks = (path: string, name: string): string[] =>
  [...read(path).matchAll(/<!-- runs: (\S+) -->\n```\w+\n([\s\S]*?)```/g)].flatMap(
    ([, of, code]) => (of === name ? [code!] : []),
  );

const python = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
  .concat((process.env.PATH ?? "").split(":"))
  .map((folder) => join(folder, "python3"))
  .find((path) => existsSync(path));

describe("the documents' commands run", () => {
  let service: TestService;
  let folder: string;

  beforeAll(async () => {
    // Documents name the shipped beans.
    service = await startService({ CATALOG_FILE: SHIPPED_CATALOG_FILE });
    folder = await mkdtemp(join(tmpdir(), "coffee-readme-"));
    await walk("docs/http-api.md", folder);
    // People also paste it a second time.
    await walk("docs/http-api.md", folder);
  });

  /** Runs all commands of a document in order against this test's service. */
  async function walk(path: string, cwd: string): Promise<string> {
    const script = blocks(path, "curl").join("\n");
    const here = script.replaceAll("http://127.0.0.1:3000", service.baseUrl);
    await writeFile(join(cwd, "walk.sh"), `set -euo pipefail\n${here}`);
    return (await run("bash", ["walk.sh"], { cwd })).stdout;
  }

  afterAll(async () => {
    await service?.stop();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const written = async (name: string) => JSON.parse(await readFile(join(folder, name), "utf8"));

  test("the purchase with curl ends in a paid order of the quoted total", async () => {
    const [quote, order] = [await written("quote.json"), await written("order.json")];
    expect(order).toMatchObject({ quote_id: quote.id, status: "CONFIRMED" });
    expect(order.payment.amount_minor).toBe(quote.terms.pricing.total_minor);
  });

  test("README's ten lines end in a review link that opens", async () => {
    const own = await mkdtemp(join(folder, "ten-lines-"));
    const link = (await walk("README.md", own)).trim().split("\n").at(-1)!;
    expect(link).toContain(`${service.baseUrl}/review/`);
    expect((await fetch(link)).status).toBe(200);
  });

  const expectTheHashIsChecked = async (command: string, file: string) => {
    const right = await run(command, [file], { cwd: folder });
    expect(right.stdout.trim()).toBe("the hash is right");
    const quote = await written("quote.json");
    quote.terms.pricing.total_minor -= 1;
    await writeFile(join(folder, "other.json"), JSON.stringify(quote));
    const source = await readFile(join(folder, file), "utf8");
    await writeFile(join(folder, `other-${file}`), source.replace("quote.json", "other.json"));
    const wrong = await run(command, [`other-${file}`], { cwd: folder });
    expect(wrong.stdout.trim()).toBe("do not pay this");
  };

  test("the hash is checked with Node, and a changed quote is detected", async () => {
    await writeFile(join(folder, "check.mjs"), blocks("docs/http-api.md", "hash-node").join("\n"));
    await expectTheHashIsChecked(process.execPath, "check.mjs");
  });

  test.skipIf(!python)("the hash is checked with Python", async () => {
    await writeFile(join(folder, "check.py"), blocks("docs/http-api.md", "hash-python").join("\n"));
    await expectTheHashIsChecked(python!, "check.py");
  });

  test("the SDK sample connects, lists and asks", async () => {
    const sample = blocks("docs/agents.md", "sdk").join("\n");
    const code = sample.replaceAll("http://127.0.0.1:3000", service.baseUrl);
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", code], {
      cwd: root,
    });
    expect(stdout).toMatch(/^\d+ tools; \w+/);
  });
});

/** Files that a document links to or shows. */
const linksOf = (path: string): string[] =>
  [...read(path).matchAll(/(?:\]\(|<img src=")(?!https?:|#)([^)#"]+)/g)].map(([, to]) => to!);

test.each(documents)("every file that %s links to exists", (path) => {
  expect(linksOf(path).filter((to) => !existsSync(join(root, dirname(path), to)))).toEqual([]);
});

test("the package has every file that README links to or shows", async () => {
  const { stdout } = await run("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
  });
  expect(linksOf("README.md").filter((to) => !stdout.includes(`"path": "${to}"`))).toEqual([]);
});

test("the merchant's commands are written with --silent, so that their output can be saved", () => {
  expect(MERCHANT_COMMAND).toBe("npm run --silent merchant --");
  const told = documents.filter((path) => path !== "CHANGELOG.md");
  expect(told.filter((path) => read(path).includes("npm run merchant"))).toEqual([]);
});

test("the tables list every dependency", () => {
  const { dependencies, devDependencies } = JSON.parse(read("package.json"));
  const told = read("docs/architecture.md");
  const names = Object.keys({ ...dependencies, ...devDependencies });
  expect(names.filter((name) => !/^@types\//.test(name) && !told.includes(`\`${name}\``))).toEqual(
    [],
  );
});

test("the table lists every variable that is read", () => {
  const config = read("src/app/config.ts");
  const schema = config.slice(config.indexOf("const Environment"), config.indexOf("readConfig"));
  const variables = [...schema.matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name!);
  expect(variables.length).toBeGreaterThan(12);
  const operate = read("docs/operate.md");
  expect(variables.filter((name) => !operate.includes(`\`${name}\``))).toEqual([]);
});

test.each(documents)("every script that %s names exists", (path) => {
  const { scripts } = JSON.parse(read("package.json"));
  const named = [...read(path).matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(
    ([, name]) => name!,
  );
  expect([...new Set(named)].filter((name) => !(name in scripts))).toEqual([]);
});
