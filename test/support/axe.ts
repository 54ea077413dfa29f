import axe from "axe-core";
import type { Page } from "playwright-core";

/** For addInitScript: so it is sent to a browser once, not with every page. */
export const AXE = axe.source;

/** axe keeps to itself how grave a rule's violations are; its types do not tell. */
interface Rule {
  id: string;
  impact: "minor" | "moderate" | "serious" | "critical";
  enabled: boolean;
  tags: string[];
}

/** Of the rules that axe applies by default, those whose violations are serious or critical. */
export const SERIOUS_RULES: readonly string[] = (
  axe as unknown as { _audit: { rules: Rule[] } }
)._audit.rules
  .filter(({ enabled, tags }) => enabled && !/experimental|deprecated/.test(tags.join()))
  .filter(({ impact }) => impact === "serious" || impact === "critical")
  .map(({ id }) => id);

/** What breaks these rules, one line each, on a page that has AXE. */
export function violations(page: Page, rules: readonly string[]): Promise<string[]> {
  return page.evaluate(
    async (runOnly) => {
      const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
      const { violations } = await run({ runOnly, resultTypes: ["violations"], preload: false });
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`,
      );
    },
    [...rules],
  );
}
