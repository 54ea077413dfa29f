/** Whoever ends npm ends the shop, and frees its port. */
import { onTestFinished, test } from "vitest";
import { lastingDatabase } from "../support/lasting-database.ts";
import { startProcess } from "../support/process.ts";
import { eventually, send } from "../support/shopper.ts";

test.each([
  ["npm start", "SIGTERM", ["start"]],
  ["npm start", "SIGKILL", ["start"]],
  ["npm run stdio", "SIGTERM", ["run", "--silent", "stdio"]],
  ["npm run stdio", "SIGKILL", ["run", "--silent", "stdio"]],
  ["npx", "SIGTERM", ["exec", "--", "node", "dist/coffee-merchant.js", "start"]],
] as const)("%s ended by %s takes the service with it", async (_, signal, words) => {
  const database = await lastingDatabase();
  const options = { program: "npm", command: words, log: "unread", detached: true } as const;
  const npm = await startProcess({ DATABASE_URL: database.url }, options);
  // A failed test must leave nothing behind.
  onTestFinished(() => {
    try {
      process.kill(-npm.pid, "SIGKILL");
    } catch {
      // Everything has exited.
    }
  });
  await npm.end(signal);
  await eventually(() =>
    send(npm.baseUrl, "/healthz").then(
      () => false,
      () => true,
    ),
  );
});
