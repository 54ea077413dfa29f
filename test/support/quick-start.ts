import {
  flushCompileCache,
  type ResolveFnOutput,
  type ResolveHookSync,
  registerHooks,
} from "node:module";

/** By name, as our own sources import it: they have one node_modules. */
const packages = new Map<string, ResolveFnOutput>();

/** Of the files of packages that were found the long way, or from one of them. */
const formats = new Map<string, ResolveFnOutput["format"]>();

/**
 * For the processes that tests start, again and again. To find a file Node asks the disk for it and for
 * every link above it, and reads its package's package.json to learn its format; drizzle-orm's has
 * 176 KB. An import that names its file whole is taken at its word, in the format of who imports it.
 */
export const resolve: ResolveHookSync = (specifier, context, next) => {
  const { parentURL, conditions } = context;
  if (parentURL === undefined || specifier.startsWith("node:")) return next(specifier, context);
  const url = specifier.startsWith(".") ? new URL(specifier, parentURL).href : undefined;
  if (url?.endsWith(".ts")) return { url, format: "module-typescript", shortCircuit: true };
  if (url?.endsWith(".js") && parentURL.endsWith(".js") && formats.get(parentURL) === "module") {
    formats.set(url, "module");
    return { url, format: "module", shortCircuit: true };
  }
  const ours = !url && !parentURL.includes("/node_modules/") && conditions.includes("import");
  const known = ours ? packages.get(specifier) : undefined;
  if (known) return { ...known, shortCircuit: true };
  const found = next(specifier, context);
  formats.set(found.url, found.format);
  if (ours) packages.set(specifier, found);
  return found;
};

registerHooks({ resolve });

/** For those that start meanwhile: else a process keeps what it compiled at its end, if it is not killed. */
setInterval(flushCompileCache, 5_000).unref();
