import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Running, startService } from "../support/service.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");

/** The blocks that README marks as run by a test, in their order. */
const blocks = (name: string): string[] =>
  [...readme.matchAll(/<!-- runs: (\S+) -->\n```\w+\n([\s\S]*?)```/g)].flatMap(([, of, code]) =>
    of === name ? [code!] : [],
  );

const python = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
  .concat((process.env.PATH ?? "").split(":"))
  .map((folder) => join(folder, "python3"))
  .find((path) => existsSync(path));

describe("what README says runs", () => {
  let service: Running;
  let folder: string;

  beforeAll(async () => {
    service = await startService();
    folder = await mkdtemp(join(tmpdir(), "coffee-readme-"));
    const script = blocks("curl").join("\n").replaceAll("http://127.0.0.1:3000", service.baseUrl);
    await writeFile(join(folder, "walk.sh"), `set -euo pipefail\n${script}`);
    await run("bash", ["walk.sh"], { cwd: folder });
  });

  afterAll(async () => {
    await service?.stop();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const written = async (name: string) => JSON.parse(await readFile(join(folder, name), "utf8"));

  test("the purchase with curl ends in a paid order of the quoted total", async () => {
    const [quote, order] = [await written("quote.json"), await written("order.json")];
    expect(order).toMatchObject({ quote_id: quote.id, status: "CONFIRMED" });
    expect(order.payment.amount_minor).toBe(quote.total_minor);
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

  test("the hash is checked with Node, and a changed quote is found out", async () => {
    await writeFile(join(folder, "check.mjs"), blocks("hash-node").join("\n"));
    await expectTheHashIsChecked(process.execPath, "check.mjs");
  });

  test.skipIf(!python)("the hash is checked with Python", async () => {
    await writeFile(join(folder, "check.py"), blocks("hash-python").join("\n"));
    await expectTheHashIsChecked(python!, "check.py");
  });

  test("the SDK's few lines connect, list and ask", async () => {
    const code = blocks("sdk").join("\n").replaceAll("http://127.0.0.1:3000", service.baseUrl);
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", code], {
      cwd: root,
    });
    expect(stdout).toMatch(/^\d+ tools; \w+/);
  });
});

test("every file that README links to is there", () => {
  const links = [...readme.matchAll(/\]\((?!https?:|#)([^)]+)\)/g)].map(([, path]) => path!);
  expect(links.length).toBeGreaterThan(8);
  expect(links.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test("README's table of variables has every one that is read", () => {
  const config = readFileSync(join(root, "src/server/config.ts"), "utf8");
  const schema = config.slice(config.indexOf("const Environment"), config.indexOf("readConfig"));
  const variables = [...schema.matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name!);
  const rows = readme.slice(readme.indexOf("## Configuration"), readme.indexOf("## Operate"));
  expect(variables.length).toBeGreaterThan(12);
  expect(variables.filter((name) => !rows.includes(`\`${name}\``))).toEqual([]);
});

test("every script that README and CONTRIBUTING name exists", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const text = readme + readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
  const named = [...text.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name]) => name!);
  expect([...new Set(named)].filter((name) => !(name in scripts))).toEqual([]);
});
