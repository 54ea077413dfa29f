/** What people call the things a bean has, the ways to brew it, and the values those can take. */
import type { Subject } from "../answer.ts";
import { list } from "../text.ts";

export const SUBJECT_WORDS: Readonly<Record<Subject, readonly string[]>> = {
  origin: list(
    "origin, origins, country, countries, region, regions, from where, come from, comes from, coming from, grown, provenance, single origin, source, sourced, located, location, place, area, terroir, herkunft, woher, anbaugebiet, origen, pais, de donde, origine, pays, procedencia, part of the world",
  ),
  process: list(
    "process, processed, processing, processes, prosess, post harvest, processing method, proceso, procesado, beneficio, aufbereitung, aufbereitet, procede, traitement, fermentation, fermented, decaffeinated how, decaffeination, decaffeination method, decaf process, decaffeination process, how is it made, how was it made, how is it produced, how was it dried, dried, prepared, solvent, solvents, chemical, chemicals",
  ),
  varieties: list(
    "variety, varieties, varietal, varietals, varieta, cultivar, cultivars, kind of bean, type of bean, kind of plant, genetics, plant, plants, bean type, botanical, variedad, variedades, sorte, sorten, varietat, variete, varietes, subspecies",
  ),
  roast: list(
    "roast, roasted, roasts, roasting, roast level, roastlevel, roast degree, rost, how dark, how light, color, colour, tueste, tostado, rostung, rostgrad, gerostet, torrefaction",
  ),
  tasting_notes: list(
    "taste, tastes, tasting, tasting notes, taste like, tastes like, taste notes, note, notes, flavor, flavors, flavour, flavours, flavor profile, flavour profile, profile, aroma, aromas, smell, smells, cup profile, in the cup, palate, hints of, savor, sabor, sabe, notas, sabores, geschmack, schmeckt, gout, saveur, aromen, sabor a",
  ),
  brewing: list(
    "brew, brewing, brewed, brews, brewer, brewing advice, brewing method, brew method, prepare, preparation, how to make, how do i make, how should i make, recipe, recipes, ratio, brew ratio, dose, dosage, water temperature, temperature, temp, extraction, brew time, grams, how much coffee, extract, shot, what water, which water, best water, kind of water, soft water, tap water, grind, grind size, grinding, grinder setting, coarse, coarseness, brauen, zubereiten, zubereitung, preparar, preparacion, preparer",
  ),
  decaf: list(
    "caffeinated, regular coffee, non decaf, contain caffeine, have caffeine, has caffeine, any caffeine, with caffeine",
  ),
  choose_if: list(
    "who is it for, suited for, suited to, suits, choose it, why should i choose, why choose, good for whom",
  ),
};

/** Words that ask for a bean without caffeine. */
export const DECAF_WORDS = list(
  "decaf, decafs, decaff, decafe, decaffeinated, decaffeinato, dekaf, descafeinado, entkoffeiniert, koffeinfrei, caffeine free, caffine free, no caffeine, without caffeine, without the caffeine, zero caffeine, avoid caffeine, avoiding caffeine, cut caffeine, cut out caffeine, quit caffeine, off caffeine, caffeine sensitive, sensitive to caffeine, half caff, decaffienated, before bed, bedtime, at night, late at night, evening, after dinner, late evening, pregnant friendly, nighttime, night time",
);

