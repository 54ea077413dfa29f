const WIDTH = 40;
const LINE_EVERY_MS = 3_000;

/** A bar where somebody watches, a line every few seconds elsewhere. On stderr: stdout is the result. */
export function progress(out: NodeJS.WriteStream = process.stderr) {
  const begun = performance.now();
  let told = 0;
  const text = (done: number, of: number): string => {
    const full = Math.round((done / Math.max(1, of)) * WIDTH);
    const seconds = Math.round((performance.now() - begun) / 1000);
    return `${"█".repeat(full)}${"░".repeat(WIDTH - full)} ${done}/${of} purchases, ${seconds} s`;
  };
  return {
    at(done: number, of: number) {
      const now = performance.now();
      if (out.isTTY) out.write(`\r${text(done, of)}`);
      else if (now - told > LINE_EVERY_MS) {
        told = now;
        out.write(`${done} of ${of} purchases, ${Math.round((now - begun) / 1000)} s\n`);
      }
    },
    done() {
      if (out.isTTY) out.write("\n");
    },
  };
}
