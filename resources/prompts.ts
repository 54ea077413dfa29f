import type { Prompt } from "../src/api/resource.ts";
import { LIMITS } from "../src/core/policy.ts";

const CLOSE =
  "Show me the exact total, and once I agree, give me the review link. I pay there myself.";

export const buyCoffee: Prompt = {
  name: "buy_coffee",
  title: "Buy coffee",
  description: "Choose beans for yourself and get an exact price with the link to pay.",
  arguments: [
    {
      name: "product_id",
      description: "A bean you know you want. Leave out to be advised.",
      required: false,
    },
    { name: "bags", description: "How many 8 oz bags.", required: false },
    { name: "taste", description: "What you like, or how you brew.", required: false },
  ],
  write: ({ product_id, bags, taste }) =>
    [
      product_id
        ? `I want to buy ${bags || "one or more"} bags (8 oz each) of the bean "${product_id}" from the coffee merchant.`
        : `I want to buy ${bags ? `${bags} bags (8 oz each) of ` : ""}coffee from the coffee merchant. Read the catalog and advise me.`,
      taste ? `What I like: ${taste}.` : "",
      "Ask me for what is missing, such as my email and US shipping address.",
      CLOSE,
    ]
      .filter(Boolean)
      .join(" "),
};

export const sendAGift: Prompt = {
  name: "send_a_gift",
  title: "Send coffee as a gift",
  description:
    "Send bags to one or more people, with a handwritten note in each, and get the link to pay.",
  arguments: [
    { name: "recipients", description: "Who gets it, and where in the US.", required: true },
    {
      name: "product_id",
      description: "The bean to give. Leave out to be advised.",
      required: false,
    },
    { name: "occasion", description: "What it is for.", required: false },
    {
      name: "note",
      description: `The gift note, at most ${LIMITS.gift_note_characters} characters.`,
      required: false,
    },
  ],
  write: ({ recipients, product_id, occasion, note }) =>
    [
      `I want to send coffee from the coffee merchant as a gift to: ${recipients}.`,
      occasion ? `The occasion: ${occasion}.` : "",
      product_id ? `The bean: "${product_id}".` : "Read the catalog and suggest a bean.",
      note
        ? `The handwritten note for each bag: "${note}".`
        : `Suggest a gift note of at most ${LIMITS.gift_note_characters} characters for each bag.`,
      "One shipment per address. Ask me for what is missing, such as full US addresses and my email.",
      CLOSE,
    ]
      .filter(Boolean)
      .join(" "),
};
