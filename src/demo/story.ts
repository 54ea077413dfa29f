import { styleText } from "node:util";

/** What the demo shows: who does what, one short line each, and a check behind every claim. */
export interface Story {
  chapter(who: string, what: string): void;
  /** One thing that happened, and details below it. */
  tell(line: string, ...details: string[]): void;
  /** Fails the demo, naming the claim, where it does not hold. */
  check(holds: boolean, claim: string, found?: unknown): void;
  readonly checks: number;
}

/** A claim of the demo that did not hold. */
export class DemoFailed extends Error {
  override name = "DemoFailed";
}

type Style = Parameters<typeof styleText>[0];

export function createStory(out: NodeJS.WriteStream): Story {
  // styleText asks the stream itself: no colours in files and pipes, none under NO_COLOR.
  const paint = (style: Style, text: string) => styleText(style, text, { stream: out });
  const line = (text: string) => out.write(`${text}\n`);
  let checks = 0;
  return {
    chapter: (who, what) => line(`\n${paint("bold", who)} ${paint("dim", what)}`),
    tell(text, ...details) {
      line(`  ${paint("green", "✓")} ${text}`);
      for (const detail of details) line(`    ${paint("dim", detail)}`);
    },
    check(holds, claim, found) {
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
