import type { Express, RequestHandler, Response } from "express";
import type { Api } from "../api/api.ts";
import type { MerchantError } from "../core/errors.ts";
import type { ReviewedQuote } from "../payments/checkout-request.ts";
import { fieldIn, fieldValues } from "../web/body.ts";
import type { FieldProblem } from "../web/form-parts.ts";
import { fieldProblems, prefersPage } from "../web/page-answers.ts";
import { refusalOf } from "../web/problem-answers.ts";
import { mountForm, tokenOf } from "../web/routes.ts";
import type { CancelForm } from "./pages/review-view.ts";
import { countPress, reviewPath, sendReview } from "./review.ts";

const PATH = "/review/:token/cancel-request";

/** On the order page the buyer asks the shop to cancel, or withdraws the request (contract §5). */
export function mountCancelRequest(app: Express, api: Api): void {
  const { cancellations } = api.service.merchant;

  mountForm(app, api.edge, PATH, {
    get: toOrder,
    post: ({ body }, res) => {
      const sent = {
        shipments: fieldValues(body, "shipment"),
        reason: fieldIn(body, "reason"),
        message: fieldIn(body, "message"),
      };
      const request = {
        reason_code: sent.reason || "OTHER",
        shipment_ids: sent.shipments,
        ...(sent.message.trim() !== "" && { message: sent.message }),
      };
      const form = fieldIn(body, "form");
      return press(api, res, (found) => cancellations.requestAsBuyer(found, request, form), sent);
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

/** A refused form was answered at this address; reloading it shows the order. */
const toOrder: RequestHandler = (req, res) => res.redirect(303, reviewPath(req));

/** Redirects to the order page. After a refusal, shows that page as it is now with the typed values. */
async function press(
  { service }: Api,
  res: Response,
  act: (found: ReviewedQuote) => Promise<void>,
  sent?: CancelForm,
): Promise<void> {
  const { req } = res;
  const { merchant } = service;
  try {
    await act(await countPress(service, req));
    res.redirect(303, reviewPath(req));
  } catch (error) {
    const refusal = refusalOf(error);
    if (!prefersPage(req)) throw refusal;
    const review = await merchant.reviews.open(tokenOf(req));
    const refusedForm = { problems: problemsForBuyer(refusal), sent };
    sendReview(res, merchant, { ...review, refusedForm }, refusal);
  }
}

const FIELDS: Record<string, FieldProblem> = {
  shipment_ids: { field: "shipment", message: "Choose what you want to cancel." },
  reason_code: { field: "reason", message: "Choose one of these reasons." },
};

/** Messages for buyers; the rules write theirs for agents. */
const WORDS: Partial<Record<string, string>> = {
  CANCEL_REQUEST_OPEN:
    "You already asked to cancel. Withdraw that request first to ask for something else.",
  ILLEGAL_STEP:
    "The order has changed since you opened this page, so nothing was done. This is how it stands now.",
};

/** At most one problem per field, or one for the whole form. */
function problemsForBuyer(refusal: MerchantError): FieldProblem[] {
  const words = WORDS[refusal.code];
  if (words !== undefined) return [{ field: null, message: words }];
  const found = fieldProblems(refusal, (pointer) => pointer.split("/")[1]);
  const said = found.map((problem) => FIELDS[problem.field ?? ""] ?? problem);
  return [...new Map(said.map((problem) => [problem.field, problem])).values()];
}
