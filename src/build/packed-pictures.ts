import { glob, readFile, writeFile } from "node:fs/promises";

/**
 * The documents' pictures are not packed, to keep the package small. So that a reader of it sees none
 * broken, each line with one is a comment while npm packs, which takes the documents from where they stand.
 */
const ACTS: Record<string, (text: string) => string> = {
  hide: (text) =>
    text.replace(/^(?!<!--)(.*(?:!\[[^\]]*\]\(|<img ).*)$/gm, "<!-- not packed: $1 -->"),
  show: (text) => text.replace(/^<!-- not packed: (.*) -->$/gm, "$1"),
};

const act = ACTS[process.argv[2] ?? ""];
if (!act) throw new Error(`One of ${Object.keys(ACTS).join(", ")}.`);
for await (const path of glob(["*.md", "docs/*.md"])) {
  const text = await readFile(path, "utf8");
  const changed = act(text);
  if (changed !== text) await writeFile(path, changed);
}
