import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface Source {
  /** From the repository's root, with slashes. */
  path: string;
  text: string;
  /** What it imports: a path from the root for our own files, the name of a package otherwise. */
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

/** A line that begins a function, a method or an arrow function over several lines, as biome writes them. */
const FUNCTION =
  /^(\s*)(?:export )?(?:default )?(?:(?:async )?function\b|(?:static )?(?:async )?(?!(?:if|for|while|switch|catch)\b)[#\w]+(?:<.*>)?\(.*\{$|async [#\w]+\($|.*=> \{$|.*=>$)/;

/** The functions of a file, with the line each begins at and how many lines are its own. */
export function functions(text: string): { at: number; own: number }[] {
  const lines = text.split("\n");
  const found: { at: number; end: number }[] = [];
  lines.forEach((line, i) => {
    const indent = FUNCTION.exec(line)?.[1];
    if (indent === undefined) return;
    const after = lines.slice(i + 1);
    // An arrow without braces ends where a line stands as far out as its own.
    const length = line.endsWith("=>")
      ? after.findIndex((later) => !later.startsWith(`${indent} `)) - 1
      : after.findIndex((later) => closes(later, indent));
    if (length >= 0) found.push({ at: i, end: i + 1 + length });
  });
  return found.map(({ at, end }) => {
    const inside = found.filter((other) => other.at > at && other.end <= end);
    const theirs = new Set(inside.flatMap((f) => range(f.at, f.end)));
    return { at: at + 1, own: range(at, end).filter((i) => !theirs.has(i)).length };
  });
}

const closes = (line: string, indent: string): boolean =>
  line.startsWith(indent) && /^[})]/.test(line.slice(indent.length)) && !/\{$/.test(line);

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);
