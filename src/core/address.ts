import { z } from "zod";
import {
  alsoSpelled,
  type Bounded,
  field,
  inOneLine,
  line,
  maybeLine,
  text,
  trimmed,
  withOtherProblems,
} from "./fields.ts";
import { SHIPS_TO_US } from "./input-problems.ts";
import { LIMITS } from "./policy.ts";

const isZip = (value: unknown): value is string =>
  typeof value === "string" && /^\d{5}(-\d{4})?$/.test(value);

const isRegion = (value: unknown): value is string =>
  typeof value === "string" && Object.hasOwn(US_REGIONS, value);

const Region = text({
  what: "The state",
  most: 60,
  clean: (value) => regionCode(value) ?? value,
  rules: [
    inOneLine,
    (value) =>
      isRegion(value)
        ? null
        : 'Not a US region: a USPS code such as "CA", "DC" or "PR", or its full name.',
  ],
}).describe("USPS code or name.");

const NOT_A_ZIP = 'Not a ZIP code; it should look like "94107" or "94107-1234".';

/** ZIP and ZIP+4 with or without a dash. Spreadsheets and programs drop a leading zero. */
function zipIn(typed: string): string {
  const zip = trimmed(typed);
  const [, five = "", four] = /^(\d{4,5})(?:[\s\p{Pd}]?(\d{4}))?$/u.exec(zip) ?? [];
  return five === "" ? zip : `${five.padStart(5, "0")}${four === undefined ? "" : `-${four}`}`;
}

export const ZipCode = alsoSpelled(
  text({
    what: "The ZIP code",
    most: 20,
    clean: zipIn,
    rules: [inOneLine, (value) => (isZip(value) ? null : NOT_A_ZIP)],
  }),
  (value) => (Number.isSafeInteger(value) ? String(value).padStart(5, "0") : value),
);

/** Any text in the schema, so that a strict client can send a foreign country and is told where we ship. */
const Country = text({
  what: "The country",
  most: 60,
  clean: (value) => (isUnitedStates(value) ? "US" : value),
  rules: [inOneLine, (value) => (value === "US" ? null : SHIPS_TO_US)],
}).meta({ default: "US" }) as z.ZodType<"US", string>;

const isUnitedStates = (country: string): boolean =>
  ["US", "USA", "UNITEDSTATES", "UNITEDSTATESOFAMERICA", "THEUNITEDSTATES"].includes(
    letters(country),
  );

const Fields = z
  .strictObject({
    name: line("The recipient's name", LIMITS.name_characters),
    line1: line("The street address", LIMITS.street_characters),
    line2: maybeLine("The second line", LIMITS.street_characters).optional(),
    city: line("The city", LIMITS.city_characters),
    region: Region,
    postal_code: ZipCode.describe("ZIP code of that state."),
    country: Country,
  })
  .refine((address) => zipProblem(address) === null, {
    path: ["postal_code"],
    error: ({ input }) => zipProblem(input) ?? undefined,
    when: withOtherProblems,
  })
  // Programs and forms send an empty second line.
  .overwrite(({ line2, ...rest }) => ({ ...rest, ...(line2 && { line2 }) }));

/** The country defaults to US, the only one served. */
export const Address = alsoSpelled(Fields, (value) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return { ...value, ...stateInCity(value), ...stateAsCountry(value) };
});

/** Wallets send a territory as the country, with or without a region. The ZIP code has to agree. */
function stateAsCountry(address: Bounded): { country: unknown; region?: string } {
  const country = field(address, "country") || "US";
  const code = typeof country === "string" ? regionCode(country) : null;
  if (code === null || !TERRITORIES.has(code)) return { country };
  const region = field(address, "region");
  const isGiven = typeof region === "string" && regionCode(region) !== null;
  return { country: "US", ...(!isGiven && { region: code }) };
}

/** With a country code of their own, which is the same. */
const TERRITORIES = new Set(["AS", "GU", "MP", "PR", "VI"]);

/** "Austin, TX" and "Washington DC" as the city, where the state is missing. The ZIP code has to agree. */
function stateInCity(address: Bounded): { city?: string; region?: string } {
  const city = field(address, "city");
  if (typeof city !== "string" || trimmed(String(field(address, "region") ?? "")) !== "") return {};
  const typed = trimmed(city);
  const comma = typed.indexOf(",");
  const end = comma >= 0 ? comma : typed.search(/\s(?:[A-Z]{2}|[Dd]\.?\s?[Cc]\.?)$/);
  const name = trimmed(typed.slice(0, Math.max(0, end)));
  const region = regionCode(typed.slice(end + 1));
  return name === "" || region === null ? {} : { city: name, region };
}

export type Address = z.infer<typeof Address>;

/**
 * Equal for shipments to one address: street, city, region, ZIP5 and country in any spacing and case.
 * The name and recipient_ref don't count (contract §2).
 */
