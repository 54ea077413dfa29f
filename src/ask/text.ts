/** Question and catalog texts as terms. Every function here is linear in the length of its text. */

/**
 * Lower case without accents, apostrophes or invisible characters, so that none of these hides a word;
 * spelled-out words ("m.a.s.l.", "a l t i t u d e") are joined.
 */
export const fold = (text: string): string =>
  text
    .replace(/\p{M}+/gu, "") // first: normalizing a long row of accents takes quadratic time
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}'’`´*_~]/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll("&", " and ")
    .replaceAll("%", " percent ")
    .replace(/[^\S\n]+/g, " ")
    .replace(/(?<!\p{L})(?:\p{L}[ .-]){3,}\p{L}(?!\p{L})/gu, (run) => run.replace(/[ .-]/g, ""));

/** A longer run of letters is no word, and comparing it costs more than it can tell. */
const LONGEST_WORD = 24;

export const words = (text: string): string[] =>
  (fold(text).match(/\p{L}[\p{L}\d]*|\d+/gu) ?? []).map((word) => word.slice(0, LONGEST_WORD));

const STOP_WORDS = new Set(
  words(`a about actually all also am an and any anything are as ask at be because been being but by can
    cannot cant come comes coming could couldnt did didnt do does doesnt doing done dont each else even
    ever every exactly few for from give gives go goes going got had has have havent having he hello her
    here hers hey hi him his how i id if ill im in into is isnt it its ive just kind know let lets like
    lot make makes may maybe me might more much must my need needs never no not now of off
    oh ok okay old on one only or our ours out over own per please really right said say says see
    seem shall she should shouldnt so some somebody someone something such sure take takes tell than
    thank thanks that thats the their theirs them then there these they thing things think this those
    though through til till to too try u under until up us use very via want wants was wasnt way we well
    were what whats when where whether which while who whom whose why will with without wont word would
    wouldnt yes yet you your yours guys principal buyer client coffee coffees bean beans
    again another around both five four half last least new next once other rest six still stuff
    three time times today two user week year yesterday
    add after before find know look set live lives good great nice get gets getting gotten made people person place put someone somebody until gonna wanna gotta`),
);

export const isStopWord = (word: string): boolean => STOP_WORDS.has(word) || word.length < 2;

/** Forms that no rule finds. */
const IRREGULAR: Readonly<Record<string, string>> = {
  ...{
    paid: "pay",
    bought: "buy",
    sent: "send",
    sold: "sell",
    held: "hold",
    kept: "keep",
    lost: "lose",
  },
  ...{ stolen: "steal", broke: "break", broken: "break", spent: "spend", arrival: "arrive" },
};

/** The same for "ships", "shipped" and "shipment": question and index only need to agree. */
export function stem(word: string): string {
  // A gift has a note, a coffee has notes.
  if (word === "notes") return word;
  const regular = IRREGULAR[word] ?? word;
  if (regular.length < 5)
    return regular.length === 4 ? regular.replace(/(?<=[^s])s$|e$/, "") : regular;
  const bare = regular
    .replace(/(?:ies|ied|iest)$/, "y")
    .replace(/(?:ing|ed|ly|e?s|(?<=...)est)$/, "")
    .replace(/(?<=...)ment$|(?<=....)(?:ation|able|y)$|(?<=....)er$/, "")
    .replace(/e$/, "")
    .replace(/([^aeioulst])\1$/, "$1")
    .replace(/(?<=....l)l$/, "");
  return bare.length < 3 ? regular : bare;
}

/** The distinct stems of the words that carry meaning, in their order. */
export const terms = (text: string): string[] => [
  ...new Set(words(text).flatMap((word) => (isStopWord(word) ? [] : stem(word)))),
];
