import { money } from "./format.ts";
import { html, type Markup } from "./html.ts";

/** A bean of the catalog, as people see it. */
export interface BeanView {
  productId: string;
  /** The name to use with humans. */
  name: string;
  priceMinor: number;
  roastLevel: string;
  summary: string;
  chooseIf: string;
  decaf: boolean;
  availability: "STOCKED" | "WAITLIST" | "EXCLUSIVE";
  /** None on the shelf right now. */
  soldOut?: boolean | undefined;
}

/** The Geisha is always locked in a link: a finder key travels in no address (contract §10). */
export function inQuickCheckout(bean: BeanView): boolean {
  return bean.availability !== "EXCLUSIVE";
}

function availabilityNote(bean: BeanView): string | null {
  if (bean.availability === "EXCLUSIVE") return "Finder key needed";
  if (bean.availability === "WAITLIST") {
    return bean.soldOut ? "Sold out, waitlist open" : "Waitlist bean";
  }
  return bean.soldOut ? "Sold out for now" : null;
}

export function beanCard(bean: BeanView): Markup {
  const note = availabilityNote(bean);
  const locked = bean.availability === "EXCLUSIVE";
  return html`<li class="bean">
    <img src="/assets/coffee.jpg" alt="" width="96" height="96" loading="lazy">
    <div class="bean-text">
      <h3>${bean.name}</h3>
      <p class="bean-line"><span class="amount">${money(bean.priceMinor)}</span>
        <span>${bean.roastLevel} roast${bean.decaf ? ", decaf" : ""}</span></p>
      ${note ? html`<p><span class="chip">${note}</span></p>` : null}
      <p>${bean.summary}</p>
      <p class="hint">${bean.chooseIf}</p>
      ${locked ? html`<p class="hint">An agent earns the key with good questions.</p>` : null}
      <p class="hint">Id: <span class="code">${bean.productId}</span></p>
    </div>
  </li>`;
}