/** Brewing methods by the word the merchant's file is matched with. */
export const METHOD_WORDS: Readonly<Record<string, readonly string[]>> = {
  espresso: list(
    "espresso, espressos, expresso, espreso, espresso machine, ristretto, lungo, americano, portafilter, siebtrager, super automatic",
  ),
  "pour over": list(
    "pour over, pourover, pour overs, v60, chemex, kalita, hario, hand drip, handfilter, filter, filter brew, melitta, origami, drip cone, cone dripper, dripper",
  ),
  "drip machine": list(
    "drip, drip machine, drip coffee maker, coffee maker, filter machine, batch brew, mr coffee, percolator, moccamaster",
  ),
  "french press": list(
    "french press, frenchpress, french presse, cafetiere, press pot, plunger, coffee press, presse francaise, prensa francesa, stempelkanne",
  ),
  "moka pot": list(
    "moka, moka pot, mokapot, moka express, bialetti, stovetop, stove top, mocha pot, cafetera, espressokocher, caffettiera",
  ),
  aeropress: list("aeropress, aero press, aeropres, areopress"),
  "cold brew": list(
    "cold brew, coldbrew, cold brewed, iced coffee, iced, cold coffee, cold drip, over ice, ice coffee",
  ),
  siphon: list("siphon, syphon, vacuum pot"),
  "turkish coffee": list("turkish, turkish coffee, ibrik, cezve"),
  "capsule machine": list("capsule, capsules, nespresso, keurig, k cup, k cups, pods"),
  "instant coffee": list("instant coffee, instant"),
};

export type ValueField = "process" | "varieties" | "roast";

/** A value a fact can have: how people say it, and how a catalog file may write it. */
export interface Value {
  field: ValueField;
  label: string;
  said: readonly string[];
  written: readonly string[];
}

const value = (field: ValueField, label: string, said: string, written = label): Value => ({
  field,
  label,
  said: list(said),
  written: list(written),
});

const variety = (label: string, more = ""): Value =>
  value("varieties", label, `${label.toLowerCase()}, ${more}`);

export const VALUES: readonly Value[] = [
  value(
    "process",
    "washed",
    "washed, wet processed, wet process, fully washed, lavado, lavada, gewaschen, lave",
    "washed, wet process, wet processed",
  ),
  value(
    "process",
    "natural",
    "natural, naturals, naturally processed, natural process, dry process, dry processed, sun dried, sundried, unwashed, naturel",
    "natural, dry process, dry processed",
  ),
  value(
    "process",
    "honey-processed",
    "honey process, honey processed, honey processing, pulped natural, yellow honey, black honey, red honey, white honey, semi washed",
    "honey, pulped natural",
  ),
  value("process", "anaerobic", "anaerobic, anaerobically, anaerobic fermentation", "anaerobic"),
  value("process", "carbonic maceration", "carbonic maceration, carbonic"),
  value("process", "wet-hulled", "wet hulled, giling basah", "wet hulled, giling basah"),
  value(
    "process",
    "water-decaffeinated",
    "water process, water processed, water decaf, swiss water, swiss water process, mountain water, decaffeinated with water",
    "water",
  ),
  value(
    "process",
    "sugarcane-decaffeinated",
    "sugarcane, sugar cane, ethyl acetate, ea decaf",
    "sugarcane, sugar cane, ethyl acetate",
  ),
  value("process", "CO2-decaffeinated", "co2, co2 process, carbon dioxide", "co2"),
  value(
    "roast",
    "light",
    "light roast, light roasts, light roasted, lightly roasted, blonde roast, cinnamon roast, blonde, light, helle rostung",
  ),
  value("roast", "medium-light", "medium light, light medium", "medium light, light medium"),
  value("roast", "medium", "medium roast, medium roasts, medium roasted, medium, city roast"),
  value("roast", "medium-dark", "medium dark, full city", "medium dark"),
  value(
    "roast",
    "dark",
    "dark roast, dark roasts, dark roasted, darkly roasted, dark, french roast, italian roast, vienna roast, dunkle rostung",
  ),
  variety("Geisha", "gesha, geshia, giesha, geisa, gesiha, geischa, geishas"),
  variety("Caturra"),
  variety("Castillo"),
  variety("Catuai"),
  variety("Bourbon", "pink bourbon, red bourbon, yellow bourbon, borbon"),
  variety("Typica", "tipica"),
  variety("Heirloom", "heirlooms, landrace, landraces"),
  variety("Pacamara"),
  variety("Maragogype", "maragogipe, elephant bean"),
  variety("Mundo Novo"),
  variety("SL28", "sl 28"),
  variety("SL34", "sl 34"),
  variety("Sidra"),
  variety("Catimor"),
  variety("Pacas"),
  variety("Villa Sarchi"),
  variety("Ruiru 11", "ruiru"),
  variety("Batian"),
];
