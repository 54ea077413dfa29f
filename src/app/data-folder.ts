import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** A tree with sources is a clone, whose data stay with it; a package is not to be written to. */
const CLONE = existsSync(new URL("../../tsconfig.json", import.meta.url));

/** How a part of the one command is called here. Without --silent npm writes to its stdout, too. */
export function calledAs(part: string): string {
  if (!CLONE) return `coffee-merchant ${part}`;
  return part === "start" ? "npm start" : `npm run --silent ${part.replace("-", ":")}`;
}

/** Words that follow are for the part, and not for npm. */
export const calledWith = (part: string): string => calledAs(part) + (CLONE ? " --" : "");

export const MERCHANT_COMMAND = calledWith("merchant");

/** Where a shop's data are kept where nothing says so: with the clone, or where this system keeps a user's. */
export const dataFolder = (env: Record<string, string | undefined>): string =>
  CLONE ? "./data" : join(userData(env, process.platform), "coffee-merchant");

/** XDG's base directories, Apple's and Microsoft's counterparts. */
function userData(env: Record<string, string | undefined>, platform: NodeJS.Platform): string {
  const home = env.HOME ?? homedir();
  if (platform === "win32") return env.LOCALAPPDATA ?? join(home, "AppData", "Local");
  if (platform === "darwin") return join(home, "Library", "Application Support");
  // The specification's word: what is not absolute is to be ignored.
  const { XDG_DATA_HOME = "" } = env;
  return XDG_DATA_HOME.startsWith("/") ? XDG_DATA_HOME : join(home, ".local", "share");
}
