import type { Express, RequestHandler, Response } from "express";
import type { Api } from "../api/api.ts";
import type { MerchantError } from "../core/errors.ts";
import type { ReviewedQuote } from "../payments/checkout-request.ts";
import { fieldIn, fieldValues } from "../web/body.ts";
import type { FieldProblem } from "../web/form-parts.ts";
import { fieldProblems, prefersPage } from "../web/page-answers.ts";
import { refusalOf } from "../web/problem-answers.ts";
import { mountForm, tokenOf } from "../web/routes.ts";
import type { SentWish } from "./pages/review-view.ts";
import { pressed, reviewPath, sendReview } from "./review.ts";

const PATH = "/review/:token/cancel-request";

/** The buyer of an order asks on its page to cancel it, and takes that back (contract §5). */
export function mountCancelRequest(app: Express, api: Api): void {
  const { cancellations } = api.service.merchant;

  mountForm(app, api.edge, PATH, {
    get: toOrder,
    post: (req, res) => {
      const sent = sentWish(req.body);
      const wish = {
        reason_code: sent.reason || "OTHER",
        shipment_ids: sent.shipments,
        ...(sent.message.trim() !== "" && { message: sent.message }),
      };
      const form = fieldIn(req.body, "form");
      return press(api, res, (found) => cancellations.requestAsBuyer(found, wish, form), sent);
    },
  });

  mountForm(app, api.edge, `${PATH}/withdraw`, {
    get: toOrder,
    post: (req, res) => {
      const request = fieldIn(req.body, "request");
      return press(api, res, (found) => cancellations.withdrawAsBuyer(found, request));
    },
  });
}

const sentWish = (body: unknown): SentWish => ({
  shipments: fieldValues(body, "shipment"),
  reason: fieldIn(body, "reason"),
  message: fieldIn(body, "message"),
});

/** A refusal stands at the form's own address; who loads that again sees the order. */
const toOrder: RequestHandler = (req, res) => res.redirect(303, reviewPath(req));

/** Back to the order's page; where it was refused, that page as it is now with what was typed. */
async function press(
  { service }: Api,
  res: Response,
  act: (found: ReviewedQuote) => Promise<void>,
  sent?: SentWish,
): Promise<void> {
  const { req } = res;
  const { merchant } = service;
  try {
    await act(await pressed(service, req));
    res.redirect(303, reviewPath(req));
  } catch (error) {
    const refusal = refusalOf(error);
    if (!prefersPage(req)) throw refusal;
    const review = await merchant.reviews.open(tokenOf(req));
    const refusedWish = { problems: inWords(refusal), sent };
    sendReview(res, merchant, { ...review, refusedWish }, refusal);
  }
}

const FIELDS: Record<string, FieldProblem> = {
  shipment_ids: { field: "shipment", message: "Choose what you want to cancel." },
  reason_code: { field: "reason", message: "Choose one of these reasons." },
};

/** For a person, where the rules speak to agents. */
const WORDS: Partial<Record<string, string>> = {
  CANCEL_REQUEST_OPEN:
    "Canceling was asked for already, and the shop has not decided yet. Take that request back " +
    "first, to ask for something else.",
  ILLEGAL_STEP:
    "The order has moved on since this page was opened, so nothing was changed. This is how it " +
    "stands now.",
};

/** One for each field, whatever is wrong with it, or one for the form as a whole. */
function inWords(refusal: MerchantError): FieldProblem[] {
  const words = WORDS[refusal.code];
  if (words !== undefined) return [{ field: null, message: words }];
  const found = fieldProblems(refusal, (pointer) => pointer.split("/")[1]);
  const said = found.map((problem) => FIELDS[problem.field ?? ""] ?? problem);
  return [...new Map(said.map((problem) => [problem.field, problem])).values()];
}
