import { readFileSync } from "node:fs";

const manifest = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
) as {
  version: string;
};

/** This release, as package.json says. */
export const VERSION = manifest.version;

declare const BUILD_COMMIT: string | undefined;

/** The commit that was built, with `-dirty` for uncommitted changes. Undefined outside a build from git. */
export const COMMIT = typeof BUILD_COMMIT === "undefined" ? undefined : BUILD_COMMIT;
