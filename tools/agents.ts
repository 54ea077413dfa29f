import { z } from "zod";
import { Registration } from "../src/agents/agent.ts";
import { publicWrite } from "../src/api/operation.ts";
import { Email } from "../src/core/email.ts";
import { line } from "../src/core/fields.ts";
import { LIMITS } from "../src/core/policy.ts";

export const registerAgent = publicWrite({
  name: "register_agent",
  title: "Register for a key",
  description:
    "Get an API key and save it: it can't be read again. Quotes and orders belong to it.",
  tag: "Agents",
  http: { method: "POST", path: "/v1/agents/register", status: 201 },
  input: z.strictObject({
    name: line("The agent's name", LIMITS.name_characters),
    contact_email: Email.describe("Address of this agent's operator, or else of the buyer."),
  }),
  output: Registration,
  errors: ["API_KEY_ALREADY_ISSUED"],
  run: ({ input, intent }, { agents }) => agents.register(input, intent),
});
