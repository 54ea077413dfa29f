import { moment, money } from "./format.ts";
import { flag, html, type Markup, type Renderable } from "./html.ts";
import { layout } from "./layout.ts";
import { notice, sumRow } from "./parts.ts";

/** A way to pay in the sandbox. Chosen with a radio button: there is no field for a card number. */
export interface SandboxCard {
  /** Posted as `card`. */
  value: string;
  label: string;
  /** What will happen. */
  hint: string;
}

/** The emulated provider's payment page at `{url}`. */
export interface SandboxPayView {
  /** The page's address; the form posts to `{url}/pay` with field `card`. */
  url: string;
  totalMinor: number;
  /** What the session charges for: bags, shipping, and courtesies as negative amounts. */
  lines: { name: string; quantity: number; amountMinor: number }[];
  email: string | null;
  expiresAt: string;
  cards: SandboxCard[];
  /** The card tried last; the first one where it is absent. */
  selected?: string | undefined;
  /** Why the last try failed. */
  error?: string | undefined;
  /** Back to the shop without paying. */
  cancelUrl: string;
}

/** The pretend bank's question after a card that asks for 3-D Secure. */
export interface SandboxChallengeView {
  /** Posts to `{url}/challenge` with field `outcome`: `complete` or `fail`. */
  url: string;
  totalMinor: number;
  email?: string | null | undefined;
}

/** The session cannot be paid (any more). */
export interface SandboxClosedView {
  reason: "EXPIRED" | "COMPLETE" | "PROCESSING" | "FAILED" | "UNKNOWN";
  /** Back to the shop's own page, where it is known. */
  returnUrl?: string | undefined;
}

/** Striped and loud, so that it is not taken for a place where money moves. */
function sandboxPage(title: string, body: Renderable): string {
  return layout({
    title: `Sandbox: ${title}`,
    // The frame below says it louder than the ordinary banner.
    mode: "live",
    secret: true,
    body: html`<div class="sandbox">
      <p class="sandbox-plate"><strong>SANDBOX</strong> No money moves</p>
      <div class="sandbox-paper stack">${body}</div>
    </div>`,
  });
}

export function sandboxPayPage(view: SandboxPayView): string {
  const selected = view.selected ?? view.cards[0]?.value;
  return sandboxPage(
    "payment",
    html`<h1>Pretend to pay ${money(view.totalMinor)}</h1>
    <p>This stands in for the payment provider's page. It takes no real card, charges nothing and
    ships nothing.</p>
    ${view.error ? notice("bad", "The payment failed.", html`<p>${view.error}</p>`) : null}
    <dl class="sums stack tight">
      ${view.lines.map((line) => sumRow(lineName(line), amount(line.amountMinor)))}
      ${sumRow("Total", money(view.totalMinor), "sum-total")}
    </dl>
    <dl class="small-print">
      ${view.email ? html`<div><dt>Email</dt><dd>${view.email}</dd></div>` : null}
      <div><dt>Open until</dt>
      <dd><time datetime="${view.expiresAt}">${moment(view.expiresAt)}</time></dd></div>
    </dl>
    <form class="form" method="post" action="${view.url}/pay">
      <fieldset>
        <legend>Choose a test card</legend>
        <div class="choices tiles">
          ${view.cards.map((card, index) => cardChoice(card, index, card.value === selected))}
        </div>
      </fieldset>
      <button type="submit">Pay ${money(view.totalMinor)} (pretend)</button>
    </form>
    <p><a class="quiet-link" href="${view.cancelUrl}">Cancel and go back to the shop</a></p>`,
  );
}

function lineName(line: { name: string; quantity: number }): string {
  return line.quantity === 1 ? line.name : `${line.quantity} × ${line.name}`;
}

function amount(minor: number): string {
  return minor < 0 ? `−${money(-minor)}` : money(minor);
}

function cardChoice(card: SandboxCard, index: number, checked: boolean): Markup {
  const id = `card-${index}`;
  return html`<div class="choice">
    <input type="radio" id="${id}" name="card" value="${card.value}" required
      aria-describedby="${id}-hint"${flag("checked", checked)}>
    <label for="${id}">${card.label}</label>
    <p class="hint" id="${id}-hint">${card.hint}</p>
  </div>`;
}

export function sandboxChallengePage(view: SandboxChallengeView): string {
  return sandboxPage(
    "bank check",
    html`<h1>Is it really you?</h1>
    <p>The pretend bank asks ${view.email || "you"} to approve ${money(view.totalMinor)} (3-D Secure).</p>
    <form class="form tiles" method="post" action="${view.url}/challenge">
      <button type="submit" name="outcome" value="complete">Approve</button>
      <button type="submit" name="outcome" value="fail" class="quiet">Refuse</button>
    </form>`,
  );
}

const CLOSED: Record<SandboxClosedView["reason"], { title: string; text: string }> = {
  EXPIRED: {
    title: "This payment page has expired",
    text: "Go back to the shop and start the payment again.",
  },
  COMPLETE: { title: "This is already paid", text: "There is nothing more to do here." },
  PROCESSING: {
    title: "The bank debit is on its way",
    text: "It settles later. Until then there is nothing more to do here.",
  },
  FAILED: {
    title: "The bank debit failed",
    text: "Go back to the shop and start the payment again.",
  },
  UNKNOWN: { title: "No such payment", text: "The address is not complete, or it is too old." },
};

export function sandboxClosedPage(view: SandboxClosedView): string {
  const { title, text } = CLOSED[view.reason];
  return sandboxPage(
    "payment",
    html`<h1>${title}</h1>
    <p>${text}</p>
    <p><a class="button" href="${view.returnUrl ?? "/"}">Back to the shop</a></p>`,
  );
}
