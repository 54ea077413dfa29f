import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The built command, as users run it; the run builds it before its first test. */
export const COMMAND = "dist/coffee-merchant.js";
