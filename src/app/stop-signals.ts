import { readFileSync } from "node:fs";

/** How long the port stays taken after npm has exited. */
const LOOK_MS = 500;

/** A terminal and npm may both send the same signal. A later one is a person's second. */
const SAME_MS = 500;

/**
 * Calls `stop` once: at a signal, or after the npm that started this process has exited. npm starts it in a
 * shell, which dies of the signals that npm sends it and does not pass them on. A later signal exits at once.
 */
export function onStop(stop: (reason: string) => void, env: NodeJS.ProcessEnv): void {
  let since: number | undefined;
  const begin = (reason: string) => {
    if (since === undefined) {
      since = performance.now();
      stop(reason);
    } else if (performance.now() - since > SAME_MS) process.exit(1);
  };
  process.on("SIGTERM", begin).on("SIGINT", begin);
  // A service that was started by hand may outlive its shell.
  if (env.npm_lifecycle_event === undefined) return;
  const watch = setInterval(() => {
    if (!isOrphan()) return;
    clearInterval(watch);
    begin("npm has exited");
  }, LOOK_MS);
  watch.unref();
}

const PARENT = process.ppid;
const GRANDPARENT = parentOfShell(PARENT);

/** On Windows the parent's id stays after its exit, elsewhere another process becomes the parent. */
const isOrphan = (): boolean =>
  process.ppid !== PARENT || !isRunning(PARENT) || parentOfShell(PARENT) !== GRANDPARENT;

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/**
 * Linux's shell waits for this process after npm was killed. Undefined elsewhere: the shell of macOS becomes
 * this process, and that of Windows is killed with npm.
 */
function parentOfShell(pid: number): string | undefined {
  try {
    return /^\d+ \((?:\w*sh|busybox)\) \w (\d+)/.exec(
      readFileSync(`/proc/${pid}/stat`, "utf8"),
    )?.[1];
  } catch {
    return undefined;
  }
}
