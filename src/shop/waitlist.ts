import type { Express, Request, Response } from "express";
import type { Api } from "../api/api.ts";
import { MerchantError, unknownTo } from "../core/errors.ts";
import { newNonce } from "../core/ids.ts";
import { LIMITS } from "../core/policy.ts";
import type { Query } from "../quotes/quick-checkout-query.ts";
import { type WaitlistPlace, WaitlistRequest } from "../waitlist/waitlist.ts";
import { onceEach, whole } from "../web/body.ts";
import type { FieldProblem } from "../web/form-parts.ts";
import type { Page } from "../web/layout.ts";
import { sendFormAgain, sendPage } from "../web/page-answers.ts";
import { refusalOf } from "../web/problem-answers.ts";
import { refusalWords } from "../web/problem-page.ts";
import { callerAddress } from "../web/request-context.ts";
import { mountForm, mountGet, tokenOf } from "../web/routes.ts";
import {
  confirmPage,
  WAITLIST_PATH,
  waitlistFormPage,
  waitlistPlacePage,
} from "./pages/waitlist.ts";

/** The waitlist's pages (contract §7): a form to join without an agent, and a page for each place. */
export function mountWaitlist(app: Express, { service, edge }: Api): void {
  const { merchant, limits } = service;

  const shop = { catalog: merchant.catalog, mailing: merchant.mail.sending };

  /** The bean of a form: one that has a waitlist. */
  function beanOf(productId: string | undefined): string {
    const bean = merchant.catalog.find(productId ?? "");
    if (bean?.availability === "WAITLIST") return bean.product_id;
    throw new MerchantError("NOT_FOUND", "There is no waitlist for such a bean.");
  }

  function formPage(sent: Record<string, string>, problems: FieldProblem[]): Page {
    const values = { ...sent, bean: beanOf(sent.bean), form: sent.form ?? newNonce() };
    return waitlistFormPage({ ...shop, values, problems });
  }

  async function join(req: Request, res: Response): Promise<void> {
    const values = onceEach((req.body ?? {}) as Query);
    beanOf(values.bean);
    const read = WaitlistRequest.safeParse({
      product_id: values.bean,
      quantity: whole(values.bags ?? ""),
      buyer: { email: values.email ?? "" },
    });
    if (!read.success) {
      const problems = read.error.issues.map(({ path, message }) => wrong(path.at(-1), message));
      sendFormAgain(res, formPage(values, problems), 422);
      return;
    }
    try {
      await limits.take(["waitlist"], { address: callerAddress(req) });
      const network = limits.on ? merchant.networkPseudonym(callerAddress(req)) : null;
      const form = values.form ?? newNonce();
      const place = await merchant.waitlist.joinAsBuyer(read.data, form, network);
      res.redirect(303, place);
    } catch (error) {
      const refused = refusalOf(error);
      sendFormAgain(res, formPage(values, [inWords(refused)]), refused);
    }
  }

  /** Throws NOT_FOUND for a wrong token and for a missing place alike. */
  async function placeOf(req: Request): Promise<WaitlistPlace> {
    const place = await merchant.waitlist.place(tokenOf(req));
    if (place) return place;
    throw unknownTo("place in a queue");
  }

  const toPlace = (req: Request, res: Response) =>
    res.redirect(303, `${WAITLIST_PATH}/${tokenOf(req)}`);

  mountForm(app, edge, WAITLIST_PATH, {
    get: (req, res) => {
      const sent = onceEach(req.query as Query);
      // Beans with a waitlist link to this form.
      if (sent.bean === undefined) res.redirect(303, "/#beans");
      else sendPage(res, formPage(sent, []));
    },
    post: join,
  });

  /** The link in the first email asks once more, because mail scanners open links too. */
  async function confirmation(req: Request, press: boolean) {
    const place = await merchant.waitlist.confirm(tokenOf(req), press);
    if (place === undefined) throw unknownTo("place in a queue");
    return place;
  }

  mountForm(app, edge, `${WAITLIST_PATH}/confirm/:token`, {
    get: async (req, res) => {
      await confirmation(req, false);
      sendPage(res, confirmPage(req.path));
    },
    post: async (req, res) => res.redirect(303, await confirmation(req, true)),
  });

  mountGet(app, `${WAITLIST_PATH}/:token`, async (req, res) => {
    sendPage(res, waitlistPlacePage({ ...shop, url: req.path, ...(await placeOf(req)) }));
  });

  mountForm(app, edge, `${WAITLIST_PATH}/:token/leave`, {
    post: async (req, res) => {
      await placeOf(req);
      await merchant.waitlist.leavePlace(tokenOf(req));
      toPlace(req, res);
    },
  });

  mountGet(app, `${WAITLIST_PATH}/:token/order`, async (req, res) => {
    const { entry, hasAgent, paying, sold } = await placeOf(req);
    const canOrder = entry.status === "OFFERED" && !hasAgent && paying !== "SETTLING" && sold;
    if (!canOrder) return toPlace(req, res);
    const { checkout_url } = await merchant.quickCheckout.open({
      items: [{ product_id: entry.product_id, quantity: entry.quantity }],
      buyer_email: entry.buyer.email,
      waitlist_id: entry.id,
    });
    return res.redirect(303, checkout_url);
  });
}

function wrong(name: PropertyKey | undefined, message: string): FieldProblem {
  if (name !== "quantity") return { field: name === "email" ? name : null, message };
  return {
    field: "bags",
    message: `Enter a whole number of bags from 1 to ${LIMITS.quantity_per_line}.`,
  };
}

/** Messages for buyers; the rules write theirs for agents. */
function inWords(refused: MerchantError): FieldProblem {
  switch (refused.code) {
    case "IN_STOCK":
      return { field: "bags", message: `${refused.message} You can order it now.` };
    case "ALREADY_WAITING":
      return {
        field: "email",
        message: "This email is already on the waitlist. Open the page you got when you joined.",
      };
    default:
      return { field: null, message: refused.problems[0]?.detail ?? refusalWords(refused) };
  }
}
