import { styleText } from "node:util";

/** A claim of the demo that did not hold. */
export class DemoFailed extends Error {
  override name = "DemoFailed";
}

export type Story = ReturnType<typeof createStory>;

/** What the demo shows: who does what, one short line each, and a check behind every claim. */
export function createStory(out: NodeJS.WriteStream) {
  // styleText asks the stream itself: no colours in files and pipes, none under NO_COLOR.
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    styleText(style, text, { stream: out });
  const line = (text: string) => out.write(`${text}\n`);
  let checks = 0;
  return {
    chapter: (who: string, what: string) => line(`\n${paint("bold", who)} ${paint("dim", what)}`),
    /** One thing that happened, and details below it. */
    tell(text: string, ...details: string[]): void {
      line(`  ${paint("green", "✓")} ${text}`);
      for (const detail of details) line(`    ${paint("dim", detail)}`);
    },
    /** Fails the demo, naming the claim, where it does not hold. */
    check(holds: boolean, claim: string, found?: unknown): void {
      checks += 1;
      if (holds) return;
      const seen = found === undefined ? "" : `\n  found: ${JSON.stringify(found)}`;
      throw new DemoFailed(`${claim}: it was not so.${seen}`);
    },
    get checks() {
      return checks;
    },
  };
}
