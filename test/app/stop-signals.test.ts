/** Whoever ends npm ends the shop, and frees its port. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { CHILD_ENV, ROOT } from "../support/command.ts";
import { lastingDatabase } from "../support/lasting-database.ts";
import { freePort } from "../support/loopback.ts";
import { eventually } from "../support/shopper.ts";

/** Starts the service by npm, in a group of its own. `accepts` tells whether it listens. */
async function byNpm(...words: string[]) {
  const database = await lastingDatabase();
  onTestFinished(() => database.remove());
  const PORT = await freePort();
  const env = { ...CHILD_ENV, PORT, DATABASE_URL: database.url, LOG_LEVEL: "silent" };
  const stdio = ["pipe", "ignore", "ignore"] as const;
  const npm: ChildProcess = spawn("npm", words, {
    cwd: ROOT,
    env,
    stdio: [...stdio],
    detached: true,
  });
  // A failed test must leave nothing behind.
  onTestFinished(() => {
    try {
      process.kill(-npm.pid!, "SIGKILL");
    } catch {
      // Everything has exited.
    }
  });
  const accepts = async () => {
    const socket = connect(Number(PORT), "127.0.0.1");
    return new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    }).finally(() => socket.destroy());
  };
  await eventually(accepts);
  return { npm, accepts };
}

test.each([
  ["npm start", "SIGTERM", ["start"]],
  ["npm start", "SIGKILL", ["start"]],
  ["npm run stdio", "SIGTERM", ["run", "--silent", "stdio"]],
  ["npm run stdio", "SIGKILL", ["run", "--silent", "stdio"]],
  ["npx", "SIGTERM", ["exec", "--", "node", "dist/coffee-merchant.js", "start"]],
] as const)("%s ended by %s takes the service with it", async (_, signal, words) => {
  const { npm, accepts } = await byNpm(...words);
  npm.kill(signal);
  await once(npm, "exit");
  await eventually(async () => !(await accepts()));
  expect(await accepts()).toBe(false);
});
