import { z } from "zod";
import { Registration } from "../src/domain/agent/agent.ts";
import { Email } from "../src/domain/shared/email.ts";
import { LIMITS } from "../src/domain/shared/policy.ts";
import { line } from "../src/domain/shared/text-rules.ts";
import { publicWrite } from "../src/operations/operation.ts";

export const registerAgent = publicWrite({
  name: "register_agent",
  title: "Register for a key",
  description:
    "Get an API key for this agent. Call it once; the key is shown only in this answer. " +
    "Quotes, orders and waitlist entries belong to the key. Registering costs nothing and orders nothing.",
  tag: "Agents",
  http: { method: "POST", path: "/v1/agents/register", status: 201 },
  limits: ["register_attempts", "register_hour", "register_day"],
  input: z.strictObject({
    name: line("The agent's name", LIMITS.name_characters).describe("What to call this agent."),
    contact_email: Email.describe("Where the merchant reaches the agent's operator."),
  }),
  output: Registration,
  errors: ["API_KEY_ALREADY_ISSUED"],
  run: ({ input, intent }, { agents }) => agents.register(input, intent),
});
