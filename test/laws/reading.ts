import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface Source {
  /** Relative to the repository, with slashes. */
  path: string;
  text: string;
  /** Imports: a path from the root for our own files, otherwise the package's name. */
  imports: { from: string; typeOnly: boolean }[];
}

/** Every TypeScript file under these folders. */
export const sources = (...folders: string[]): Source[] =>
  folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => read(join(ROOT, folder, name))),
  );

function read(file: string): Source {
  const text = readFileSync(file, "utf8");
  const path = relative(ROOT, file).replaceAll("\\", "/");
  return { path, text, imports: importsOf(text, file) };
}

const STATEMENT = /^(?:import|export)\s+(type\s)?[^;]*?from\s+"([^"]+)"|^import\s+"([^"]+)"/gm;
const DYNAMIC = /\bimport\(\s*"([^"]+)"/g;

function importsOf(text: string, file: string): Source["imports"] {
  const found = [
    ...[...text.matchAll(STATEMENT)].map(([all, type, from, bare]) => ({
      name: from ?? bare!,
      typeOnly: type !== undefined || /^\w+\s*\{(\s*type\s+\w+( as \w+)?,?)+\s*\}/.test(all),
    })),
    ...[...text.matchAll(DYNAMIC)].map(([, from]) => ({ name: from!, typeOnly: false })),
  ];
  return found.map(({ name, typeOnly }) => {
    if (!name.startsWith(".")) return { from: packageName(name), typeOnly };
    const target = relative(ROOT, resolve(dirname(file), name));
    return { from: target.replaceAll("\\", "/"), typeOnly };
  });
}

const packageName = (name: string): string =>
  name.startsWith("node:")
    ? name
    : name
        .split("/")
        .slice(0, name.startsWith("@") ? 2 : 1)
        .join("/");

/**
 * Groups of files that import each other, directly or through others of the group (Tarjan's strongly
 * connected components), type-only imports included.
 */
export function cycles(files: readonly Source[]): string[][] {
  const graph = new Map(files.map(({ path, imports }) => [path, imports.map(({ from }) => from)]));
  const order = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  /** Returns the earliest file on the stack that this one reaches. */
  const visit = (path: string): number => {
    const own = order.size;
    order.set(path, own);
    open.push(path);
    let earliest = own;
    for (const next of graph.get(path) ?? []) {
      if (!graph.has(next)) continue;
      if (!order.has(next)) earliest = Math.min(earliest, visit(next));
      else if (open.includes(next)) earliest = Math.min(earliest, order.get(next)!);
    }
    if (earliest === own) {
      const group = open.splice(open.indexOf(path));
      const importsItself = graph.get(path)!.includes(path);
      if (group.length > 1 || importsItself) found.push(group.toSorted());
    }
    return earliest;
  };
  for (const path of graph.keys()) if (!order.has(path)) visit(path);
  return found;
}
