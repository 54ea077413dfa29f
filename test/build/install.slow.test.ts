/** `npm ci` needs only npm: no Python, no compiler, and no approval of a script. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../support/command.ts";

interface Locked {
  hasInstallScript?: boolean;
  gypfile?: boolean;
}

const json = (path: string) => JSON.parse(readFileSync(join(ROOT, path), "utf8"));
const { allowScripts } = json("package.json");
const locked = Object.entries<Locked>(json("package-lock.json").packages);
const named = (place: string) => place.replace(/^.*node_modules\//, "");

test("every package with an install script is allowed or denied to run it", () => {
  const scripts = locked.flatMap(([place, of]) => (of.hasInstallScript ? [named(place)] : []));
  expect(Object.keys(allowScripts).sort()).toEqual([...scripts, "better-sqlite3"].sort());
});

test("nothing is compiled: the lock file marks native code as prebuilt", () => {
  // npm reads `gypfile` here and not in the package, and drops it when it writes the file (npm/cli#9837).
  const native = locked.filter(([place]) => existsSync(join(ROOT, place, "binding.gyp")));
  expect(native.map(([place, { gypfile }]) => [named(place), gypfile])).toEqual([
    ["better-sqlite3", false],
  ]);
});
