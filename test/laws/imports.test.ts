/** Imports go one way, types included: from the core to the nouns to the interfaces. */
import { expect, it, test } from "vitest";
import { cycles, sources } from "./reading.ts";

/** Each layer may import earlier layers and itself. Folders of one layer do not import each other. */
const LAYERS = [
  ["core"],
  ["db"],
  ["catalog"],
  ["ask"],
  ["agents"],
  ["waitlist"],
  ["checkouts"],
  ["quotes"],
  ["payments"],
  ["orders"],
  ["mail"],
  ["merchant"],
  ["web"],
  ["api"],
  ["tools", "resources"],
  ["mcp", "shop", "desk", "cli", "ucp"],
  ["app"],
];

/** The entry points and the build may import everything. */
const OUTSIDE = /^src\/([^/]+\.ts$|build\/|docs\/|demo\/)/;

const all = sources("src", "tools", "resources").filter(({ path }) => !OUTSIDE.test(path));
const known = new Set(all.map(({ path }) => path));
const folderOf = (path: string) => path.replace(/^src\//, "").split("/")[0]!;
const layerOf = (path: string) => LAYERS.findIndex((folders) => folders.includes(folderOf(path)));
const inside = (...folders: string[]) => all.filter(({ path }) => folders.includes(folderOf(path)));

it("every folder has its layer", () => {
  expect(all.filter(({ path }) => layerOf(path) < 0).map(({ path }) => path)).toEqual([]);
});

it("no file imports from a later layer", () => {
  const upward = all.flatMap(({ path, imports }) =>
    imports
      .filter(({ from }) => known.has(from) && folderOf(from) !== folderOf(path))
      .filter(({ from }) => layerOf(from) >= layerOf(path))
      .map(({ from }) => `${path} → ${from}`),
  );
  expect(upward).toEqual([]);
});

it("no file is in an import cycle", () => {
  expect(cycles(all).flat()).toEqual([]);
});

test.each([
  ["core", ["zod", "pino", "node:async_hooks", "node:crypto", "node:url"]],
  ["catalog", ["zod", "node:crypto", "node:fs", "node:path", "node:url"]],
])("%s imports no package but %j", (folder, packages) => {
  const found = inside(folder).flatMap(({ path, imports }) =>
    imports
      .filter(({ from }) => !known.has(from) && !packages.includes(from))
      .map(({ from }) => `${path} → ${from}`),
  );
  expect(found).toEqual([]);
});

it("only the registry imports tools and resources, and nothing imports tests or benchmarks", () => {
  const found = sources("src").flatMap(({ path, imports }) =>
    imports
      .filter(({ from }) => /^(test|bench)\//.test(from) || /^(tools|resources)\//.test(from))
      .filter(({ from }) => path !== "src/app/registry.ts" || /^(test|bench)\//.test(from))
      .map(({ from }) => `${path} → ${from}`),
  );
  expect(found).toEqual([]);
});

it("interfaces reach the database through verbs only", () => {
  const reaching = /\b(merchant|service)\.(context|store)\b|\b(store|queries)\b[.,\s]*[}(.]/;
  const found = inside("api", "mcp", "shop", "desk", "cli", "tools", "resources").filter(
    ({ text }) => reaching.test(text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "")),
  );
  expect(found.map(({ path }) => path)).toEqual([]);
});

it("only the configuration and the entry points read the environment", () => {
  const found = sources("src").filter(({ text }) => /process\.env\b/.test(text));
  const allowed = /^src\/([^/]+|docs\/main|app\/config)\.ts$/;
  expect(found.filter(({ path }) => !allowed.test(path)).map(({ path }) => path)).toEqual([]);
});

it("rules and verbs ask neither the clock nor the dice themselves", () => {
  const asking = /\bDate\.now\(|new Date\(\)|Math\.random\(|performance\.now\(|randomUUID\(/;
  const nouns = ["core", "catalog", "agents", "waitlist", "quotes", "orders", "merchant"];
  const found = inside(...nouns).filter(({ text }) => asking.test(text));
  expect(found.map(({ path }) => path)).toEqual([]);
});
