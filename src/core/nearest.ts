/** The nearest right word for a wrong one: how mistakes teach (contract §11). */

/** No name of ours is longer, so longer text was not meant as one. */
const MOST_CHARACTERS = 40;

/** "Postal-Code" and "postalCode" are one word; accents and punctuation are none. */
const bare = (word: string): string => word.toLowerCase().replace(/[^a-z0-9]/g, "");

/** The word that this is but for its writing. */
export const sameWord = <W extends string>(typed: string, words: readonly W[]): W | undefined =>
  words.find((word) => bare(word) === bare(typed));

/** The word that was meant: the same but for its writing, or another name of it, or a slip or two away. */
export function nearest(
  typed: string,
  words: readonly string[],
  aliases: Readonly<Record<string, string>> = {},
): string | null {
  if (typed.length > MOST_CHARACTERS) return null;
  const wanted = bare(typed);
  if (wanted === "") return null;
  return (
    sameWord(typed, words) ??
    words.find((word) => aliases[word]?.split(" ").includes(wanted)) ??
    fewestSlips(wanted, words)
  );
}

/** A slip for each three letters, so that short words are not taken for each other. */
function fewestSlips(wanted: string, words: readonly string[]): string | null {
  const most = Math.floor(wanted.length / 3);
  const near = words
    // Each letter that one has more is a slip at least.
    .filter((word) => Math.abs(bare(word).length - wanted.length) <= most)
    .map((word) => ({ word, slips: slips(wanted, bare(word)) }))
    .filter((one) => one.slips <= most)
    .sort((a, b) => a.slips - b.slips);
  return near[0]?.word ?? null;
}

/** Letters to insert, leave out, change or swap with their neighbour: a distance, row by row. */
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
