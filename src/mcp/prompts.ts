import {
  type GetPromptResult,
  ProtocolError,
  ProtocolErrorCode,
  type Prompt as Shown,
} from "@modelcontextprotocol/server";
import type { Params, Prompt } from "../api/resource.ts";
import { LIMITS } from "../core/policy.ts";
import type { Merchant } from "../merchant/merchant.ts";

export const promptListing = ({ name, title, description, arguments: args }: Prompt): Shown => ({
  name,
  title,
  description,
  arguments: args,
});

export function getPrompt(
  prompts: readonly Prompt[],
  name: string,
  given: Params,
  merchant: Merchant,
): GetPromptResult {
  const prompt = promptOf(prompts, name);
  const long = prompt.arguments.find((one) => tooLong(given[one.name]));
  if (long) throw badParams(`${long.name}: at most ${LIMITS.prompt_characters} characters.`);
  const missing = prompt.arguments.filter((one) => one.required && !given[one.name]?.trim());
  if (missing.length > 0) {
    throw badParams(`Missing arguments: ${missing.map((one) => one.name).join(", ")}.`);
  }
  const text = prompt.write(given, merchant);
  return {
    description: prompt.description,
    messages: [{ role: "user", content: { type: "text", text } }],
  };
}

const tooLong = (value: string | undefined): boolean =>
  value !== undefined && value.length > LIMITS.prompt_characters;

function promptOf(prompts: readonly Prompt[], name: string): Prompt {
  const prompt = prompts.find((one) => one.name === name);
  const known = prompts.map((one) => one.name).join(", ") || "none";
  if (!prompt) throw badParams(`There is no such prompt. The prompts are ${known}.`);
  return prompt;
}

const badParams = (message: string): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, message);
