import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** A clone keeps its data in its own folder. An installed package must not be written to. */
const CLONE = existsSync(new URL("../../tsconfig.json", import.meta.url));

/** The command line of a subcommand here. Without --silent npm would write to its stdout. */
export function calledAs(part: string): string {
  if (!CLONE) return `coffee-merchant ${part}`;
  return part === "start" ? "npm start" : `npm run --silent ${part.replace("-", ":")}`;
}

/** The same, to be followed by arguments for the subcommand. */
export const calledWith = (part: string): string => calledAs(part) + (CLONE ? " --" : "");

export const MERCHANT_COMMAND = calledWith("merchant");

/** Default folder of a shop's data: in the clone, or in the user's data folder. */
export const dataFolder = (env: Record<string, string | undefined>): string =>
  CLONE ? "./data" : join(userData(env, process.platform), "coffee-merchant");

/** XDG's base directory, and its counterparts on macOS and Windows. */
function userData(env: Record<string, string | undefined>, platform: NodeJS.Platform): string {
  const home = env.HOME ?? homedir();
  if (platform === "win32") return env.LOCALAPPDATA ?? join(home, "AppData", "Local");
  if (platform === "darwin") return join(home, "Library", "Application Support");
  // The specification says to ignore relative paths.
  const { XDG_DATA_HOME = "" } = env;
  return XDG_DATA_HOME.startsWith("/") ? XDG_DATA_HOME : join(home, ".local", "share");
}
