/** The phrases of a part that mean something, what is denied of them, and the words that say nothing. */
import { numberOf } from "./amounts.ts";
import type { Concept, Lexicon } from "./lexicon.ts";

/** A phrase that means something, with its place among the words. */
export type Item = Concept & {
  at: number;
  end: number;
  not: boolean;
  except: boolean;
  typed: string;
};
type Words = readonly string[];

const VERB =
  /^(?:is|are|was|were|does|do|did|isnt|arent|doesnt|dont|wasnt|can|could|cant|will|would|may|has|have)$/;

/** "Don't you have …?" asks; "don't recommend …" tells. */
export const opensQuestion = (word: string, next = ""): boolean =>
  VERB.test(word) && (!/^(?:dont|cant)$/.test(word) || /^(?:you|they|we|the|your|any)$/.test(next));

/** Polarity holds by clause: from a negator to a mark, a "but" or a new wish. */
export function phrasesOf(said: Words, lexicon: Lexicon) {
  const items: Item[] = [];
  const unread: string[] = [];
  const asks = opensQuestion(said[0]!, said[1]);
  // "Is neither the Huila nor the Guji a decaf?" denies what is said of them.
  const neither = asks && said[1] === "neither";
  let [not, except, notAt, before, clause, unreadAt] = [false, false, -9, 0, 0, -9];
  for (let at = 0, length = 1; at < said.length; at += length) {
    const word = said[at]!;
    const found = lexicon.match(said, at);
    length = found?.length ?? 1;
    const last = items.findLast(({ trait, scale }) => trait ?? scale);
    // "Without nuts that is light", but "nothing that is light".
    const denied = last?.not && last.at >= notAt;
    const tooMuch = word === "too" && !asks && !not;
    const is = (cue: string) => found?.concept.cues?.includes(cue) ?? false;
    if (/^[^\p{L}\d$]/u.test(word)) {
      not &&= word === "," && listGoesOn(said, at);
      [before, clause] = [clause, items.length];
      continue;
    }
    // "Chocolate yes, nuts no", "fruity, rather not": what stands before it is denied.
    const turned = clause > 0 && is("NOT") && /^(?:[^\p{L}\d$]|$)/u.test(said[at + length] ?? "");
    const told = items.slice(clause).some(({ trait, scale }) => trait ?? scale);
    if ((is("BACK") && !asks) || turned) deny(items.slice(told ? clause : before));
    else if (is("NOT") || is("EXCEPT") || (is("NONE") && !said.includes("?"))) {
      // "Isn't the Guji washed?" asks whether it is.
      if (at > 0 || !asks) [not, notAt] = [true, at + length];
      except = is("EXCEPT");
    } else if (tooMuch && lexicon.match(said, at + 1)?.concept.scale) {
      // "The Guji is too acidic": neither is wished.
      deny(items.slice(clause));
      not = true;
    } else if (endsDenial(said, at, notAt, is, denied ?? false, except)) not = false;
    // "Caffeine free" is without it.
    if (word === "free" && last?.end === at && last.trait?.kind !== "bean") last.not = true;
    const kind = found && kindOf(found.concept);
    const one = denied ? last : undefined;
    if (not && kind && isSpared(said, at, asks, notAt, kind, one)) not = false;
    // "No fruit and low acidity", "no fruit no acid".
    const isOwn =
      /^(?:no|low)$/.test(word) && length > 1 && denied && !/^n?or$/.test(said[at - 1]!);
    const negated = neither ? kind !== "bean" : not && !isOwn;
    const place = { at, end: at + length, not: negated, except: negated && except };
    const unknown = !found && !lexicon.knows(word) && Number.isNaN(numberOf(word));
    // "How much rain", "how much cold brew" asks for no price.
    if (said[at - 1] === "much" && (unknown || kind === "method")) items.pop();
    if (found)
      items.push({ ...found.concept, ...place, typed: said.slice(at, at + length).join(" ") });
    // "Fair trade" is one thing.
    if (unknown) unread.push(unreadAt === at - 1 ? `${unread.pop()} ${word}` : word);
    if (unknown) unreadAt = at;
    // "Non-decaf" ends with its word.
    if (said[at - 1] === "non" && found) not = false;
  }
  return { items, unread, cues: new Set(items.flatMap(({ cues }) => cues ?? [])) };
}

/** What follows is wished again. */
function endsDenial(
  said: Words,
  at: number,
  notAt: number,
  is: (cue: string) => boolean,
  denied: boolean,
  except: boolean,
): boolean {
  const [before, word] = [said[at - 1], said[at]!];
  if (denied && word === "that" && before !== "and") return true;
  if (except && /^(?:with|that|for|under|is|are|in|goes|has|have|work|cost)$/.test(word))
    return true;
  // "Not darker than the Huila" denies no Huila.
  if (is("THAN")) return true;
  // "No nuts for espresso", but "which cannot be used for espresso?"
  const isFor = word === "for" && (denied || said[notAt - 1] === "no");
  return (is("RESET") || isFor) && at - notAt > (/^(?:and|but)$/.test(word) ? 0 : 1);
}

const kindOf = ({ trait, scale }: Concept): unknown => trait?.kind ?? scale;

/** "Not", of a quality: "I do not want" and "I am not a fan of" deny whatever follows. */
const OF_QUALITY =
  /(?<!\b(?:do|does|did|can|could|will|would) )\b(?:not|isnt|arent|aint)\n(?!an? (?:\w+ )?fan|into|keen|fond|interested|looking|after)/;

/**
 * "Are all except the Guji washed?", "no nuts for a pour over", "not too expensive and fruity": the other
 * is not denied.
 */
function isSpared(
  said: Words,
  at: number,
  asks: boolean,
  notAt: number,
  kind: unknown,
  last?: Item,
): boolean {
  if (last && kind === kindOf(last)) return false;
  const between = said.slice(last?.end ?? notAt, at).join("\n");
  if (last && /^(?:for|in)$/m.test(between)) return true;
  if (asks) return last?.except ?? false;
  const [before, after] = [said.slice(0, notAt), said.slice(notAt)].map((some) => some.join(" "));
  return /^and$/m.test(between) && OF_QUALITY.test(`${before}\n${after}`);
}

const deny = (items: readonly Item[]): void => {
  for (const item of items) item.not = true;
};

/** "no nuts, berries or chocolate": the comma does not end what is not wished. */
const listGoesOn = (said: Words, comma: number): boolean =>
  /^(?:(?!(?:[.?!;]|but|something|anything|just|i|and) )\S+ ){0,4}n?or /.test(
    `${said.slice(comma + 1, comma + 6).join(" ")} `,
  );
