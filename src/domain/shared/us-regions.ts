/** USPS codes: the states, DC, the territories and the armed forces (contract §3). */
export const US_REGIONS: Readonly<Record<string, string>> = {
  AL: "Alabama",
  AK: "Alaska",
  AZ: "Arizona",
  AR: "Arkansas",
  CA: "California",
  CO: "Colorado",
  CT: "Connecticut",
  DE: "Delaware",
  DC: "District of Columbia",
  FL: "Florida",
  GA: "Georgia",
  HI: "Hawaii",
  ID: "Idaho",
  IL: "Illinois",
  IN: "Indiana",
  IA: "Iowa",
  KS: "Kansas",
  KY: "Kentucky",
  LA: "Louisiana",
  ME: "Maine",
  MD: "Maryland",
  MA: "Massachusetts",
  MI: "Michigan",
  MN: "Minnesota",
  MS: "Mississippi",
  MO: "Missouri",
  MT: "Montana",
  NE: "Nebraska",
  NV: "Nevada",
  NH: "New Hampshire",
  NJ: "New Jersey",
  NM: "New Mexico",
  NY: "New York",
  NC: "North Carolina",
  ND: "North Dakota",
  OH: "Ohio",
  OK: "Oklahoma",
  OR: "Oregon",
  PA: "Pennsylvania",
  RI: "Rhode Island",
  SC: "South Carolina",
  SD: "South Dakota",
  TN: "Tennessee",
  TX: "Texas",
  UT: "Utah",
  VT: "Vermont",
  VA: "Virginia",
  WA: "Washington",
  WV: "West Virginia",
  WI: "Wisconsin",
  WY: "Wyoming",
  AS: "American Samoa",
  GU: "Guam",
  MP: "Northern Mariana Islands",
  PR: "Puerto Rico",
  VI: "U.S. Virgin Islands",
  AA: "Armed Forces Americas",
  AE: "Armed Forces Europe",
  AP: "Armed Forces Pacific",
};

/**
 * The first three digits of each region's ZIP codes, as the Postal Service assigns them. Gaps inside
 * a region's range are left out: a prefix not in use today may be so tomorrow. Three are shared: 063
 * (Fishers Island, NY), 834 (Alta, WY) and 967 (American Samoa).
 */
const ZIP_PREFIXES: Readonly<Record<string, string>> = {
  AL: "350-369",
  AK: "995-999",
  AZ: "850-865",
  AR: "716-729",
  CA: "900-961",
  CO: "800-816",
  CT: "060-069",
  DE: "197-199",
  DC: "200 202-205 569",
  FL: "320-339 341-349",
  GA: "300-319 398-399",
  HI: "967-968",
  ID: "832-838",
  IL: "600-629",
  IN: "460-479",
  IA: "500-528",
  KS: "660-679",
  KY: "400-427",
  LA: "700-714",
  ME: "039-049",
  MD: "206-219",
  MA: "010-027 055",
  MI: "480-499",
  MN: "550-567",
  MS: "386-397",
  MO: "630-658",
  MT: "590-599",
  NE: "680-693",
  NV: "889-898",
  NH: "030-038",
  NJ: "070-089",
  NM: "870-884",
  NY: "005 063 100-149",
  NC: "270-289",
  ND: "580-588",
  OH: "430-459",
  OK: "730-732 734-749",
  OR: "970-979",
  PA: "150-196",
  RI: "028-029",
  SC: "290-299",
  SD: "570-577",
  TN: "370-385",
  TX: "733 750-799 885",
  UT: "840-847",
  VT: "050-054 056-059",
  VA: "201 220-246",
  WA: "980-994",
  WV: "247-268",
  WI: "530-549",
  WY: "820-831 834",
  AS: "967",
  GU: "969",
  MP: "969",
  PR: "006-007 009",
  VI: "008",
  AA: "340",
  AE: "090-099",
  AP: "962-966",
};

const CODE_BY_NAME = new Map(
  Object.entries(US_REGIONS).map(([code, name]) => [name.toLowerCase(), code]),
);

/** "Texas", "tx" and " TX " are TX; null for what is no region. */
export function regionCode(text: string): string | null {
  const typed = text.trim();
  const code = typed.toUpperCase();
  if (Object.hasOwn(US_REGIONS, code)) return code;
  return CODE_BY_NAME.get(typed.toLowerCase()) ?? null;
}

/** "733, 750-799, 885": what a region's ZIP codes begin with. */
export const zipPrefixes = (region: string): string =>
  (ZIP_PREFIXES[region] ?? "").replaceAll(" ", ", ");

/** The regions that a ZIP code can be in: mostly one, none where its prefix is not in use. */
export const regionsOfZip = (zip: string): readonly string[] =>
  REGIONS_BY_PREFIX.get(zip.slice(0, 3)) ?? [];

const REGIONS_BY_PREFIX = new Map<string, string[]>();
for (const [region, prefixes] of Object.entries(ZIP_PREFIXES)) {
  for (const range of prefixes.split(" ")) {
    const [from, to = from] = range.split("-").map(Number);
    for (let prefix = from!; prefix <= to!; prefix++) {
      const digits = String(prefix).padStart(3, "0");
      REGIONS_BY_PREFIX.set(digits, [...(REGIONS_BY_PREFIX.get(digits) ?? []), region]);
    }
  }
}
