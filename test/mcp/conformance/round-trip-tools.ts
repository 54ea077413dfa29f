import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type RequestStateCodec,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { OfferState } from "../../../src/mcp/review-offer.ts";

type Answer = CallToolResult | InputRequiredResult;
type Inputs = Parameters<typeof inputRequired>[0]["inputRequests"];

/** One form with one field. */
const form = (message: string, field: string, type: "string" | "boolean") =>
  inputRequired.elicit({
    message,
    requestedSchema: {
      type: "object",
      properties: { [field]: { type } },
      required: [field],
    } as ElicitRequestFormParams["requestedSchema"],
  });

const thought = (words: string) =>
  inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text: words } }],
    maxTokens: 100,
  });

const done = (words: string): CallToolResult => ({ content: [{ type: "text", text: words }] });
const name = () => form("What is your name?", "name", "string");

const answered = (ctx: ServerContext, key: string) =>
  inputResponse(ctx.mcpReq.inputResponses, key).kind !== "missing";

type States = RequestStateCodec<OfferState>;
type RoundTool = (ctx: ServerContext) => Promise<Answer> | Answer;

/** Asks until every key is answered; with `state` it must come back as well. */
const asking =
  (states: States) =>
  (inputs: NonNullable<Inputs>, state?: string): RoundTool =>
  async (ctx) => {
    const back = ctx.mcpReq.requestState<OfferState>();
    const complete = Object.keys(inputs).every((key) => answered(ctx, key));
    if (complete && (state === undefined || back?.review_of === state)) {
      return done(state === undefined ? "Thank you." : "Thank you: state-ok.");
    }
    return inputRequired({
      inputRequests: inputs,
      ...(state !== undefined && { requestState: await states.mint({ review_of: state }, ctx) }),
    });
  };

const confirm = () => ({ confirm: form("Please confirm", "ok", "boolean") });

/** The suite's tools that ask the client for something before they answer. */
export function roundTools(states: States): Record<string, RoundTool> {
  const ask = asking(states);
  return {
    test_input_required_result_elicitation: ask({ user_name: name() }),
    test_streaming_elicitation: ask({ user_name: name() }),
    test_input_required_result_sampling: ask({
      capital_question: thought("What is the capital of France?"),
    }),
    test_input_required_result_list_roots: ask({ client_roots: inputRequired.listRoots() }),
    test_input_required_result_request_state: ask(confirm(), "confirm"),
    test_input_required_result_tampered_state: ask(confirm(), "tampered"),
    test_input_required_result_multiple_inputs: ask(
      {
        user_name: name(),
        greeting: thought("Generate a greeting"),
        client_roots: inputRequired.listRoots(),
      },
      "multiple",
    ),
    test_input_required_result_multi_round: (ctx) => twoSteps(ctx, states),
    test_input_required_result_capabilities: onlyDeclared,
  };
}

async function twoSteps(ctx: ServerContext, states: States): Promise<Answer> {
  const step = ctx.mcpReq.requestState<OfferState>()?.review_of;
  if (step === "step2" && answered(ctx, "step2")) return done("Thank you for both.");
  const next = step === "step1" && answered(ctx, "step1") ? "step2" : "step1";
  const question = next === "step1" ? "Your name?" : "Your favorite color?";
  return inputRequired({
    inputRequests: { [next]: form(question, next === "step1" ? "name" : "color", "string") },
    requestState: await states.mint({ review_of: next }, ctx),
  });
}

function onlyDeclared(ctx: ServerContext): Answer {
  const declared = capabilitiesOf(ctx);
  if (answered(ctx, "thought") || answered(ctx, "user_name")) return done("Thank you.");
  return inputRequired({
    inputRequests: {
      ...(declared.sampling !== undefined && { thought: thought("Generate a greeting") }),
      ...(declared.elicitation !== undefined && { user_name: name() }),
    },
  });
}

/** The prompt that asks, too. */
export const askingPrompt = (ctx: ServerContext) => {
  const back = inputResponse(ctx.mcpReq.inputResponses, "user_context");
  if (back.kind !== "missing") {
    return { messages: [{ role: "user", content: { type: "text", text: "In that context." } }] };
  }
  const inputs = { user_context: form("What context should it use?", "context", "string") };
  return inputRequired({ inputRequests: inputs });
};

function capabilitiesOf(ctx: ServerContext): Record<string, unknown> {
  const envelope = ctx.mcpReq.envelope as Record<string, unknown> | undefined;
  return (envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {}) as Record<string, unknown>;
}
