/** Says how far a long run is: a bar on a terminal, a line every few seconds anywhere else. */
export interface Progress {
  step(what: string): void;
  done(): void;
}

const WIDTH = 24;
const QUIET_MS = 5000;

export function createProgress(steps: number, out: NodeJS.WriteStream = process.stderr): Progress {
  let at = 0;
  let said = -QUIET_MS;
  return {
    step(what) {
      const full = Math.round((at / steps) * WIDTH);
      const bar = "█".repeat(full) + "░".repeat(WIDTH - full);
      at += 1;
      if (out.isTTY) {
        out.write(`\r\u001b[K${bar} ${at}/${steps} ${what}`.slice(0, (out.columns ?? 80) + 4));
      } else if (performance.now() - said >= QUIET_MS) {
        said = performance.now();
        out.write(`${at}/${steps} ${what}\n`);
      }
    },
    done() {
      if (out.isTTY) out.write("\r\u001b[K");
    },
  };
}
