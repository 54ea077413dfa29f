/** Preloaded into Vitest's processes, which import about a thousand modules each. */
import { enableCompileCache, registerHooks } from "node:module";
import { join } from "node:path";

/** Later workers and runs read compiled modules, with their types stripped, instead of compiling them. */
export const COMPILED = join(import.meta.dirname, "../../node_modules/.cache/compiled");
enableCompileCache(COMPILED);

/**
 * For every import, Node parses the `exports` of the package that contains the imported file. Those of
 * drizzle-orm are 130 kB, which makes up half of a worker's imports.
 */
const DRIZZLE = "/node_modules/drizzle-orm/";
registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context;
    return parentURL?.includes(DRIZZLE) && /^\..+\.js$/.test(specifier)
      ? { url: new URL(specifier, parentURL).href, format: "module", shortCircuit: true }
      : next(specifier, context);
  },
});
