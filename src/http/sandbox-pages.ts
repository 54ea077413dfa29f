import type { Express, Request, Response } from "express";
import type { SandboxBuyer, SandboxPayResult, SandboxView } from "../payments/sandbox/buyer.ts";
import { fieldIn } from "./body.ts";
import { mountForm, PageRefusal, sendPage } from "./page-answers.ts";
import { sandboxChallengePage, sandboxClosedPage, sandboxPayPage } from "./pages/sandbox.ts";
import { type HttpContext, mountGet, seeOther } from "./request-context.ts";

/**
 * The emulated provider's hosted payment page (contract §16): test cards as radio buttons, no field
 * for a card number, usable without JavaScript and from curl.
 */
export function mountSandbox(app: Express, buyer: SandboxBuyer, edge: HttpContext): void {
  const path = "/sandbox/checkout/:session";
  const session = (req: Request) => String(req.params.session);

  mountGet(app, path, async (req, res) => show(res, req.path, await buyer.view(session(req))));

  mountForm(app, edge, `${path}/pay`, {
    post: async (req, res) => {
      follow(res, await buyer.pay(session(req), fieldIn(req.body, "card")));
    },
  });

  mountForm(app, edge, `${path}/challenge`, {
    post: async (req, res) => {
      const complete = req.body?.outcome === "complete";
      follow(res, await buyer.completeChallenge(session(req), complete));
    },
  });
}

const noSuchSession = (): PageRefusal =>
  new PageRefusal("There is no such payment page.", sandboxClosedPage("unknown"));

function follow(res: Response, result: SandboxPayResult | null): void {
  if (!result) throw noSuchSession();
  seeOther(res, result.redirectTo);
}

function show(res: Response, url: string, view: SandboxView | null): void {
  if (!view) throw noSuchSession();
  const { status, cancelUrl, successUrl } = view;
  if (status === "open") {
    const page = view.awaiting3ds ? sandboxChallengePage : sandboxPayPage;
    sendPage(res, page({ ...view, url }));
    return;
  }
  const unpaid = status === "expired" || status === "failed";
  sendPage(res, sandboxClosedPage(status, unpaid ? cancelUrl : successUrl));
}
