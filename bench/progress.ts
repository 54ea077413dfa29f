import { progressOn } from "../src/cli/progress.ts";

/** Says how far a long run of so many steps is. */
export function createProgress(steps: number, out: NodeJS.WriteStream = process.stderr) {
  const show = progressOn(out);
  let at = 0;
  return {
    step: (what: string) => show(at++, steps, what),
    done() {
      if (out.isTTY) out.write("\r\u001b[K");
    },
  };
}
