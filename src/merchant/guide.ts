import type { z } from "zod";
import type { ListedProduct } from "../catalog/catalog-answer.ts";
import { playMoney } from "../core/answer.ts";
import { FIRST_ORDER } from "../core/policy.ts";
import { type PolicyAnswer, promises } from "../core/shop.ts";
import { CART_QUERY } from "../quotes/quick-checkout-query.ts";
import type { QuoteRequest } from "../quotes/quote-request.ts";
import type { AgentInfoInput } from "./agent-info.ts";
import { BY_PAGE, BY_QUOTE, buyingSteps, numbered } from "./buying.ts";

/** Guide for people who have only the address, as Markdown and as a page. */
export type Guide = ReturnType<typeof guide>;

export type Block =
  | { kind: "text"; text: string }
  | { kind: "steps" | "list"; items: string[] }
  | { kind: "code"; language: string; text: string }
  | { kind: "links"; links: { name: string; url: string; about: string }[] };

export function guide(input: AgentInfoInput, policy: PolicyAnswer["passages"]) {
  const { products } = input;
  const notice = playMoney(input.mode);
  return {
    title: input.shop.name,
    summary: `${promises(input.shop).sells} Agents quote, people pay; nothing is ordered before payment.${notice ? ` ${notice}` : ""}`,
    sections: [
      { heading: "How to buy", blocks: howToBuy(input) },
      { heading: "With one link, without a key", blocks: quickCheckout(input) },
      { heading: "Beans (prices per bag in usd)", blocks: [beans(products)] },
      { heading: "Policy", blocks: policy.map(({ topic, text }) => titled(topic, text)) },
      { heading: "More", blocks: [more(input)] },
    ],
  };
}

const titled = (title: string, text: string): Block => ({
  kind: "text",
  text: `${title}. ${text}`,
});

const howToBuy = (input: AgentInfoInput): Block[] => [
  { kind: "steps", items: buyingSteps(BY_QUOTE, "endpoints") },
  {
    kind: "text",
    text: "A complete body for POST /v1/quote-requests. gift_notes and discount_code are optional:",
  },
  { kind: "code", language: "json", text: JSON.stringify(quoteBody(input), null, 2) },
];

/** A valid body; a test sends it. */
function quoteBody({ products, firstOrderRuns }: AgentInfoInput): z.input<typeof QuoteRequest> {
  return {
    buyer: { email: "buyer@example.com" },
    shipments: [
      {
        recipient_ref: "home",
        address: {
          name: "Test Buyer",
          line1: "1 Main Street",
          line2: "Apt 2",
          city: "Austin",
          region: "TX",
          postal_code: "78701",
          country: "US",
        },
        items: [{ product_id: sold(products), quantity: 2 }],
        gift_notes: ["Good morning, and thank you."],
      },
    ],
    ...(firstOrderRuns && { discount_code: FIRST_ORDER.code }),
  };
}

const sold = (products: readonly ListedProduct[]): string =>
  (products.find(({ locked }) => !locked) ?? products[0]!).product_id;

function quickCheckout({ baseUrl, products }: AgentInfoInput): Block[] {
  const bean = sold(products);
  const note = encodeURIComponent("Good morning");
  return [
    { kind: "text", text: "Also for clients that can only GET:" },
    { kind: "steps", items: buyingSteps(BY_PAGE, "endpoints").slice(1) },
    {
      kind: "code",
      language: "text",
      text:
        `${baseUrl}/v1/quick-checkout?items=${bean}:2&gift_note=${note}&format=json\n` +
        `${baseUrl}/v1/link-orders?wait=25&checkout_url=<checkout_url, URL-encoded>`,
    },
    {
      kind: "text",
      text:
        "Without format=json the first link opens a new page for whoever clicks it; then only the address of " +
        "that page, told by the buyer, can be followed.",
    },
    {
      kind: "list",
      items: Object.entries(CART_QUERY.shape).map(
        ([name, { description }]) => `${name}: ${description}`,
      ),
    },
    {
      kind: "text",
      text: "URL-encode every value. Unrelated parameters are ignored, misspelled ones named.",
    },
    {
      kind: "text",
      text: "Quotes to several addresses, the waitlist, cancel requests and messages need POST.",
    },
  ];
}

const beans = (products: readonly ListedProduct[]): Block => ({
  kind: "list",
  items: products.map(
    (p) =>
      `${p.product_id}: ${p.name_to_use_with_humans}, ${p.price_display}${p.locked ? " (needs a finder key)" : ""}. ${p.choose_if}`,
  ),
});

const more = ({ baseUrl, offersUcp }: AgentInfoInput): Block => ({
  kind: "links",
  links: [
    {
      name: "Policy",
      url: `${baseUrl}/v1/policy`,
      about: "shipping, delivery, discounts, limits",
    },
    {
      name: "Agent info",
      url: `${baseUrl}/agent-info`,
      about: "everything in one response",
    },
    { name: "OpenAPI", url: `${baseUrl}/openapi.json`, about: "every endpoint" },
    { name: "MCP server", url: `${baseUrl}/mcp`, about: "streamable HTTP; POST only" },
    { name: "MCP server without keys", url: `${baseUrl}/mcp/shop`, about: "for hosted chats" },
    ...(offersUcp
      ? [
          {
            name: "UCP profile",
            url: `${baseUrl}/.well-known/ucp`,
            about: "Universal Commerce Protocol: search, cart and checkout, without a key",
          },
        ]
      : []),
    { name: "Errors", url: `${baseUrl}/errors`, about: "every code and what to do" },
  ],
});

/** Markdown in the form of llms.txt. */
export const guideText = ({ title, summary, sections }: Guide): string =>
  `${[
    `# ${title}`,
    `> ${summary}`,
    ...sections.flatMap(({ heading, blocks }) => [`## ${heading}`, ...blocks.map(blockText)]),
  ].join("\n\n")}\n`;

function blockText(block: Block): string {
  switch (block.kind) {
    case "text":
      return block.text;
    case "steps":
      return numbered(block.items);
    case "list":
      return block.items.map((text) => `- ${text}`).join("\n");
    case "links":
      return block.links.map(({ name, url, about }) => `- [${name}](${url}): ${about}`).join("\n");
    case "code":
      return `\`\`\`${block.language}\n${block.text}\n\`\`\``;
  }
}
