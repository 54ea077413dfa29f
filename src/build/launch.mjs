/**
 * `npm start` and its like, in a clone: the built command, built first where a source has changed
 * since. In this process, so that signals reach the service and nothing stands between.
 */
import { fileURLToPath } from "node:url";
import { refresh } from "./fresh.mjs";

if (!refresh(fileURLToPath(new URL("../..", import.meta.url)))) process.exit(1);

const command = new URL("../../dist/coffee-merchant.js", import.meta.url);
process.argv[1] = fileURLToPath(command);
await import(command.href);
