/** What people call the things a bean has, and the ways to brew it. */
import type { Subject } from "../answer.ts";
import { list } from "../text.ts";

export const SUBJECT_WORDS: Readonly<Record<Subject, readonly string[]>> = {
  origin: list(
    `
      origin, origins, country, countries, region, regions, from where, come from, comes from,
      coming from, grown, provenance, single origin, source, sourced, located, location, place,
      area, what town, which town, the town, what city, which city, what province,
    which province, terroir, herkunft, woher, anbaugebiet, origen, pais, de donde,
      origine, pays, procedencia, part of the world
    `,
  ),
  process: list(
    `
      process, processed, processing, processes, prosess, post harvest, processing method,
      proceso, procesado, beneficio, aufbereitung, aufbereitet, procede, traitement, fermentation,
      fermented, how is it made, how was it made, how is it produced, how was it dried, dried,
      prepared, solvent, solvents, chemical, chemicals
    `,
  ),
  varieties: list(
    `
      variety, varieties, varietal, varietals, varieta, cultivar, cultivars, kind of bean,
      type of bean, kind of plant, genetics, plant, plants, bean type, botanical, variedad,
      variedades, sorte, sorten, varietat, variete, varietes, subspecies
    `,
  ),
  roast: list(
    `
      roast, roasted, roasts, roasting, roast level, roastlevel, roast degree, rost, how dark,
      how light, color, colour, tueste, tostado, rostung, rostgrad, gerostet, torrefaction
    `,
  ),
  tasting_notes: list(
    `
      taste, tastes, tasting, tasting notes, taste like, tastes like, taste notes, note, notes,
      flavor, flavors, flavour, flavours, flavor profile, flavour profile, profile, aroma, aromas,
      smell, smells, nose, cup profile, in the cup, palate, hints of, savor, sabor, sabe, notas,
      sabores, geschmack, schmeckt, gout, saveur, aromen, sabor a
    `,
  ),
  brewing: list(
    `
      brew, brewing, brewed, brews, brewer, brewing advice, brewing method, brew method, prepare,
      preparation, how to make, how do i make, how should i make, recipe, recipes, ratio,
      brew ratio, dose, dosage, water temperature, temperature, temp, extraction, brew time,
      grams, how much coffee, extract, shot, what water, which water, best water, kind of water,
      soft water, tap water, grind, grind size, grinding, grinder setting, coarse, coarseness,
      brauen, zubereiten, zubereitung, preparar, preparacion, preparer
    `,
  ),
  decaf: list(
    `
      caffeinated, regular coffee, non decaf, contain caffeine, have caffeine, has caffeine,
      any caffeine, with caffeine
    `,
  ),
  choose_if: list(
    `
      who is it for, suited for, suited to, suits, choose it, why should i choose, why choose,
      good for whom
    `,
  ),
};

/** Words that ask for a bean without caffeine. */
export const DECAF_WORDS = list(
  `
    decaf, decafs, decaff, decafe, decaffeinated, decaffeination, decaffeinating, decaffeinate,
    decaffeinato, dekaf, descafeinado, entkoffeiniert, koffeinfrei, caffeine free, caffine free,
    no caffeine, without caffeine, without the caffeine, zero caffeine, avoid caffeine,
    avoiding caffeine, cut caffeine, cut out caffeine, quit caffeine, off caffeine,
    caffeine sensitive, sensitive to caffeine, half caff, decaffienated, before bed, bedtime,
    at night, late at night, evening, after dinner, late evening, pregnant friendly, nighttime,
    night time
  `,
);

/** Brewing methods by the word the merchant's file is matched with. */
export const METHOD_WORDS: Readonly<Record<string, readonly string[]>> = {
  espresso: list(
    `
      espresso, espressos, expresso, espreso, espresso machine, ristretto, lungo, americano,
      portafilter, siebtrager, super automatic
    `,
  ),
  "pour over": list(
    `
      pour over, pourover, pour overs, v60, chemex, kalita, hario, hand drip, handfilter, filter,
      filter brew, melitta, origami, drip cone, cone dripper, dripper
    `,
  ),
  "drip machine": list(
    `
      drip, drip machine, drip coffee maker, coffee maker, filter machine, batch brew, mr coffee,
      percolator, moccamaster
    `,
  ),
  "french press": list(
    `
      french press, frenchpress, french presse, cafetiere, press pot, plunger, coffee press,
      presse francaise, prensa francesa, stempelkanne
    `,
  ),
  "moka pot": list(
    `
      moka, moka pot, mokapot, moka express, bialetti, stovetop, stove top, mocha pot, cafetera,
      espressokocher, caffettiera
    `,
  ),
  aeropress: list("aeropress, aero press, aeropres, areopress"),
  "cold brew": list(
    `
      cold brew, coldbrew, cold brewed, iced coffee, iced, cold coffee, cold drip, over ice,
      ice coffee
    `,
  ),
  siphon: list("siphon, syphon, vacuum pot"),
  "turkish coffee": list("turkish, turkish coffee, ibrik, cezve"),
  "capsule machine": list("capsule, capsules, nespresso, keurig, k cup, k cups, pods"),
  "instant coffee": list("instant coffee, instant"),
};
