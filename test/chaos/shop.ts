import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { ChildOptions, FromChild, ToChild } from "./child.ts";

const CHILD = fileURLToPath(new URL("./child.ts", import.meta.url));

type WithoutAsk<T> = T extends { ask: number } ? Omit<T, "ask"> : never;
type Ask = WithoutAsk<ToChild>;

/** The service process, which a run starts, kills and starts again. */
export class Shop {
  readonly #options: ChildOptions;
  #child: ChildProcess | null = null;
  #asked = 0;
  kills = 0;

  constructor(options: ChildOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const child = fork(CHILD, [JSON.stringify(this.#options)], { stdio: "inherit" });
    const ready = new Promise<void>((resolve, reject) => {
      child.once("message", () => resolve());
      child.once("exit", (code, signal) =>
        reject(new Error(`The service ended: ${code ?? signal}`)),
      );
    });
    await ready;
    this.#child = child;
    // The clock has moved during the start.
    this.#send({ clock: this.#options.aheadMs });
  }

  /** Kills the process without a handler or a flush, and starts it again. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (!child) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
    this.kills++;
    await this.start();
  }

  /** Stops by SIGTERM. Returns the milliseconds it took, or null if it failed. */
  async stop(): Promise<number | null> {
    const child = this.#child;
    this.#child = null;
    if (!child) return 0;
    const begun = performance.now();
    child.kill("SIGTERM");
    const [code] = await once(child, "exit");
    return code === 0 ? performance.now() - begun : null;
  }

  set aheadMs(ms: number) {
    this.#options.aheadMs = ms;
    this.#send({ clock: ms });
  }

  /** Returns the answer, or undefined if the process is gone or dies meanwhile. */
  async ask(ask: Ask): Promise<number | undefined> {
    const child = this.#child;
    if (!child) return undefined;
    const number = ++this.#asked;
    return new Promise((resolve) => {
      const listen = (message: FromChild) => {
        if (!("answer" in message) || message.answer !== number) return;
        child.off("message", listen);
        child.off("exit", gone);
        resolve(message.value);
      };
      const gone = () => resolve(undefined);
      child.on("message", listen);
      child.once("exit", gone);
      this.#send({ ...ask, ask: number });
    });
  }

  #send(message: ToChild): void {
    if (this.#child?.connected) this.#child.send(message, () => {});
  }
}
