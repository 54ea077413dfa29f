import { fileURLToPath } from "node:url";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Nothing of the test runner's own environment, which sets names like BASE_URL. */
export const CHILD_ENV: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? "",
  CATALOG_FILE: at("catalog.json"),
};
