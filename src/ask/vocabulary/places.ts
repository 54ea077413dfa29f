/**
 * Coffee countries with the other words people use for them: demonyms, other languages, old
 * spellings, famous regions. One table for all of them, so a new bean's country is understood at
 * once, and asking for one we do not sell gets a plain answer.
 */
import { list } from "../text.ts";

export const COUNTRIES: Readonly<Record<string, readonly string[]>> = {
  Bolivia: list("bolivian"),
  Brazil: list("brazilian, brasil, brasilian, brasilien, bresil"),
  Burundi: list("burundian"),
  Cameroon: list("cameroonian"),
  China: list("chinese"),
  Colombia: list(
    `
      colombian, columbia, columbian, columbien, kolumbien, kolumbianisch, kolumbianische,
      kolumbianischer, colombie, colombien, colombiano, colombiana, colombians
    `,
  ),
  "Costa Rica": list("costa rican, costarican, costarica"),
  Cuba: list("cuban"),
  "Democratic Republic of the Congo": list("congo, congolese, drc"),
  "Dominican Republic": list("dominican"),
  Ecuador: list("ecuadorian, ecuadorean"),
  "El Salvador": list("salvadoran, salvadorian, salvadorean, salvador"),
  Ethiopia: list(
    `
      ethiopian, ethiopians, ethiopie, ethiopien, athiopien, aethiopien, athiopisch, athiopische,
      etiopia, etiope, ethopia, ethopian, ethio, abyssinia
    `,
  ),
  Guatemala: list("guatemalan"),
  Haiti: list("haitian"),
  Hawaii: list("hawaiian"),
  Honduras: list("honduran"),
  India: list("indian"),
  Indonesia: list("indonesian"),
  Jamaica: list("jamaican, jamaica blue mountain"),
  Kenya: list("kenyan, kenia, kenyaa"),
  Laos: list("laotian"),
  Malawi: list("malawian"),
  Mexico: list(
    `
      mexican, mexico, mexiko, mexikanisch, mexikanische, mexique, mexicain, mexicano, mexicana,
      mejico
    `,
  ),
  Myanmar: list("burmese, burma"),
  Nepal: list("nepalese, nepali"),
  Nicaragua: list("nicaraguan"),
  Panama: list("panamanian, panamian, panamenian, panameno, panamena, chiriqui"),
  "Papua New Guinea": list("papua, new guinea, papuan, png"),
  Peru: list("peruvian, peruano, peruvien"),
  Philippines: list("philippine, filipino"),
  Rwanda: list("rwandan, rwandese"),
  "Saint Helena": list("st helena"),
  Tanzania: list("tanzanian"),
  Thailand: list("thai"),
  "Timor-Leste": list("timor, east timor, timorese"),
  Uganda: list("ugandan"),
  Venezuela: list("venezuelan"),
  Vietnam: list("vietnamese"),
  Yemen: list("yemeni, mokha, yemenite"),
  Zambia: list("zambian"),
  Zimbabwe: list("zimbabwean"),
};

/** Famous regions. Where we sell from the country but not from there, the answer says both. */
export const REGIONS: Readonly<Record<string, readonly string[]>> = {
  Brazil: list("cerrado, santos, minas gerais, mogiana"),
  Colombia: list("narino, cauca, tolima, antioquia"),
  "Costa Rica": list("tarrazu"),
  "Democratic Republic of the Congo": list("kivu"),
  Ethiopia: list("yirgacheffe, yirga, sidamo, sidama, harrar, harar, limu, kaffa, gedeo"),
  Guatemala: list("huehuetenango, atitlan"),
  India: list("monsooned malabar, malabar, chikmagalur"),
  Indonesia: list(
    "sumatra, sumatran, mandheling, sulawesi, toraja, bali, balinese, kopi luwak, luwak",
  ),
  Jamaica: list("blue mountain"),
  Kenya: list("nyeri, kirinyaga"),
  Mexico: list("oaxaca, veracruz"),
  Nicaragua: list("jinotega"),
  Peru: list("cajamarca"),
  Tanzania: list("kilimanjaro"),
  Hawaii: list("kona"),
  China: list("yunnan"),
};

/** Words for parts of the world, as the countries in them. */
export const CONTINENTS: Readonly<Record<string, readonly string[]>> = {
  africa: [
    "Burundi",
    "Cameroon",
    "Democratic Republic of the Congo",
    "Ethiopia",
    "Kenya",
    "Malawi",
    "Rwanda",
    "Tanzania",
    "Uganda",
    "Zambia",
    "Zimbabwe",
  ],
  "south america": ["Bolivia", "Brazil", "Colombia", "Ecuador", "Peru", "Venezuela"],
  "central america": [
    "Costa Rica",
    "El Salvador",
    "Guatemala",
    "Honduras",
    "Mexico",
    "Nicaragua",
    "Panama",
  ],
  "latin america": [
    "Bolivia",
    "Brazil",
    "Colombia",
    "Costa Rica",
    "Cuba",
    "Dominican Republic",
    "Ecuador",
    "El Salvador",
    "Guatemala",
    "Haiti",
    "Honduras",
    "Mexico",
    "Nicaragua",
    "Panama",
    "Peru",
    "Venezuela",
  ],
  asia: [
    "China",
    "India",
    "Indonesia",
    "Laos",
    "Myanmar",
    "Nepal",
    "Philippines",
    "Thailand",
    "Timor-Leste",
    "Vietnam",
    "Yemen",
  ],
};

/** Other words for the same continents. */
export const CONTINENT_WORDS: Readonly<Record<string, string>> = {
  african: "africa",
  "east african": "africa",
  "east africa": "africa",
  "south american": "south america",
  "central american": "central america",
  "latin american": "latin america",
  asian: "asia",
};
