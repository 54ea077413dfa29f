import { registerHooks } from "node:module";

/**
 * For the processes that tests start, again and again. For every file of a package Node reads that
 * package's package.json to learn the file's format, and drizzle-orm's has 176 KB of exports: a third
 * of a start. Within that package it is always the same.
 */
registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context;
    if (specifier.startsWith(".") && parentURL?.includes("/node_modules/drizzle-orm/")) {
      const { href } = new URL(specifier, parentURL);
      if (href.endsWith(".js")) return { url: href, format: "module", shortCircuit: true };
    }
    return next(specifier, context);
  },
});
