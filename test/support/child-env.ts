import { fileURLToPath } from "node:url";
import { Environment } from "../../src/app/config.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The environment of this process without the service's settings, which a shell or Vitest may have set. */
export const INHERITED: Readonly<Record<string, string>> = (() => {
  const settings = new Set(Object.keys(Environment.shape));
  const all = Object.entries(process.env) as [string, string][];
  return Object.fromEntries(all.filter(([name]) => !settings.has(name)));
})();

/** For a service that sells the beans of the tests. */
export const CHILD_ENV: Readonly<Record<string, string>> = {
  ...INHERITED,
  CATALOG_FILE: at("catalog.json"),
};
