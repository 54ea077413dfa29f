import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expectGood, type Sample, type Stretch } from "./messages.ts";

/** A process that answers one message at a time. */
export interface Child {
  ask<T>(message: object): Promise<T>;
  /** Until it has ended: a profile is written at the very last. */
  stop(): Promise<void>;
}

export interface ChildOptions {
  /** A folder for its CPU profile. */
  profileTo?: string | undefined;
}

/** How `npm start` has V8 collect its garbage. */
const AS_STARTED = ["--max-semi-space-size=16", "--no-parallel-scavenge"];

export function startChild(script: string, { profileTo }: ChildOptions = {}): Child {
  const profile = profileTo ? ["--cpu-prof", `--cpu-prof-dir=${profileTo}`] : [];
  const execArgv = [...AS_STARTED, ...profile];
  const child: ChildProcess = fork(fileURLToPath(new URL(script, import.meta.url)), {
    execArgv,
    // Log lines are written, as in earnest; where to is not what is measured.
    stdio: ["ignore", "inherit", "ignore", "ipc"],
  });
  return {
    ask: <T>(message: object) =>
      new Promise<T>((resolve, reject) => {
        const gone = (code: number | null) => reject(new Error(`${script} ended with ${code}`));
        child.once("exit", gone);
        child.once("message", (answer) => {
          child.off("exit", gone);
          const { error } = answer as { error?: string };
          if (error === undefined) resolve(answer as T);
          else reject(new Error(`${script}: ${error}`));
        });
        child.send(message);
      }),
    async stop() {
      if (!child.connected) return;
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}

/** A stretch with what it cost this server; not a number where that cannot be seen. */
export async function withCpu(server: Child | null, run: () => Promise<Stretch>): Promise<Sample> {
  const before = await usedMs(server);
  const stretch = await run();
  expectGood(stretch);
  return { ...stretch, cpuMs: ((await usedMs(server)) - before) / stretch.done };
}

async function usedMs(server: Child | null): Promise<number> {
  if (server === null) return Number.NaN;
  const { user, system } = await server.ask<NodeJS.CpuUsage>({ do: "cpu" });
  return (user + system) / 1000;
}
