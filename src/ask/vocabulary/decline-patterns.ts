/**
 * Ways to ask for what is declined that take more than a word. They read the folded question: lower
 * case, no punctuation, "$5" as "dollars 5" and "%" as "percent".
 */
import type { DeclineReason } from "../answer.ts";
import { list } from "../text.ts";

/** "a, b c" → (?:a|b c), for the alternatives of a pattern. */
const any = (line: string): string => `(?:${list(line).join("|")})`;

/** Pieces of a pattern, joined and bounded by word edges. */
const say = (...pieces: string[]): RegExp => new RegExp(`\\b${pieces.join("")}\\b`);

const LENGTH = any("m, metres?, meters?, feet, foot, ft, masl");
/** High, but neither "high acidity" nor "high end". */
const HIGH = `high(?:er|est)?\\b(?! ${any(`acid\\w*, quality, end, caffeine, body, price\\w*, rated,
  scor\\w*, dose, ratio, temp\\w*, in acid\\w*, is the acid\\w*`)})`;
const GROWN = any("grows?, grown, growing, grew, plant, plants, planted, cultivated, region");

const altitude = [
  say(`how (?:far |much )?${HIGH}`),
  say("how (?:many |far )?", LENGTH),
  say("\\d{3,5} ?", LENGTH),
  say(GROWN, "\\b.*\\b", HIGH),
  say(
    HIGH,
    ".*\\b",
    any(`grows?, grown, growing, grew, planted, cultivated, region, mountains?,
    up, hills?`),
  ),
  say("(?:above|over|from) (?:the )?(?:sea|ocean)"),
  say("(?:up|in|on) (?:the |a )?", any("mountains?, hills?, andes, volcano, peak")),
  say("(?:m a s l|how far up|thin air)"),
];

const MAKES =
  any(`grows?, grew, grown, growing, produces?, produced, producing, makes?, made, making,
  raises?, plant, planted, harvests?, harvested, picks?, picked, cultivates?, cultivated, process,
  processes, processed, supply, supplies, supplied, own, owns, owned, owner, behind`);
/** "Someone who makes espresso" is a drinker. */
const NOT_A_DRINKER = `(?<!\\b${any(`someone, somebody, anyone, people, person, those, one, ones,
  guy, lady, friends?, wife, husband, mother, father, mom, dad, boss`)} )`;

const producer = [
  say(NOT_A_DRINKER, "who(?:s|se| is| are| was| were)?\\b.*\\b", MAKES, "\\b(?! for| you)"),
  say(
    any(
      "grown, produced, made, harvested, picked, cultivated, raised, processed, supplied, planted",
    ),
    " by",
  ),
  say("by (?:whom|who)"),
  say(
    "names? of the ",
    any(`family, families, persons?, people, man, woman, owners?, suppliers?,
    place it was picked`),
  ),
  say(
    any("family, families, owners?, suppliers?"),
    " ",
    any("that, who, which, behind, owned, run"),
  ),
  say(
    any("person, people, man, woman, folks, those, hands, names?"),
    " (?:behind|who ",
    any("grow, grew, make, made, pick, picked, produce, produced, process, processed"),
    ")",
  ),
  say("(?:where|whom|who) (?:do|did) you (?:buy|source|get)"),
  say("your suppliers?"),
  say("co op(?:s|erative|eratives)?"),
];

const haggling = [
  say("(?<!\\b(?:big|real|great) )deals?\\b(?! (?:with|of|breaker))"),
  say(any("make, get, sell, give, have, want, do, buy, offer"), "\\b.*\\bcheaper"),
  say("cheaper (?:for me|if)"),
  say("(?:percent|dollars \\d+|\\d+ dollars|bucks|something) off"),
  say("\\d+ (?:percent|bucks|dollars) (?:off|less|discount)"),
  say(
    any("lower, drop, reduce, cut, beat, match, better, improve"),
    " (?:your|the|that|this|its|on the|on) (?:price|prices|cost)",
  ),
  say("(?:can|could|would|will) (?:you|u|we|i) do better"),
  say("do me a favou?r"),
  say("(?:loyal|returning|regular|good) customer"),
  say("go (?:any |a bit |a little |much )?lower|half off|any sales"),
  say("meet me halfway"),
  say("(?:can|could|would|will) (?:you|u) (?:take|accept|do) (?:it for )?(?:dollars )?\\d+"),
  say("(?:free|bonus|extra|complimentary) ", any("bag, bags, coffee, gift, samples?, item, stuff")),
  say("(?:for|get|it) free\\b(?! (?:shipping|delivery|of|from))"),
  say("(?:throw in|on the house|for less|bogo)"),
  say("(?:one|two|2|3|three) for (?:one|the price)"),
  say("buy (?:one|two|1|2) get"),
  say("save (?:me |some |any )?(?:money|cash)"),
  say("any (?:current )?offers?"),
  say("offers?\\b.*\\bfor me"),
];

