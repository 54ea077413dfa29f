import type { Reporter, TestModule } from "vitest/node";

/** Ends the run with one line, such as "6343 passed, 4 skipped", which CI reads. */
export class LastLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts: Record<string, number> = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      // A file that failed to load has no tests, and counts as one failure.
      if (module.children.size === 0 && !module.ok()) counts.failed! += 1;
      for (const test of module.children.allTests()) counts[test.result().state]! += 1;
    }
    const said = Object.entries(counts)
      .filter(([state, count]) => state === "passed" || count > 0)
      .map(([state, count]) => `${count} ${state}`);
    if (errors.length > 0) said.push(`${errors.length} unhandled errors`);
    process.stdout.write(`\n${said.join(", ")}\n`);
  }
}
