import type { Product } from "../../domain/catalog/catalog.ts";
import { money } from "./format.ts";
import { html, type Markup } from "./html.ts";
import type { Prices } from "./parts.ts";

/** A purchase as it goes, of a bean and for a total that are true here. */
export interface SamplePurchase {
  product: Product;
  bags: number;
  pricing: Prices;
}

/** What a person and their agent say to each other. */
function said({ product, bags, pricing }: SamplePurchase, baseUrl: string) {
  const notes = product.facts.tasting_notes.slice(0, 3);
  const { shipping_minor, total_minor } = pricing;
  const shipping =
    shipping_minor === 0 ? "shipping is free" : `${money(shipping_minor)} of it shipping`;
  return [
    { by: "you", text: `My sister likes ${notes[0] ?? "good coffee"}. Send her something?` },
    {
      by: "agent",
      text:
        `${product.name_to_use_with_humans} from Coffee Merchant would suit her: ${notes.join(", ")}. ` +
        `${bags} bags come to ${money(total_minor)}, ${shipping}. Shall a note go with them?`,
    },
    { by: "you", text: "“For slow Sundays. Love, M.” Same address as last time." },
    {
      by: "agent",
      text: `It is ready. Nothing is ordered until you have looked at it and paid: ${baseUrl}/review/…`,
    },
  ];
}

export const conversation = (
  sample: SamplePurchase,
  baseUrl: string,
): Markup => html`<figure class="talk stack">
    <ol class="stack">
      ${said(sample, baseUrl).map(
        ({ by, text }) => html`<li class="said said-${by}">
        <span class="unseen">${by === "you" ? "You: " : "Your agent: "}</span>${text}</li>`,
      )}
    </ol>
    <figcaption class="hint">A purchase in four sentences. You paid; your agent did the rest.</figcaption>
  </figure>`;
