/**
 * What people also ask that is no fact of a bean. Either another place answers it (`see`), or
 * nobody here knows (`unknown`): then the answer says so plainly (contract §9).
 */
import { list } from "../text.ts";

export interface Topic {
  asked: readonly string[];
  says: string;
}

const CATALOG = "GET /v1/catalog (tool get_catalog)";

export const TOPICS = {
  price: {
    asked: list(
      `
        price, prices, pricing, priced, pricey, cost, costs, how much is, how much are,
        how much does, how much do, how much for, expensive, cheap, cheapest, least expensive,
        most expensive, affordable, budget, dollars, usd, bucks, worth it, precio, cuanto cuesta,
        preis, kostet, prix
      `,
    ),
    says: `Prices are in the catalog: ${CATALOG}.`,
  },
  stock: {
    asked: list(
      `
        stock, in stock, out of stock, sold out, available, availability, how many bags,
        bags left, left in stock, inventory, restock, back in stock
      `,
    ),
    says: `Which beans are on offer is in the catalog, ${CATALOG}, and a quote checks the stock.`,
  },
  rules: {
    asked: list(
      `
        shipping, ship, ships, shipped, free shipping, free delivery, deliver, delivery,
        delivered, delivery time, arrive, arrives, arrival, postage, policy, policies, refund,
        refunds, return, returns, returning, send back, cancel, cancellation, money back, payment,
        pay, pay with, credit card, paypal, apple pay, gift note, gift notes, gift message,
        gift wrap, handwritten note, bulk, wholesale, waitlist, waiting list, wait list, courtesy,
        courtesies, subscription, subscribe, subscriptions, track, tracking, my order,
        where is my order, canada, europe, international, internationally, abroad, support,
        contact, customer service, phone number, terms, privacy, tax, taxes, invoice
      `,
    ),
    says: "Ordering, shipping, payment and the other rules are in GET /agent-info.",
  },
  ordering: {
    asked: list(
      "order, orders, ordering, buy, buying, purchase, checkout, quick checkout, quote, quotes",
    ),
    says: "How to order is in GET /agent-info.",
  },
  bag: {
    asked: list(
      `
        bag size, how big, size of the bag, size of a bag, bag weight, weight, ounces, oz,
        whole bean, whole beans, ground coffee, pre ground, preground, already ground,
        grind it for me, do you grind, can you grind, grind the coffee, grind my, grind them,
        come ground, how many cups, bag sizes, kilo, 8 oz, 12 oz
      `,
    ),
    says:
      "All our coffee is whole bean in 8 oz bags; the bags and their prices are in the " +
      `catalog: ${CATALOG}.`,
  },
  about: {
    asked: list(
      `
        who are you, what are you, are you a bot, what model are you, which model, who made you,
        who built you, who created you, are you human, are you an ai, are you real,
        how old are you, your name, about you, about your company, about the shop, your shop,
        your company, roastery, roaster, who roasts, who sells
      `,
    ),
    says:
      "This is the shop's question desk: it answers from the catalog's facts alone. Who we " +
      "are is in GET /agent-info.",
  },
  picture: {
    asked: list(
      "picture, pictures, photo, photos, image, images, look like, looks like, packaging",
    ),
    says: `The product image is linked in the catalog: ${CATALOG}.`,
  },
  caffeine: {
    asked: list(
      `
        how much caffeine, caffeine content, caffeine level, most caffeine, least caffeine,
        more caffeine, less caffeine, highest caffeine, caffeine, caffine, caffein, cafeine,
        koffein, cafeina, mg of caffeine, milligrams, caffeine mg, jitters
      `,
    ),
    says:
      "How much caffeine a cup holds is not among our facts; they only say whether a bean " +
      "is decaf.",
  },
  certificate: {
    asked: list(
      `
        organic, organically, bio, fair trade, fairtrade, rainforest alliance, utz, certified,
        certification, certifications, certificate, kosher, halal, demeter, biodynamic,
        bird friendly, shade grown, sustainable, sustainably, sustainability, ethical, ethically,
        direct trade, carbon neutral, eco friendly, pesticides, pesticide, gmo, non gmo,
        child labor, child labour
      `,
    ),
    says: "Certifications and growing standards are not among our facts, so I cannot say.",
  },
  date: {
    asked: list(
      `
        harvest, harvested, harvest date, crop year, crop, picked when, when was it picked,
        roast date, roasted on, when was it roasted, when is it roasted, how fresh, fresh,
        freshness, freshly, expire, expires, expiry, expiration, best before, best by, shelf life,
        keep fresh, stay fresh, how long does it last, how long does it keep, go bad, store it,
        storage, storing, freeze, freezer, how old
      `,
    ),
    says:
      "Harvest and roast dates and storage are not among our facts; every order is roasted " +
      "after it is placed.",
  },
  score: {
    asked: list(
      `
        score, scores, cupping score, cupping scores, q grade, sca score, points, rating, ratings,
        review, reviews, award, awards, popular, most popular, best seller, bestseller,
        best selling, bestselling, favourite, favorite, rank, grade, competition
      `,
    ),
    says: "Scores, ratings and sales ranks are not among our facts.",
  },
  health: {
    asked: list(
      `
        healthy, healthier, healthiest, health, pregnant, pregnancy, breastfeeding, anxiety,
        blood pressure, diabetes, diabetic, medication, doctor, medical, calories, calorie,
        nutrition, nutritional, allergen, allergens, allergy, allergic, gluten, vegan,
        antioxidants, keto, mold, mycotoxin, mycotoxins, side effects, weight loss
      `,
    ),
    says:
      "       Health and nutrition are not among our facts,       so I cannot advise on " +
      "them; tasting notes are flavours, not ingredients.",
  },
  species: {
    asked: list("arabica, robusta, species, liberica, canephora"),
    says: "Our facts name the varieties but not the species.",
  },
  bitterness: {
    asked: list(
      `
        bitter, bitterness, bitterer, bitterest, astringent, astringency, aftertaste, finish,
        mouthfeel, how long is the finish
      `,
    ),
    says:
      "Bitterness and finish are not rated in our facts; roast and tasting notes are what " +
      "they hold.",
  },
  meaning: {
    asked: list("mean, means, meaning, definition, define, pronounce, pronunciation"),
    says: "What words mean is not among our facts; which coffees they fit is.",
  },
  pairing: {
    asked: list("pair, pairs, paired, pairing, pairings, food, cake, croissant, cookies, cheese"),
    says: "Food pairings are not among our facts.",
  },
  growing: {
    asked: list(
      `
        soil, climate, rainfall, volcanic, sunshine, shade, in the shade, microclimate, latitude,
        lot number, microlot, micro lot, nano lot, batch number, moisture, density, screen size,
        defects, ph, ph level, tds, agtron, water hardness, brix
      `,
    ),
    says: "Growing conditions, lots and lab figures are not among our facts.",
  },
  goods: {
    asked: list(
      `
        tea, teas, matcha, mug, mugs, grinder, grinders, equipment, merch, tshirt, t shirt, chai,
        hot chocolate, syrups, gift card, gift cards, filters, paper filters, blend, blends,
        sampler, sample pack
      `,
    ),
    says: "We sell only the single-origin coffees in our catalog, nothing else.",
  },
} as const satisfies Record<string, Topic>;

export type TopicName = keyof typeof TOPICS;