export function addressKey(address: Address): string {
  const { line1, line2 = "", city, region, postal_code, country } = address;
  return JSON.stringify(
    [line1, line2, city, region, postal_code.slice(0, 5), country].map((part) =>
      part.trim().replace(/\s+/gu, " ").normalize("NFKC").toLowerCase(),
    ),
  );
}

/** Names of the regions that a ZIP code belongs to; empty for text that is none. */
export const regionsOfZip = (zip: string): string[] =>
  isZip(zip.trim())
    ? Object.keys(US_REGIONS).flatMap((code) =>
        isZipOf(code, zip.trim()) ? US_REGIONS[code]! : [],
      )
    : [];

/** Explains a ZIP code of another region. The carrier would go by the ZIP. */
function zipProblem(address: unknown): string | null {
  const region = field(address, "region");
  const postal_code = field(address, "postal_code");
  if (!isRegion(region) || !isZip(postal_code)) return null;
  if (isZipOf(region, postal_code)) return null;
  const regions = Object.keys(US_REGIONS).filter((code) => isZipOf(code, postal_code));
  const has = `ZIP codes of ${US_REGIONS[region]} begin with ${zipPrefixes(region)}`;
  if (regions.length === 0) return `No ZIP code begins with ${postal_code.slice(0, 3)}; ${has}.`;
  const where = regions.map((code) => `${US_REGIONS[code]} (${code})`).join(" or ");
  return `${postal_code} is in ${where}, not in ${region}; ${has}. Correct one of the two.`;
}

/**
 * The states, DC, the territories and the armed forces by their USPS codes (contract §3), each with the
 * first three digits of its ZIP codes, as the Postal Service assigns them. Gaps inside a region's range
 * are left out: a prefix not in use today may be so tomorrow. Three are shared: 063 (Fishers Island,
 * NY), 834 (Alta, WY) and 967 (American Samoa).
 */
const REGIONS: Readonly<Record<string, { name: string; zips: string }>> = {
  AL: { name: "Alabama", zips: "350-369" },
  AK: { name: "Alaska", zips: "995-999" },
  AZ: { name: "Arizona", zips: "850-865" },
  AR: { name: "Arkansas", zips: "716-729" },
  CA: { name: "California", zips: "900-961" },
  CO: { name: "Colorado", zips: "800-816" },
  CT: { name: "Connecticut", zips: "060-069" },
  DE: { name: "Delaware", zips: "197-199" },
  DC: { name: "District of Columbia", zips: "200, 202-205, 569" },
  FL: { name: "Florida", zips: "320-339, 341-349" },
  GA: { name: "Georgia", zips: "300-319, 398-399" },
  HI: { name: "Hawaii", zips: "967-968" },
  ID: { name: "Idaho", zips: "832-838" },
  IL: { name: "Illinois", zips: "600-629" },
  IN: { name: "Indiana", zips: "460-479" },
  IA: { name: "Iowa", zips: "500-528" },
  KS: { name: "Kansas", zips: "660-679" },
  KY: { name: "Kentucky", zips: "400-427" },
  LA: { name: "Louisiana", zips: "700-714" },
  ME: { name: "Maine", zips: "039-049" },
  MD: { name: "Maryland", zips: "206-219" },
  MA: { name: "Massachusetts", zips: "010-027, 055" },
  MI: { name: "Michigan", zips: "480-499" },
  MN: { name: "Minnesota", zips: "550-567" },
  MS: { name: "Mississippi", zips: "386-397" },
  MO: { name: "Missouri", zips: "630-658" },
  MT: { name: "Montana", zips: "590-599" },
  NE: { name: "Nebraska", zips: "680-693" },
  NV: { name: "Nevada", zips: "889-898" },
  NH: { name: "New Hampshire", zips: "030-038" },
  NJ: { name: "New Jersey", zips: "070-089" },
  NM: { name: "New Mexico", zips: "870-884" },
  NY: { name: "New York", zips: "005, 063, 100-149" },
  NC: { name: "North Carolina", zips: "270-289" },
  ND: { name: "North Dakota", zips: "580-588" },
  OH: { name: "Ohio", zips: "430-459" },
  OK: { name: "Oklahoma", zips: "730-732, 734-749" },
  OR: { name: "Oregon", zips: "970-979" },
  PA: { name: "Pennsylvania", zips: "150-196" },
  RI: { name: "Rhode Island", zips: "028-029" },
  SC: { name: "South Carolina", zips: "290-299" },
  SD: { name: "South Dakota", zips: "570-577" },
  TN: { name: "Tennessee", zips: "370-385" },
  TX: { name: "Texas", zips: "733, 750-799, 885" },
  UT: { name: "Utah", zips: "840-847" },
  VT: { name: "Vermont", zips: "050-054, 056-059" },
  VA: { name: "Virginia", zips: "201, 220-246" },
  WA: { name: "Washington", zips: "980-994" },
  WV: { name: "West Virginia", zips: "247-268" },
  WI: { name: "Wisconsin", zips: "530-549" },
  WY: { name: "Wyoming", zips: "820-831, 834" },
  AS: { name: "American Samoa", zips: "967" },
  GU: { name: "Guam", zips: "969" },
  MP: { name: "Northern Mariana Islands", zips: "969" },
  PR: { name: "Puerto Rico", zips: "006-007, 009" },
  VI: { name: "U.S. Virgin Islands", zips: "008" },
  AA: { name: "Armed Forces Americas", zips: "340" },
  AE: { name: "Armed Forces Europe", zips: "090-099" },
  AP: { name: "Armed Forces Pacific", zips: "962-966" },
};

