import { money, moneyOff } from "./format.ts";
import { flag, html, type Markup, type Renderable } from "./html.ts";
import type { Page } from "./layout.ts";
import { notice, sumRow, time } from "./parts.ts";

/** The emulated provider's payment page at `{url}`. */
export interface SandboxPayView {
  /** The page's address; the form posts to `{url}/pay` with field `card`. */
  url: string;
  amountMinor: number;
  lines: { name: string; quantity: number; amountMinor: number }[];
  /** What a courtesy takes off. */
  discountMinor: number;
  email: string | null;
  expiresAt: number;
  /** Chosen with a radio button, posted as `card`: there is no field for a card number. */
  methods: { value: string; label: string; hint: string }[];
  /** Why the last try failed. */
  lastError: string | null;
  /** Back to the shop without paying. */
  cancelUrl: string;
}

/** Striped and loud, so that it is not taken for a place where money moves. */
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

export function sandboxPayPage(view: SandboxPayView): Page {
  return sandboxPage(
    "payment",
    html`<h1>Pretend to pay ${money(view.amountMinor)}</h1>
    <p>This stands in for the payment provider's page. It takes no real card, charges nothing and
    ships nothing.</p>
    ${view.lastError && notice("bad", "The payment failed.", html`<p>${view.lastError}</p>`)}
    <dl class="sums stack tight">
      ${view.lines.map((line) => sumRow(lineName(line), money(line.amountMinor)))}
      ${view.discountMinor > 0 && sumRow("Courtesy", moneyOff(view.discountMinor))}
      ${sumRow("Total", money(view.amountMinor), "sum-total")}
    </dl>
    <dl class="small-print">
      ${view.email && html`<div><dt>Email</dt><dd>${view.email}</dd></div>`}
      <div><dt>Open until</dt>
      <dd>${time(view.expiresAt)}</dd></div>
    </dl>
    <form class="form" method="post" action="${view.url}/pay">
      <fieldset>
        <legend>Choose a test card</legend>
        <div class="choices tiles">
          ${view.methods.map(cardChoice)}
        </div>
      </fieldset>
      <button type="submit">Pay ${money(view.amountMinor)} (pretend)</button>
    </form>
    <p><a class="quiet-link" href="${view.cancelUrl}">Cancel and go back to the shop</a></p>`,
  );
}

function lineName(line: { name: string; quantity: number }): string {
  return line.quantity === 1 ? line.name : `${line.quantity} × ${line.name}`;
}

function cardChoice(card: SandboxPayView["methods"][number], index: number): Markup {
  const id = `card-${index}`;
  return html`<div class="choice">
    <input type="radio" id="${id}" name="card" value="${card.value}" required
      aria-describedby="${id}-hint"${flag("checked", index === 0)}>
    <label for="${id}">${card.label}</label>
    <p class="hint" id="${id}-hint">${card.hint}</p>
  </div>`;
}

/** The pretend bank's question after a card that asks for 3-D Secure: `complete` or `fail`. */
export function sandboxChallengePage(
  view: Pick<SandboxPayView, "url" | "amountMinor" | "email">,
): Page {
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
    text: "Go back to the shop and start the payment again.",
  },
  paid: { title: "This is already paid", text: "There is nothing more to do here." },
  processing: {
    title: "The bank debit is on its way",
    text: "It settles later. Until then there is nothing more to do here.",
  },
  failed: {
    title: "The bank debit failed",
    text: "Go back to the shop and start the payment again.",
  },
  unknown: { title: "No such payment", text: "The address is not complete, or it is too old." },
};

/** The session cannot be paid (any more). */
export function sandboxClosedPage(status: keyof typeof CLOSED, returnUrl = "/"): Page {
  const { title, text } = CLOSED[status];
  return sandboxPage(
    "payment",
    html`<h1>${title}</h1>
    <p>${text}</p>
    <p><a class="button" href="${returnUrl}">Back to the shop</a></p>`,
  );
}
