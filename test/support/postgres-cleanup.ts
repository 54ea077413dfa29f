import { afterAll } from "vitest";
import { dropDatabases } from "./postgres.ts";

// Vitest runs a setup file again for every test file.
afterAll(dropDatabases);
