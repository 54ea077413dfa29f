import { fileURLToPath } from "node:url";
import { build } from "./bundle.ts";

/** `npm run build`: dist/ anew, from the sources as they are. */
const root = fileURLToPath(new URL("../..", import.meta.url));

try {
  await build(root);
} catch (error) {
  const missing = (error as { code?: unknown }).code === "ERR_MODULE_NOT_FOUND";
  const hint = "What builds is a development dependency: npm ci, without --omit=dev.";
  process.stderr.write(`${missing ? hint : (error as Error).message}\n`);
  process.exitCode = 1;
}
