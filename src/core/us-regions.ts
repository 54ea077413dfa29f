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

/** "Texas", "tx" and " TX " are TX; null for what is no region. */
export function regionCode(text: string): string | null {
  const typed = text.trim();
  const code = typed.toUpperCase();
  if (Object.hasOwn(US_REGIONS, code)) return code;
  const name = typed.toLowerCase();
  return Object.keys(US_REGIONS).find((one) => US_REGIONS[one]?.toLowerCase() === name) ?? null;
}

/** "733, 750-799, 885": what a region's ZIP codes begin with. */
export const zipPrefixes = (region: string): string => REGIONS[region]?.zips ?? "";

export function isZipOf(region: string, zip: string): boolean {
  const prefix = zip.slice(0, 3);
  const ranges = zipPrefixes(region).split(", ");
  return ranges.some((range) => {
    const [from = "", to = from] = range.split("-");
    return from <= prefix && prefix <= to;
  });
}
