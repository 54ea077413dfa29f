import { existsSync } from "node:fs";
import { userInfo } from "node:os";
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

/** Default folder of a shop's data: in the clone, or in the user's data folder; null for nobody's. */
export function dataFolder(env: Record<string, string | undefined>): string | null {
  if (CLONE) return "./data";
  const folder = userData(env, process.platform);
  return folder && join(folder, "coffee-merchant");
}

/** XDG's base directory, and its counterparts on macOS and Windows. */
function userData(
  env: Record<string, string | undefined>,
  platform: NodeJS.Platform,
): string | null {
  // The specification says to ignore relative paths.
  const { XDG_DATA_HOME = "" } = env;
  const isLinux = platform !== "win32" && platform !== "darwin";
  if (isLinux && XDG_DATA_HOME.startsWith("/")) return XDG_DATA_HOME;
  const home = homeFolder(env);
  if (platform === "win32") return env.LOCALAPPDATA ?? (home && join(home, "AppData", "Local"));
  if (home === null) return null;
  if (platform === "darwin") return join(home, "Library", "Application Support");
  return join(home, ".local", "share");
}

/** Null without HOME for a user whom the system does not know, as in a container. */
export function homeFolder({ HOME }: Record<string, string | undefined>): string | null {
  try {
    return HOME || userInfo().homedir;
  } catch {
    return null;
  }
}
