import type { Express, Request, Response } from "express";
import type { Api } from "../api/api.ts";
import { bareToken } from "../core/ids.ts";
import type { SandboxBuyer, SandboxPayResult, SandboxView } from "../payments/sandbox/buyer.ts";
import { fieldIn } from "../web/body.ts";
import { money, moneyOff } from "../web/format.ts";
import { html, type Markup, type Renderable } from "../web/html.ts";
import type { Page } from "../web/layout.ts";
import { PageRefusal, sendPage } from "../web/page-answers.ts";
import { notice, sumRow } from "../web/parts.ts";
import { callerAddress } from "../web/request-context.ts";
import { mountForm, mountGet } from "../web/routes.ts";

/** The emulated provider's payment page (contract §16). It has test cards and no field for a card number. */
export function mountSandbox(app: Express, buyer: SandboxBuyer, { service, edge }: Api): void {
  const path = "/sandbox/checkout/:session";
  const session = (req: Request) => bareToken(String(req.params.session));
  const meter = (req: Request) => {
    const caller = { own: `session ${session(req)}`, address: callerAddress(req) };
    return service.limits.charge({ presses: 1 }, caller);
  };

  mountGet(app, path, async (req, res) => show(res, req.path, await buyer.view(session(req))));

  mountForm(app, edge, `${path}/pay`, {
    post: async (req, res) => {
      meter(req);
      follow(res, await buyer.pay(session(req), fieldIn(req.body, "card")));
    },
  });

  mountForm(app, edge, `${path}/challenge`, {
    post: async (req, res) => {
      meter(req);
      const complete = req.body?.outcome === "complete";
      follow(res, await buyer.completeChallenge(session(req), complete));
    },
  });
}

const noSuchSession = (): PageRefusal =>
  new PageRefusal("There is no such payment page.", sandboxClosedPage("unknown"));

function follow(res: Response, result: SandboxPayResult | null): void {
  if (!result) throw noSuchSession();
  res.redirect(303, result.redirectTo);
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

/** `url`: the page's own address. */
export type OpenSession = SandboxView & { url: string };

/** Striped and loud, so that nobody takes it for a real payment page. */
function sandboxPage(title: string, body: Renderable): Page {
  return {
    title: `Sandbox: ${title}`,
    bannerless: true,
    head: null,
    body: html`<div class="sandbox">
      <p class="sandbox-plate"><strong>SANDBOX</strong> No money moves</p>
      <div class="sandbox-paper stack">${body}</div>
    </div>`,
  };
}

function sandboxPayPage(view: OpenSession): Page {
  return sandboxPage(
    "payment",
    html`<h1>Pretend to pay ${money(view.amountMinor)}</h1>
    <p>This stands in for the payment provider’s page. It takes no real card, charges nothing and
    ships nothing.</p>
    ${view.lastError && notice("bad", "The payment failed.", html`<p>${view.lastError}</p>`)}
    <dl class="sums stack tight">
      ${view.lines.map(({ name, quantity, amountMinor }) =>
        sumRow(quantity === 1 ? name : `${quantity} × ${name}`, money(amountMinor)),
      )}
      ${view.discountMinor > 0 && sumRow("Discount", moneyOff(view.discountMinor))}
      ${sumRow("Total", money(view.amountMinor), "sum-total")}
    </dl>
    ${view.email && html`<dl class="small-print"><div><dt>Email</dt><dd>${view.email}</dd></div></dl>`}
    <form class="form" method="post" action="${view.url}/pay">
      <fieldset>
        <legend>Choose a test card</legend>
        <div class="choices tiles">
          ${view.methods.map(cardChoice)}
        </div>
      </fieldset>
      <button type="submit">Pay ${money(view.amountMinor)} (pretend)</button>
      ${view.submitMessage && html`<p class="hint">${view.submitMessage}</p>`}
    </form>
    <p><a class="quiet-link" href="${view.cancelUrl}">Cancel and go back to the shop</a></p>`,
  );
}

function cardChoice(card: SandboxView["methods"][number], index: number): Markup {
  const id = `card-${index}`;
  return html`<div class="choice">
    <input type="radio" id="${id}" name="card" value="${card.value}" required
      aria-describedby="${id}-hint"${index === 0 && html` checked`}>
    <label for="${id}">${card.label}</label>
    <p class="hint" id="${id}-hint">${card.hint}</p>
  </div>`;
}

function sandboxChallengePage(view: OpenSession): Page {
  return sandboxPage(
    "bank check",
    html`<h1>Is it really you?</h1>
    <p>The pretend bank asks ${view.email || "you"} to approve ${money(view.amountMinor)} (3-D Secure).</p>
    <form class="form tiles" method="post" action="${view.url}/challenge">
      <button type="submit" name="outcome" value="complete">Approve</button>
      <button type="submit" name="outcome" value="fail" class="quiet">Refuse</button>
    </form>`,
  );
}

const CLOSED = {
  expired: {
    title: "This payment page has expired",
    text: "Go back to the shop. Its page says how your order stands.",
  },
  paid: { title: "This is already paid", text: "There’s nothing more to do here." },
  processing: {
    title: "The bank debit is on its way",
    text: "It settles later. There’s nothing more to do here.",
  },
  canceled: {
    title: "This payment was canceled",
    text: "Nothing was charged. There’s nothing more to do here.",
  },
  failed: {
    title: "The bank debit failed",
    text: "Go back to the shop and start the payment again.",
  },
  unknown: { title: "No such payment", text: "The address is incomplete or too old." },
};

export function sandboxClosedPage(status: keyof typeof CLOSED, returnUrl = "/"): Page {
  const { title, text } = CLOSED[status];
  return sandboxPage(
    "payment",
    html`<h1>${title}</h1>
    <p>${text}</p>
    <p><a class="button" href="${returnUrl}">Back to the shop</a></p>`,
  );
}
