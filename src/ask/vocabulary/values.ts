/**
 * The values process, variety and roast can take: what people say, and what catalog files write.
 */
import { list } from "../text.ts";

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
    `
      natural, naturals, naturally processed, natural process, dry process, dry processed,
      sun dried, sundried, unwashed, naturel
    `,
    "natural, dry process, dry processed",
  ),
  value(
    "process",
    "honey-processed",
    `
      honey process, honey processed, honey processing, pulped natural, yellow honey, black honey,
      red honey, white honey, semi washed
    `,
    "honey, pulped natural",
  ),
  value("process", "anaerobic", "anaerobic, anaerobically, anaerobic fermentation", "anaerobic"),
  value("process", "carbonic maceration", "carbonic maceration, carbonic"),
  value("process", "wet-hulled", "wet hulled, giling basah", "wet hulled, giling basah"),
  value(
    "process",
    "water-decaffeinated",
    `
      water process, water processed, water decaf, swiss water, swiss water process,
      mountain water, decaffeinated with water
    `,
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
    `
      light roast, light roasts, light roasted, lightly roasted, blonde roast, cinnamon roast,
      blonde, light, helle rostung
    `,
  ),
  value("roast", "medium-light", "medium light, light medium", "medium light, light medium"),
  value("roast", "medium", "medium roast, medium roasts, medium roasted, medium, city roast"),
  value("roast", "medium-dark", "medium dark, full city", "medium dark"),
  value(
    "roast",
    "dark",
    `
      dark roast, dark roasts, dark roasted, darkly roasted, dark, french roast, italian roast,
      vienna roast, dunkle rostung
    `,
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
