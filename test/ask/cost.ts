/** What an answer costs in CPU, after warm-up: usual questions, and the nastiest 500 characters. */
import type { Engine } from "../../src/ask/engine.ts";

const LENGTH = 500;
const WARM_UP = 100;
const filled = (text: string): string => text.repeat(LENGTH).slice(0, LENGTH);

/** Words that are nearly ours, words of no language, and what makes patterns begin again and again. */
const NASTY = [
  "shiping choclate espreso natral acidty ",
  "chocolxtqq recommxndqq describxxq temperxtqre ",
  "zqxwvu brbrblk cofmntg shlpmrst dekafff ",
  "how long how much how many when where ship to ",
  "which coffee is not washed or nutty or from Kenya but fruity and cheaper than the Huila, ",
  "a b c d e f g h i j ",
  "(1) which is cheapest? (2) is it washed? ",
  "what does the Guji cost, what does the Huila cost, ",
  "wie viel kostet der Versand nach Deutschland und ",
  "no, not, never, without, neither, ",
  "give me the recipe the free bag the best the mountain who in ",
  "$1 2 bags 3 g under over 4 degrees ",
  "éèêñß",
  "a".repeat(100),
].map(filled);

/** Milliseconds of CPU for one call. */
function cpu(texts: readonly string[], ask: Engine): number {
  const rounds = Math.ceil(WARM_UP / texts.length);
  const run = () => {
    for (let round = 0; round < rounds; round += 1) for (const text of texts) ask(text);
  };
  run();
  const started = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000 / rounds / texts.length;
}

export function costOf(ask: Engine, questions: readonly string[]): string {
  const usual = cpu(questions, ask);
  const worst = Math.max(...NASTY.map((text) => cpu([text], ask)));
  return `CPU ms: ${usual.toFixed(2)} for a usual question, ${worst.toFixed(2)} for the nastiest 500 characters\n`;
}
