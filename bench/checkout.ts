import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** An installed checkout of another commit. */
export interface Checkout {
  root: string;
  /** Short hash of the commit. */
  name: string;
}

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Checks a commit out into a temporary folder, as a worktree, and installs it. Later runs find it there. */
export function checkOut(commit: string): Checkout {
  const id = run("git", ["rev-parse", "--verify", `${commit}^{commit}`], ROOT);
  const name = id.slice(0, 8);
  const root = join(tmpdir(), `coffee-merchant-${name}`);
  if (!existsSync(join(root, "package.json"))) {
    // Forgets worktrees whose folders were deleted.
    run("git", ["worktree", "prune"], ROOT);
    run("git", ["worktree", "add", "--detach", root, id], ROOT);
  }
  // npm writes this file when all packages are in place.
  if (!existsSync(join(root, "node_modules/.package-lock.json"))) {
    process.stderr.write(`Installing ${name} in ${root}\n`);
    run("npm", ["ci", "--no-audit", "--no-fund"], root);
  }
  return { root, name };
}

function run(command: string, words: readonly string[], cwd: string): string {
  const { status, stdout, error } = spawnSync(command, words, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    // npm is a script on Windows.
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error(`${command} ${words[0]} failed`, { cause: error });
  return stdout.trim();
}
