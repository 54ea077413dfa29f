/** Runs the command of a clone, after building it if a source has changed. */
import { fileURLToPath } from "node:url";
import { refresh } from "./fresh.mjs";

const parent = process.ppid;
if (!refresh(fileURLToPath(new URL("../..", import.meta.url)))) process.exit(1);
// npm was stopped during the build.
if (process.ppid !== parent) process.exit(1);

// In this process, so that signals reach the service.
const command = new URL("../../dist/coffee-merchant.js", import.meta.url);
process.argv[1] = fileURLToPath(command);
await import(command.href);
