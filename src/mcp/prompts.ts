import {
  type CompleteRequestParams,
  type CompleteResult,
  type GetPromptResult,
  ProtocolError,
  ProtocolErrorCode,
  type Prompt as Shown,
} from "@modelcontextprotocol/server";
import type { Complete, Params, Prompt } from "../api/resource.ts";
import { LIMITS } from "../core/policy.ts";
import type { Merchant } from "../merchant/merchant.ts";
import type { ResourceRegistry } from "./read-resource.ts";

export const promptListing = ({ name, title, description, arguments: args }: Prompt): Shown => ({
  name,
  title,
  description,
  arguments: args.map(({ complete: _, ...argument }) => argument),
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

/** The protocol's maximum. */
const MOST_VALUES = 100;

/** Completes with values that contain the typed text; those that begin with it come first. */
export function completion(
  { ref, argument }: CompleteRequestParams,
  prompts: readonly Prompt[],
  registry: ResourceRegistry,
  merchant: Merchant,
): CompleteResult {
  const complete = completerOf(ref, argument.name, prompts, registry);
  const typed = argument.value.slice(0, LIMITS.prompt_characters).toLowerCase();
  const values = (complete?.(merchant) ?? []).filter((value) =>
    value.toLowerCase().includes(typed),
  );
  const sorted = values.toSorted(
    (a, b) =>
      Number(!a.toLowerCase().startsWith(typed)) - Number(!b.toLowerCase().startsWith(typed)),
  );
  return {
    completion: {
      values: sorted.slice(0, MOST_VALUES),
      total: values.length,
      hasMore: values.length > MOST_VALUES,
    },
  };
}

function completerOf(
  ref: CompleteRequestParams["ref"],
  name: string,
  prompts: readonly Prompt[],
  registry: ResourceRegistry,
): Complete | undefined {
  if (ref.type === "ref/resource") {
    const resource = registry.byTemplate(ref.uri) ?? registry.find(ref.uri)?.resource;
    if (!resource) throw badParams("There is no such resource template.");
    return resource.complete?.[name];
  }
  return promptOf(prompts, ref.name).arguments.find((one) => one.name === name)?.complete;
}

function promptOf(prompts: readonly Prompt[], name: string): Prompt {
  const prompt = prompts.find((one) => one.name === name);
  const known = prompts.map((one) => one.name).join(", ") || "none";
  if (!prompt) throw badParams(`There is no such prompt. The prompts are ${known}.`);
  return prompt;
}

const badParams = (message: string): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, message);
