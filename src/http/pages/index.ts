/** The hosted pages: plain view in, HTML string out. No I/O, no clock, no script in the browser. */

export type { BeanView } from "./bean-view.ts";
export { errorsPage } from "./errors.ts";
export type { FieldProblem } from "./form-parts.ts";
export { ICON } from "./icon.ts";
export { type LandingView, landingPage } from "./landing.ts";
export type { PaymentMode } from "./layout.ts";
export { type ProblemView, problemPage } from "./problem.ts";
export {
  QUICK_CHECKOUT_FIELDS,
  type QuickCheckoutField,
  type QuickCheckoutGoneView,
  type QuickCheckoutView,
  quickCheckoutGonePage,
  quickCheckoutPage,
} from "./quick-checkout.ts";
export {
  QUICK_LINK_FIELDS,
  QUICK_LINK_PATH,
  type QuickLinkFormView,
  type QuickLinkView,
  quantityField,
  quickLinkPage,
} from "./quick-link.ts";
export { reviewPage } from "./review.ts";
export type {
  DestinationView,
  OrderView,
  ReviewState,
  ReviewView,
  ShipmentView,
  ShortBeanView,
  TrackingView,
} from "./review-view.ts";
export {
  type SandboxCard,
  type SandboxChallengeView,
  type SandboxClosedView,
  type SandboxPayView,
  sandboxChallengePage,
  sandboxClosedPage,
  sandboxPayPage,
} from "./sandbox.ts";
export type {
  AddressView,
  CourtesyView,
  LineView,
  PolicyView,
  PricingView,
  SaleFrame,
} from "./views.ts";