const NOT_OURS =
  any(`source, python, java, javascript, typescript, html, css, sql, program, qr, bar,
  zip, postal, area, some`);

const codes = [say("first ?bag"), say(`(?<!\\b${NOT_OURS} )codes?`)];

/** "Key" as a mere adjective: "the key tasting notes". */
const KEY_THINGS =
  any(`notes?, facts?, differences?, points?, flavou?rs?, characteristics?, features?,
  info\\w*, details?, things?, tasting, takeaways?, lime, to`);

const keys = [
  say(
    any(`give, send, tell, show, get, issue, grant, reveal, print, hand, share, need, want, have,
    earn, obtain, win, me, my`),
    " (?:me |us |over )?(?:a |the |my |your |that |one |an )?",
    `(?:\\w+ )?keys?\\b(?! ${KEY_THINGS})`,
  ),
  say("(?:fk|cma) \\w+"),
  say("key (?:for|to) (?:the )?(?:geisha|exclusive|locked)"),
  say("locked"),
  say("access to (?:the )?(?:geisha|exclusive|locked)"),
];

const injection = [
  say(
    any("ignore, disregard, forget, override, bypass, skip"),
    "\\b.*\\b",
    any("previous, prior, above, earlier, all, any, everything, your, the, these, those, my"),
    "\\b.*\\b",
    any(`instructions?, prompts?, rules?, guidelines?, restrictions?, policy, policies, orders?,
      context, filters?, said, told`),
  ),
  say(
    any("you are, youre, act as, behave as, pretend, roleplay, role play, imagine you"),
    " (?:now |to be |that |like |as )?(?:an? |the |you )?(?:\\w+ )?(?:are )?",
    any(`dan, admin, administrator, developer, merchant, owner, hacker, root, unrestricted,
      assistant, model, llm, gpt, terminal, chef, pirate`),
  ),
  say(
    any("reveal, print, show, repeat, output, leak, dump, display, tell me"),
    "\\b.*\\b(?:",
    any("system, prompt, environment variables, env, database, config"),
    "|",
    any("your, hidden, secret, initial, internal, original"),
    " ",
    any("instructions, rules, messages?, prompts?, config, secrets?, data"),
    ")",
  ),
  say("(?:repeat|say|echo) (?:after me|the following|exactly|this)"),
  say("new instructions?"),
  say(any("system message, system override, system prompt, union select, or 1 1")),
  say("end of (?:prompt|instructions)"),
  say("without (?:any )?(?:restrictions|filters|limits)"),
];

const offTopic = [
  say(
    any("write, compose, draw, sing, code, program, generate, design, summari[sz]e"),
    "\\b.*\\b",
    any("a, an, me, my, some, story, poem, song, script, code, email, essay"),
  ),
  say("what is \\d+ (?:plus|minus|times|x) \\d+"),
  say("tell me (?:a|another) (?:story|joke)"),
  say("what (?:time|day|year) is (?:it|today)"),
  say("capital (?:city )?of"),
  say("who (?:won|invented|discovered)"),
];

export const DECLINE_PATTERNS: Readonly<Record<DeclineReason, readonly RegExp[]>> = {
  ALTITUDE: altitude,
  PRODUCER: producer,
  HAGGLING: haggling,
  CODES: codes,
  KEY_REQUEST: keys,
  PROMPT_INJECTION: injection,
  OFF_TOPIC: offTopic,
};
