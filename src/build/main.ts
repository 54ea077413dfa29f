import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "./bundle.ts";
import { NO_BUILDER } from "./fresh.mjs";

/** `npm run build`: dist/ anew, from the sources as they are; with --clean nothing else is left there. */
const root = fileURLToPath(new URL("../..", import.meta.url));

try {
  if (process.argv.includes("--clean"))
    await rm(join(root, "dist"), { recursive: true, force: true });
  await build(root);
} catch (error) {
  const missing = (error as { code?: unknown }).code === "ERR_MODULE_NOT_FOUND";
  process.stderr.write(`${missing ? NO_BUILDER : (error as Error).message}\n`);
  process.exitCode = 1;
}
