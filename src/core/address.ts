import { z } from "zod";
import { alsoSpelled, besideProblems, field, text } from "./fields.ts";
import { LIMITS } from "./policy.ts";
import { line, maybeLine } from "./text-rules.ts";
import { isZipOf, regionCode, US_REGIONS, zipPrefixes } from "./us-regions.ts";

const isZip = (value: unknown): value is string =>
  typeof value === "string" && /^\d{5}(-\d{4})?$/.test(value);

const isRegion = (value: unknown): value is string =>
  typeof value === "string" && Object.hasOwn(US_REGIONS, value);

const Region = text({
  what: "The state",
  most: 60,
  clean: (value) => regionCode(value) ?? value,
  rules: [
    (value) =>
      isRegion(value)
        ? null
        : 'Not a US region: a USPS code such as "CA", "DC" or "PR", or its full name.',
  ],
}).describe("State: USPS code or full name.");

const NOT_A_ZIP = 'Not a ZIP code; it should look like "94107" or "94107-1234".';

/** As a number, a ZIP code has lost its leading zeros. */
const ZipCode = alsoSpelled(
  text({
    what: "The ZIP code",
    most: 20,
    clean: (value) => value.trim(),
    rules: [(value) => (isZip(value) ? null : NOT_A_ZIP)],
  }),
  (value) => (Number.isSafeInteger(value) ? String(value).padStart(5, "0") : value),
);

const Country = alsoSpelled(
  z.literal("US", { error: 'Ships to the US only: country must be "US".' }),
  (value) =>
    /^\s*(u\.?s\.?(a\.?)?|united states( of america)?)\s*$/i.test(String(value)) ? "US" : value,
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
    when: besideProblems,
  })
  // Programs and forms send an empty one where there is none.
  .overwrite(({ line2, ...rest }) => ({ ...rest, ...(line2 && { line2 }) }));

/** Without a country it is in the US, like every address here. */
export const Address = alsoSpelled(Fields, (value) =>
  typeof value === "object" && value !== null && field(value, "country") == null
    ? { ...value, country: "US" }
    : value,
);

export type Address = z.infer<typeof Address>;

/**
 * What makes two shipments go to one address: street, city, region, ZIP5 and country, however they are
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

/** A ZIP code of another region is a slip in one of the two; a shipment would go by the ZIP. */
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
