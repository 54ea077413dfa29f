/** The nearest valid word for a mistyped one (contract §11). */

/** Longer than any name here. */
const MOST_CHARACTERS = 40;

/** Lower-cases and drops punctuation: "Postal-Code" and "postalCode" are one word. */
const bare = (word: string): string => word.toLowerCase().replace(/[^a-z0-9]/g, "");

/** Splits a name into its parts: "lineItems" and "line_items" are "line" and "items". */
const parts = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);

/** The word that differs from this one at most in case and punctuation. */
export const sameWord = <W extends string>(typed: string, words: readonly W[]): W | undefined =>
  words.find((word) => bare(word) === bare(typed));

/** One edit for each three letters, so that short words are not mistaken for each other. */
export function nearest<W extends string>(typed: string, words: readonly W[]): W | null {
  if (typed.length > MOST_CHARACTERS) return null;
  const wanted = bare(typed);
  if (wanted === "") return null;
  const most = Math.floor(wanted.length / 3);
  const near = words
    .filter((word) => Math.abs(bare(word).length - wanted.length) <= most)
    .map((word) => ({ word, slips: slips(wanted, bare(word)) }))
    .filter((one) => one.slips <= most)
    .sort((a, b) => a.slips - b.slips);
  return sameWord(typed, words) ?? near[0]?.word ?? null;
}

/** Frequent guesses whose meaning is certain. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  state: "region",
  province: "region",
  zip: "postal_code",
  zipcode: "postal_code",
  postcode: "postal_code",
  street: "line1",
  address1: "line1",
  address2: "line2",
  sku: "product_id",
  qty: "quantity",
  bags: "quantity",
  since: "after",
  pagesize: "limit",
  maxresults: "limit",
  ordernumber: "order_id",
  customer: "buyer",
  coupon: "discount_code",
  promocode: "discount_code",
  shipto: "address",
  recipients: "shipments",
  note: "gift_notes",
  message: "gift_note",
  text: "message",
  question: "q",
  query: "q",
  entryid: "waitlist_id",
  quotes: "request_quote",
  createquote: "request_quote",
  products: "get_catalog",
  listproducts: "get_catalog",
  pay: "create_checkout",
  cancel: "request_cancellation",
};

/** A mistyped short name could be any word. */
const LONG_NAMES = Object.keys(OTHER_NAMES).filter((name) => name.length > 7);

/** Finds the meant field or tool: "email" means `contact_email`, and "zip" `postal_code`. */
export function meantName<W extends string>(typed: string, names: readonly W[]): W | null {
  const near = nearest(typed, names);
  if (near !== null || typed.length > MOST_CHARACTERS) return near;
  const other = OTHER_NAMES[nearest(typed, LONG_NAMES) ?? bare(typed)];
  const known = names.find((name) => name === other);
  if (known) return known;
  const wanted = parts(typed);
  if (wanted.length === 0) return null;
  const within = (few: string[], many: string[]) => few.every((part) => many.includes(part));
  const extra = (name: string) => Math.abs(parts(name).length - wanted.length);
  const [shortest] = names
    .filter((name) => within(wanted, parts(name)) || within(parts(name), wanted))
    .sort((a, b) => extra(a) - extra(b));
  return shortest ?? null;
}

/** Edit distance: letters inserted, removed, changed or swapped with their neighbor. */
export function slips(a: string, b: string): number {
  let [before, row]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, i) => i)];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? before![j - 2]! + 1 : change;
      next.push(Math.min(change, swap, row![j]! + 1, next[j - 1]! + 1));
    }
    [before, row] = [row, next];
  }
  return row![b.length]!;
}
