import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

interface Notice {
  /** The package, and whose it is, in its own words. */
  whose: string;
  terms: string;
}

/**
 * The terms of everything that is in the bundle, as most of them ask: their notice goes with the copy.
 * Terms that are the same word for word stand once, below all whose they are.
 */
export async function thirdPartyLicenses(
  root: string,
  modules: readonly string[],
): Promise<string> {
  const packages = new Set(
    modules.flatMap(
      (id) => id.match(/^.*[\\/]node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+/)?.[0] ?? [],
    ),
  );
  const notices = await Promise.all([...packages].sort().map((folder) => notice(folder)));
  const own = await readFile(join(root, "LICENSE"), "utf8");
  const same = Map.groupBy(notices, ({ terms }) => terms.replace(/\s+/g, " "));
  const told = [...same.values()].map((group) =>
    [...new Set(group.map(({ whose }) => whose)), group[0]!.terms].join("\n\n"),
  );
  return [`This software:\n\n${own.trim()}`, ...told].join(`\n\n${"-".repeat(72)}\n\n`);
}

async function notice(folder: string): Promise<Notice> {
  const { name, version, license } = JSON.parse(
    await readFile(join(folder, "package.json"), "utf8"),
  ) as Record<string, unknown>;
  const file = (await readdir(folder)).find((entry) =>
    /^(licen[sc]e|copying|copyright)/i.test(entry),
  );
  const text = file ? await readFile(join(folder, file), "utf8") : `License: ${license}`;
  const parts = text.trim().split(/\s*\n\s*\n/);
  const holders = parts.filter((part) => /^\s*(copyright|\(c\)|©)/i.test(part));
  return {
    whose: [`${name} ${version}`, ...holders].join("\n"),
    terms: parts.filter((part) => !holders.includes(part)).join("\n\n"),
  };
}
