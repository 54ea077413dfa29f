import type { NextStep } from "../domain/shared/errors.ts";

/** How the caller knows what it can do next: by tools over MCP, by endpoints over HTTP (contract §0). */
export type StepNaming = "tools" | "endpoints";

/** As the domain writes it: the tool, and the endpoint beside it. */
const BOTH = /^(\w+) \((\w+ .+)\)$/;

export const namedSteps = (steps: readonly NextStep[], naming: StepNaming): NextStep[] =>
  steps.map((step) => {
    const [, tool, endpoint] = BOTH.exec(step.action) ?? [];
    if (tool === undefined || endpoint === undefined) return step;
    return { ...step, action: naming === "tools" ? tool : endpoint };
  });

interface WithSteps {
  next?: NextStep[];
  /** A list's entries have steps of their own. */
  orders?: WithSteps[];
}

/** An answer with its next steps, and those of its entries, named as its caller knows them. */
export function namedAnswer<B>(body: B, naming: StepNaming): B {
  const { next, orders } = body as WithSteps;
  if (next === undefined && orders === undefined) return body;
  return {
    ...body,
    ...(next && { next: namedSteps(next, naming) }),
    ...(orders && { orders: orders.map((order) => namedAnswer(order, naming)) }),
  };
}
