import {
  type CallToolResult,
  type ClientCapabilities,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  CLIENT_CAPABILITIES_META_KEY as KEY,
  type RequestStateCodec,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";

/** Marks a result that repeats an earlier one (contract §12). */
export const REPLAYED_META = "coffee/idempotent-replayed";

export type AnswerBody = Record<string, unknown>;

/** Returns the result, or asks the client to show the buyer the review link first. */
export type ReviewOffer = (
  body: AnswerBody,
  result: CallToolResult,
  ctx: ServerContext,
) => Promise<CallToolResult | InputRequiredResult>;

/** State that a client returns on its second round. Signed, because clients are not trusted. */
export interface OfferState {
  review_of: string;
}

/** A buyer may answer tomorrow. The state grants nothing: it only ends the offer. */
const STATE_SECONDS = 86_400;

export const reviewStates = (key: Buffer): RequestStateCodec<OfferState> =>
  createRequestStateCodec<OfferState>({
    key,
    ttlSeconds: STATE_SECONDS,
    bind: (ctx) => `${ctx.mcpReq.method}\0${ctx.http?.authInfo?.clientId ?? "stdio"}`,
  });

/** Below the minute that clients give a tool call. Afterwards the result goes out without an answer. */
const ANSWER_MS = 45_000;

const ROUND = "review";

/**
 * Offers the review link by URL elicitation, if the client can show it (contract §13). Every result has
 * review_url anyway. Accepting the offer is consent to open the link, not a payment. Asks the buyer once.
 */
export function reviewOffer(
  server: Server,
  era: "legacy" | "modern",
  states: RequestStateCodec<OfferState>,
): ReviewOffer {
  return async (body, result, ctx) => {
    const { review_url: url, quote_id } = body;
    if (typeof url !== "string" || typeof quote_id !== "string") return result;
    const { inputResponses, requestState, elicitInput, signal } = ctx.mcpReq;
    if (inputResponses !== undefined || requestState() !== undefined) {
      const answer = inputResponse(inputResponses, ROUND);
      return resultAfterOffer(result, answer.kind === "elicit" ? answer.action : undefined);
    }
    if (!capabilitiesOf(server, ctx)?.elicitation?.url) return result;
    const message = words(body);
    if (era === "modern") {
      return inputRequired({
        inputRequests: { [ROUND]: inputRequired.elicitUrl({ message, url }) },
        requestState: await states.mint({ review_of: quote_id }, ctx),
      });
    }
    // Only a connection can ask during a call. Stateless HTTP never does.
    const answer = await elicitInput(
      { mode: "url", message, url, elicitationId: quote_id },
      { timeout: ANSWER_MS, signal },
    ).catch(() => undefined);
    return resultAfterOffer(result, answer?.action);
  };
}

/** Capabilities of the client: 2026 sends them with every request, earlier versions in the handshake. */
export function capabilitiesOf(
  server: Server,
  { mcpReq }: ServerContext,
): ClientCapabilities | undefined {
  const envelope = mcpReq.envelope as { [KEY]?: ClientCapabilities } | undefined;
  return envelope?.[KEY] ?? server.getClientCapabilities();
}

const words = ({ total_display }: AnswerBody): string =>
  `Open the coffee merchant's page to review this quote${
    typeof total_display === "string" ? ` of ${total_display}` : ""
  } and pay it there, if you agree. Nothing is ordered before you pay.`;

/** Drops the replay mark: the first round made this result, so it is new to the client. */
function resultAfterOffer(result: CallToolResult, action: string | undefined): CallToolResult {
  const { _meta: { [REPLAYED_META]: _, ...meta } = {}, ...rest } = result;
  const fresh = { ...rest, ...(Object.keys(meta).length > 0 && { _meta: meta }) };
  const text =
    action === "accept"
      ? "The buyer agreed to open review_url, which is not a payment. Call get_quote_order to see whether they paid."
      : "The buyer has not opened review_url here. Give it as plain text on its own line.";
  return { ...fresh, content: [...fresh.content, { type: "text", text }] };
}
