import { namedAll } from "../../core/next-step.ts";
import { CONTRACT_VERSION } from "../../core/policy.ts";
import { QuickCheckout } from "../../quotes/quick-checkout.ts";
import type { Operation, Tag } from "../operation.ts";
import { agentInfoSchema, EXTRA_PATHS } from "./by-hand.ts";
import { Components } from "./components.ts";
import { describe } from "./describe.ts";
import { type Examples, examplesAt } from "./examples.ts";
import { HEADERS, type Json, PARAMETERS, ProblemAnswer } from "./parts.ts";
import { sharedResponses } from "./responses.ts";

/**
 * The machine-readable description at /openapi.json (contract §18): OpenAPI 3.1, made from the operations
 * and, for odd HTTP such as quick checkout's redirect, from EXTRA_PATHS, which wins.
 */
export function openapi(operations: readonly Operation[], baseUrl: string): Json {
  const components = new Components();
  const examples: Examples = examplesAt(baseUrl);
  const paths: Record<string, Json> = {};
  for (const op of operations) {
    if (op.http.path in EXTRA_PATHS) continue;
    const described = describe(op, { operations, components, examples });
    const route = { [op.http.method.toLowerCase()]: described };
    paths[op.http.path] = { ...paths[op.http.path], ...route };
  }
  for (const schema of [QuickCheckout, ProblemAnswer]) components.of(schema, "output");
  const description = {
    openapi: "3.1.0",
    info: {
      title: "Coffee merchant agent service",
      version: CONTRACT_VERSION,
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: baseUrl }],
    security: [{ api_key: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: { ...paths, ...EXTRA_PATHS },
    components: {
      schemas: { ...components.schemas, AgentInfo: agentInfoSchema() },
      parameters: { ...PARAMETERS, ...components.parameters },
      headers: HEADERS,
      responses: sharedResponses(operations),
      securitySchemes: {
        api_key: {
          type: "http",
          scheme: "bearer",
          description: "The key of POST /v1/agents/register.",
        },
      },
    },
  };
  return namedAll(description, "endpoints");
}

const DESCRIPTION =
  "Agents quote roasted coffee; people pay. Amounts are integer minor units (cents) of usd in fields " +
  "ending in _minor. Times are ISO 8601 UTC with milliseconds. Statuses, codes and event types are " +
  "open: tolerate new values, and new fields. Every POST and DELETE needs an Idempotency-Key; a " +
  "repeated answer says Idempotent-Replayed: true. Every " +
  "answer has a Request-Id, and RateLimit with RateLimit-Policy where something is counted. Errors are " +
  "application/problem+json with a stable `code`; /errors explains each. This is a local contract, " +
  "not certified against any external standard.";

const TAGS: Record<Tag, string> = {
  Information: "What is sold, on which terms, and answers about the beans.",
  Agents: "A key for an agent.",
  Quotes: "An exact, immutable price, and the link on which a person pays it.",
  Orders: "What was paid: its shipments, its events, and asking to cancel it.",
  Waitlist: "A place in the queue for a bean that is short.",
  Messages: "Messages to the merchant.",
};
