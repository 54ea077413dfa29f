import type { NextStep } from "../domain/shared/errors.ts";
import { type Naming, namedText } from "../domain/shared/naming.ts";

/** As the domain writes an action: the tool, and the endpoint beside it. */
const BOTH = /^(\w+) \((\w+ .+)\)$/;

export const namedSteps = (steps: readonly NextStep[], naming: Naming): NextStep[] =>
  steps.map(({ action, why }) => {
    const [, tool = action, endpoint = action] = BOTH.exec(action) ?? [];
    return { action: naming === "tools" ? tool : endpoint, why: namedText(why, naming) };
  });

interface WithSteps {
  next?: NextStep[];
  /** A list's entries have steps of their own. */
  orders?: WithSteps[];
  /** Addresses for HTTP clients, of no use to others. */
  links?: unknown;
}

/** An answer with its next steps, and those of its entries, named as its caller knows them. */
export function namedAnswer<B>(body: B, naming: Naming): B {
  const { next, orders, links } = body as WithSteps;
  if (next === undefined && orders === undefined) return body;
  const { links: _, ...own } = body as WithSteps;
  return {
    ...own,
    ...(links !== undefined && naming === "endpoints" && { links }),
    ...(next && { next: namedSteps(next, naming) }),
    ...(orders && { orders: orders.map((order) => namedAnswer(order, naming)) }),
  } as B;
}
