import { z } from "zod";

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

const CONTROL = /\p{Cc}/u;

/** One line of text from a stranger: trimmed, not blank, bounded, no control characters. */
export function textLine(max: number, what: string) {
  return z
    .string()
    .trim()
    .min(1, `${what} is missing.`)
    .max(max, `At most ${max} characters.`)
    .refine((value) => !CONTROL.test(value) && value.isWellFormed(), {
      message: "No control characters or line breaks.",
    });
}

export const Address = z
  .strictObject({
    name: textLine(100, "The recipient's name").describe("Who receives the parcel."),
    line1: textLine(120, "The street address").describe("Street and number, or PO box."),
    line2: textLine(120, "The second line").optional().describe("Apartment, suite, unit."),
    city: textLine(80, "The city"),
    region: z
      .string()
      .refine((value) => Object.hasOwn(US_REGIONS, value), {
        message: 'Not a USPS region code; two capital letters such as "CA", "DC" or "PR".',
      })
      .describe("USPS code: a state, DC, a territory, or AA, AE, AP."),
    postal_code: z
      .string()
      .refine((value) => /^\d{5}(-\d{4})?$/.test(value), {
        message: 'Not a ZIP code; it should look like "94107" or "94107-1234".',
      })
      .describe("ZIP code, 12345 or 12345-6789."),
    country: z.literal("US", { error: 'Ships to the US only: country must be "US".' }),
  })
  .describe("A US shipping address.");

export type Address = z.infer<typeof Address>;

/**
 * What makes two parcels go to one address: street, city, region, ZIP5 and country, however they are
 * spaced or capitalised; neither the name nor recipient_ref (contract §2).
 */
export function addressKey(address: Address): string {
  const { line1, line2 = "", city, region, postal_code, country } = address;
  return JSON.stringify(
    [line1, line2, city, region, postal_code.slice(0, 5), country].map((part) =>
      part.trim().replace(/\s+/gu, " ").normalize("NFKC").toLowerCase(),
    ),
  );
}
