const BAR_WIDTH = 24;
const BAR_EVERY_MS = 100;
const LINE_EVERY_MS = 5000;

/** Shows progress: a bar on a terminal, a line every few seconds elsewhere. */
export function progressOn(out: NodeJS.WriteStream) {
  let next = 0;
  return (done: number, total: number, what: string): void => {
    const now = performance.now();
    if (now < next && done < total) return;
    next = now + (out.isTTY ? BAR_EVERY_MS : LINE_EVERY_MS);
    const percent = `${Math.floor((100 * done) / total)} %`;
    if (!out.isTTY) {
      out.write(`${percent} · ${what}\n`);
      return;
    }
    const filled = Math.round((BAR_WIDTH * done) / total);
    const bar = "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
    const end = done === total ? "\n" : "";
    out.write(
      `\r\u001b[K${bar} ${percent.padStart(5)} ${what}`.slice(0, (out.columns ?? 80) + 4) + end,
    );
  };
}
