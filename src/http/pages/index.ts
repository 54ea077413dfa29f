/** The hosted pages: plain view in, HTML string out. No I/O, no clock, no script in the browser. */

export { productBag } from "./bag/product-bag.ts";
export { beanPicture } from "./bean-picture.ts";
export { addField, type BeanView } from "./bean-view.ts";
export { CART_PATH, type CartView } from "./cart.ts";
export type { ConversationView } from "./conversation.ts";
export { errorsPage } from "./errors.ts";
export type { FieldProblem } from "./form-parts.ts";
export { guidePage } from "./guide.ts";
export { ICON } from "./icon.ts";
export { type LandingView, landingPage } from "./landing.ts";
export type { PaymentMode } from "./layout.ts";
export { problemPage } from "./problem.ts";
export {
  QUICK_CHECKOUT_FIELDS,
  type QuickCheckoutField,
  type QuickCheckoutView,
  quickCheckoutGonePage,
  quickCheckoutPage,
} from "./quick-checkout.ts";
export {
  QUICK_LINK_FIELDS,
  QUICK_LINK_PATH,
  quantityField,
  quickLinkPage,
} from "./quick-link.ts";
export { reviewPage } from "./review.ts";
export type {
  OrderView,
  ReviewPageState,
  ReviewView,
  ShipmentView,
} from "./review-view.ts";
export {
  type SandboxPayView,
  sandboxChallengePage,
  sandboxClosedPage,
  sandboxPayPage,
} from "./sandbox.ts";
export type {
  LineView,
  PolicyView,
  PricingView,
} from "./views.ts";
export {
  WAITLIST_PATH,
  type WaitlistFormView,
  type WaitlistPlaceView,
  waitlistFormPage,
  waitlistPlacePage,
} from "./waitlist.ts";