export const US_REGIONS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(REGIONS).map(([code, { name }]) => [code, name]),
);

/** "Texas", " TX " and "Texas (TX)" are TX, "D.C." and "Washington, DC" are DC; null for other text. */
export function regionCode(text: string): string | null {
  const typed = trimmed(text);
  const name = letters(typed);
  const known = SPELLED.get(name);
  if (known !== undefined) return known;
  // "Texas (TX)", "US-TX" and "TX - Texas" say it twice.
  const twice = /^(?:(.*)\(([a-z]{2})\)|us-([a-z]{2})|([a-z]{2}) ?- ?(.*))$/i.exec(typed) ?? [];
  const code = SPELLED.get(letters(twice[2] ?? twice[3] ?? twice[4] ?? ""));
  const long = letters(twice[1] ?? twice[5] ?? "");
  if (code !== undefined) {
    const isForces = MILITARY.has(code) && /^(ARMEDFORCES|MILITARY)/.test(long);
    return long === "" || SPELLED.get(long) === code || isForces ? code : null;
  }
  if (!/\p{L}{3}\.$/u.test(typed)) return null;
  // "Tex." and "Calif.", but not "New."
  const codes = Object.keys(US_REGIONS);
  const [begun, ...more] = codes.filter((one) => letters(US_REGIONS[one]!).startsWith(name));
  return more.length === 0 ? (begun ?? null) : null;
}

const MILITARY = new Set(["AA", "AE", "AP"]);

/** Other usual names and abbreviations, by their letters alone. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  AL: ["ALA"],
  AA: ["ARMED FORCES AA", "ARMED FORCES THE AMERICAS", "ARMED FORCES OF THE AMERICAS"],
  AE: [
    ...[
      "ARMED FORCES AE",
      "ARMED FORCES AFRICA",
      "ARMED FORCES CANADA",
      "ARMED FORCES MIDDLE EAST",
    ],
    ...["ARMED FORCES EUROPE MIDDLE EAST CANADA", "ARMED FORCES EUROPE MIDDLE EAST AND CANADA"],
    ...["ARMED FORCES EUROPE AFRICA CANADA MIDDLE EAST", "ARMED FORCES EUROPE CANADA MIDDLE EAST"],
    ...["ARMED FORCES AFRICA CANADA EUROPE MIDDLE EAST", "ARMED FORCES EUROPE AFRICA CANADA"],
  ],
  AP: ["ARMED FORCES AP", "ARMED FORCES THE PACIFIC", "ARMED FORCES OF THE PACIFIC"],
  DC: ["WASHINGTON DC", "WASHINGTON DISTRICT OF COLUMBIA"],
  FL: ["FLA"],
  KY: ["COMMONWEALTH OF KENTUCKY"],
  MA: ["COMMONWEALTH OF MASSACHUSETTS", "MASS"],
  MP: ["NORTHERN MARIANAS", "NORTHERN MARIANA IS", "CNMI", "SAIPAN"],
  MS: ["MISS"],
  PA: ["PENNA", "COMMONWEALTH OF PENNSYLVANIA"],
  PR: ["COMMONWEALTH OF PUERTO RICO"],
  VA: ["COMMONWEALTH OF VIRGINIA"],
  VI: ["VIRGIN ISLANDS", "UNITED STATES VIRGIN ISLANDS", "VIRGIN ISLANDS US", "USVI"],
  WA: ["WASHINGTON STATE"],
  WV: ["WVA"],
};

/** In capitals, without blanks and punctuation. */
const letters = (name: string): string => name.toUpperCase().replace(/[\s.,'’&()-]/g, "");

/** Codes by every usual spelling. */
const SPELLED = new Map(
  Object.entries(US_REGIONS).flatMap(([code, name]) =>
    [code, name, `STATE OF ${name}`, ...(OTHER_NAMES[code] ?? [])].map((one) => [
      letters(one),
      code,
    ]),
  ) as [string, string][],
);

/** First three digits of a region's ZIP codes: "733, 750-799, 885". */
const zipPrefixes = (region: string): string => REGIONS[region]?.zips ?? "";

function isZipOf(region: string, zip: string): boolean {
  const prefix = zip.slice(0, 3);
  const ranges = zipPrefixes(region).split(", ");
  return ranges.some((range) => {
    const [from = "", to = from] = range.split("-");
    return from <= prefix && prefix <= to;
  });
}
