import { html, type Markup } from "./html.ts";

/** One thing that was said between a person and their agent. */
interface Said {
  by: "you" | "agent";
  text: string;
}

/** A purchase as it goes, with a bean and a total that are true here. */
export interface ConversationView {
  bean: string;
  notes: readonly string[];
  bags: number;
  total: string;
  /** "shipping is free" or "$10.00 of it shipping". */
  shipping: string;
  /** Where the agent says that the order is to be reviewed. */
  reviewUrl: string;
}

const said = (view: ConversationView): Said[] => [
  { by: "you", text: `My sister likes ${view.notes[0] ?? "good coffee"}. Send her something?` },
  {
    by: "agent",
    text:
      `${view.bean} from Coffee Merchant would suit her: ${view.notes.join(", ")}. ` +
      `${view.bags} bags come to ${view.total}, ${view.shipping}. Shall a note go with them?`,
  },
  { by: "you", text: "“For slow Sundays. Love, M.” Same address as last time." },
  {
    by: "agent",
    text: `It is ready. Nothing is ordered until you have looked at it and paid: ${view.reviewUrl}`,
  },
];

export const conversation = (view: ConversationView): Markup => html`<figure class="talk stack">
    <ol class="stack">
      ${said(view).map(
        ({ by, text }) => html`<li class="said said-${by}">
        <span class="unseen">${by === "you" ? "You: " : "Your agent: "}</span>${text}</li>`,
      )}
    </ol>
    <figcaption class="hint">A purchase in four sentences. You paid; your agent did the rest.</figcaption>
  </figure>`;
