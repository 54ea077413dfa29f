import { Socket } from "node:net";

/** How often it is looked whether anything was heard. */
const TICK_MS = 250;

/**
 * So many ticks without a byte, while a question is open, and the line counts as dead. Ticks and
 * not time: a process that stood still, or was busy itself, has not listened, and draws no
 * conclusion.
 */
const PATIENCE_TICKS = 8;

/**
 * All connections of a store to its database, and whether anything still comes over them.
 *
 * Where a network swallows everything, no limit of a statement's own says so soon: a statement may
 * rightly take seconds, for a lock or under load. But meanwhile a healthy database answers the next
 * `select 1`, or something to somebody; so one connection goes on asking, and only where all are
 * quiet for two seconds everything under way is given up, and what is new is refused at once, until
 * that one connection gets an answer.
 */
export class ConnectionWatchdog {
  readonly #sockets = new Set<Socket>();
  /** Of sockets that are closed. */
  #bytes = 0;
  #deaths = 0;
  #dead = false;

  /** For a new connection: it fails at once while the line is dead. */
  socket(): Socket {
    const socket = this.askingSocket();
    // When the caller listens for errors.
    if (this.#dead) process.nextTick(() => socket.destroy(silence()));
    return socket;
  }

  /** For the one connection that finds out. */
  askingSocket(): Socket {
    const socket = new Socket();
    this.#sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => {
      this.#bytes += socket.bytesRead;
      this.#sockets.delete(socket);
    });
    return socket;
  }

  /** The answer to a question that a healthy database answers at once. */
  async answer<T>(question: Promise<T>): Promise<T> {
    const deaths = this.#deaths;
    let heard = this.#heard();
    let quiet = 0;
    const watch = setInterval(() => {
      const now = this.#heard();
      quiet = now === heard ? quiet + 1 : 0;
      heard = now;
      if (quiet >= PATIENCE_TICKS) this.#die();
    }, TICK_MS).unref();
    try {
      const answer = await question;
      this.#dead = false;
      return answer;
    } catch (error) {
      // A refusal is an answer too, unless it was us who gave up.
      if (deaths === this.#deaths) this.#dead = false;
      throw error;
    } finally {
      clearInterval(watch);
    }
  }

  #heard(): number {
    let bytes = this.#bytes;
    for (const socket of this.#sockets) bytes += socket.bytesRead;
    return bytes;
  }

  #die(): void {
    this.#deaths++;
    this.#dead = true;
    for (const socket of this.#sockets) socket.destroy(silence());
  }
}

const silence = () =>
  new Error(`the database has said nothing for ${(PATIENCE_TICKS * TICK_MS) / 1000} seconds`);
