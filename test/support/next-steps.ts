/** What is told as a next step and cannot be done as it stands: a name in braces (contract §0). */
export function templatesIn(told: unknown): string[] {
  if (typeof told !== "object" || told === null) return [];
  return Object.entries(told).flatMap(([name, value]) => [
    ...(name === "next" && Array.isArray(value) ? value.flatMap(inStep) : []),
    ...templatesIn(value),
  ]);
}

const inStep = (step: unknown): string[] =>
  Object.values(step ?? {}).filter((text) => /\{\w*\}/.test(String(text)));
