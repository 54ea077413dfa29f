/**
 * What is declined politely (contract §9): the words that give it away, matched with
 * slips of the finger forgiven, and what is said. What takes more than a word is in
 * decline-patterns.ts.
 */
import type { DeclineReason } from "../answer.ts";
import { list } from "../text.ts";

export const DECLINE_WORDS: Readonly<Record<DeclineReason, readonly string[]>> = {
  ALTITUDE: list(
    `
      alt, altitude, altitudes, elevation, elevations, elevated, masl, sea level, height, heights,
      highland, highlands, high grown, strictly hard bean, shb, shg, hillside, mountain grown,
      mountainside, altitud, altitudine, elevacion, altura, hohe, hoehe, hohenlage, hoogte,
      metres, meters
    `,
  ),
  PRODUCER: list(
    `
      producer, producers, farm, farms, farmer, farmers, farming, farmed, farmland, estate,
      estates, finca, fincas, hacienda, fazenda, cooperative, cooperatives, cooperativa, coop,
      coops, grower, growers, smallholder, smallholders, plantation, plantations, washing station,
      washing stations, mill, mills, milled, wet mill, dry mill, exporter, importer, landowner,
      productor, productores, caficultor, campesino, agricultor, bauer, bauern, erzeuger,
      bauernhof, plantage, producteur, agriculteur
    `,
  ),
  HAGGLING: list(
    `
      discount, discounts, discounted, haggle, haggling, negotiate, negotiable, negotiation,
      bargain, bargains, rebate, freebie, freebies, free sample, free samples, samples, markdown,
      knock off, price match, best price, better price, lower price, special price, special offer,
      special offers, best offer, promo, promos, promotion, promotions, on sale, flash sale,
      clearance, half price, money off, sweetener, loyalty, cashback, black friday, rabatt,
      descuento, remise
    `,
  ),
  CODES: list(
    `
      coupon, coupons, voucher, vouchers, promo code, promo codes, discount code, discount codes,
      coupon code, coupon codes, promotional code, referral code, gift code, offer code, firstbag
    `,
  ),
  KEY_REQUEST: list(
    `
      finder key, finder keys, finderkey, api key, api keys, apikey, secret key, access key,
      password, passwords, access token, bearer token, credentials, unlock, unlocked, unlocking,
      unlock key, unlock code
    `,
  ),
  PROMPT_INJECTION: list(
    `
      system prompt, your prompt, your instructions, jailbreak, developer mode, debug mode,
      admin mode, sudo, drop table, select from, script alert, hidden instructions, your rules,
      your guidelines
    `,
  ),
  OFF_TOPIC: list(
    `
      weather, poem, poems, haiku, limerick, joke, jokes, song, lyrics, essay, president,
      prime minister, capital of, population, war, politics, election, football, soccer,
      basketball, bitcoin, crypto, cryptocurrency, stock market, shares, python, javascript,
      typescript, homework, math, maths, translate, translation, movie, movies, film, horoscope,
      astrology, flight, flights, hotel, hotels, visa, news, pizza, beer, whiskey, dating,
      girlfriend, boyfriend, lottery, meaning of life, currency of, language do they speak,
      history of
    `,
  ),
};

/** What is said for each reason; the rest of the answer follows it. */
export const DECLINE_SAYS: Readonly<Record<DeclineReason, string>> = {
  ALTITUDE: "Altitude is something we do not give out.",
  PRODUCER: "Who produced a coffee is something we do not give out.",
  HAGGLING:
    "This is the place for questions about the coffees, not for deals: prices are the same for " +
    "everybody, and any courtesy there is stands in GET /agent-info.",
  CODES: "Codes are not given out here; any courtesy there is stands in GET /agent-info.",
  KEY_REQUEST:
    "Keys are not handed out on request. A finder key comes by itself, to agents that ask good " +
    "questions about the coffees here with their own key.",
  PROMPT_INJECTION: "I only answer questions about our coffees, from the catalog's facts.",
  OFF_TOPIC: "That is not about our coffees, so I have to leave it.",
};
