import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { contents } from "../app/registry.ts";
import { type GeneratedFile, generated } from "./generated-files.ts";

/**
 * `npm run generate` writes the tables that are generated from the operations into the
 * repository, so that a change is seen in its diff. With --check it writes nothing and fails
 * where a file is behind.
 */
const root = new URL("../../", import.meta.url);
const check = process.argv.includes("--check");

const read = (path: string): string => {
  try {
    return readFileSync(new URL(path, root), "utf8");
  } catch {
    return "";
  }
};

const isOutdated = ({ path, content }: GeneratedFile): boolean => read(path) !== content;

const stale = generated(contents, read).filter(isOutdated);
for (const { path, content } of stale) {
  if (check) process.stderr.write(`${path} is out of date: run npm run generate and commit it.\n`);
  else writeFileSync(fileURLToPath(new URL(path, root)), content);
}
if (check && stale.length > 0) process.exit(1);
const done = stale.length > 0 ? `wrote ${stale.map(({ path }) => path).join(", ")}` : "up to date";
process.stdout.write(`${done}\n`);
