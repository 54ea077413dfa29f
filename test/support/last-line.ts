import type { Reporter, TestModule } from "vitest/node";

/** Ends the run with one line that says all: what passed, what failed, what was skipped. */
export class LastLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts: Record<string, number> = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      // A file that could not even be read has no tests to count.
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
