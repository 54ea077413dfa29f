import axe from "axe-core";

/** axe's types leave out the impact of a rule. */
interface Rule {
  id: string;
  impact: "minor" | "moderate" | "serious" | "critical";
  enabled: boolean;
  tags: string[];
}

/** The rules that axe applies by default. */
const RULES = (axe as unknown as { _audit: { rules: Rule[] } })._audit.rules.filter(
  ({ enabled, tags }) => enabled && !/experimental|deprecated/.test(tags.join()),
);
export const EVERY_RULE: readonly string[] = RULES.map(({ id }) => id);
export const SERIOUS_RULES: readonly string[] = RULES.filter(
  ({ impact }) => impact === "serious" || impact === "critical",
).map(({ id }) => id);

/** Returns violations of these rules, one line each. Runs in a browser window that has axe. */
export async function violations(
  frame: { axe: typeof axe },
  rules: readonly string[],
): Promise<string[]> {
  const { violations } = await frame.axe.run({
    runOnly: [...rules],
    resultTypes: ["violations"],
    preload: false,
  });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
}
