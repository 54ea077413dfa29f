import { afterAll } from "vitest";
import { dropDatabases } from "./postgres.ts";
import { removeScratchFolders } from "./scratch-folder.ts";

// Vitest runs a setup file again for every test file. Its hook runs after the file's own.
afterAll(async () => {
  await dropDatabases();
  await removeScratchFolders();
});
