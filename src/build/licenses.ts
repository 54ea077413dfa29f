import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The terms of everything that is in the bundle, as most of them ask: their notice goes with the copy. */
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
  return [`This software:\n\n${own.trim()}`, ...new Set(notices)].join(`\n\n${"-".repeat(72)}\n\n`);
}

async function notice(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(
    await readFile(join(folder, "package.json"), "utf8"),
  ) as Record<string, unknown>;
  const file = (await readdir(folder)).find((entry) =>
    /^(licen[sc]e|copying|copyright)/i.test(entry),
  );
  const text = file ? await readFile(join(folder, file), "utf8") : `License: ${license}`;
  return `${name} ${version}\n\n${text.trim()}`;
}
