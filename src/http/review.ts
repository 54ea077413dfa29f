import type { Express } from "express";
import type { Api } from "./api.ts";
import { form } from "./body.ts";
import { ownOrigin, sendPage } from "./page-answers.ts";
import { reviewPage } from "./pages/review.ts";
import { onlyMethods } from "./request-context.ts";
import { cancelPayment, payQuote, quoteFullPrice } from "./review-actions.ts";
import { reviewModel } from "./review-model.ts";

/** `/review/{token}`: the buyer sees exactly what is approved, and pays (contract §5). */
export function mountReview(app: Express, api: Api): void {
  const { merchant } = api.service;
  const own = ownOrigin(api.edge);
  app
    .route("/review/:token")
    .get(async (req, res) => {
      const returned = req.query.from === "checkout";
      const review = await merchant.reviews.open(String(req.params.token), { returned });
      sendPage(res, reviewPage(reviewModel(merchant, review, { url: req.path })));
    })
    .post(own, form, payQuote(api))
    .all(onlyMethods(["GET", "POST"]));

  // The provider sends a buyer here who turns back on its page, and it can only do so with a GET.
  app
    .route("/review/:token/cancel")
    .get(cancelPayment(api))
    .post(own, form, cancelPayment(api))
    .all(onlyMethods(["GET", "POST"]));

  app
    .route("/review/:token/full-price")
    .post(own, form, quoteFullPrice(api))
    .all(onlyMethods(["POST"]));
}
