/**
 * Words about coffee in general, and English words by what they do in a question: data only.
 * Everything about this merchant's beans is read from the catalog.
 */
import { eng } from "stopword";
import { entries, list, phrase, singular, spaced, table } from "./text.ts";

/**
 * Scales by steps, least first, between "|". A word stands before the noun ("low acidity"); with
 * "*" it says so alone too, and has an "-er" and an "-est"; with "~" it tells more than a step, and
 * who asks for it means the very word.
 */
export const GRADED = table(
  `
  acidity = low, no, minimal | gentle, mild*, soft, mellow*, delicate, subtle, light | moderate,
  medium, balanced, round, rounded | bright*, lively*, crisp*, juicy, pronounced, high, fresh,
  elegant, strong, acidity*, acid*, acidic*, vivid, sour*, tangy*, tart*, zingy* | vibrant,
  sparkling, intense, sharp*, very high; body = tea like, light, thin*, watery*, delicate, low,
  light bodied* | ~silky, medium light, soft, elegant | medium, balanced, round, rounded, smooth,
  juicy | full*, ~creamy, rich*, ~velvety, ~buttery, big, high, strong*, medium full, bold*,
  robust*, full bodied*, big bodied* | heavy*, ~syrupy, thick*, dense*, very full, heavy bodied*;
  roast = light*, blonde, cinnamon, nordic | medium light*, light medium* | medium*, city, omni |
  medium dark*, dark medium*, full city | dark*, french, italian, vienna, espresso; price =
  cheap*, affordable*, inexpensive*, economical*, low priced* || | expensive*, pricey*, costly*,
  high priced*; temperature = cool* || | hot*; time = short*, quick*, fast* || | long*, slow*;
  grind = fine* || | coarse*`,
  (line) =>
    line
      .split("|")
      .flatMap((step, at) => list(step).map((word): [string, number] => [word, at + 1])),
);

/** Least, most, less, more: as an answer says it, and as it is said besides. */
export const SCALE_WORDS = table(`
  acidity = lowest acidity, highest acidity, less acidity, more acidity; body = lightest body,
  heaviest body, a lighter body, a heavier body; roast = lightest roast, darkest roast, a lighter
  roast, a darker roast; price = cheapest, most expensive, a lower price, a higher price; methods
  = fewest brewing methods, most brewing methods, fewer methods, more methods; notes = fewest
  tasting notes, most tasting notes, fewer tasting notes, more tasting notes; varieties = fewest
  varieties, most varieties, fewer varieties, more varieties; temperature = lowest water
  temperature, highest water temperature, cooler water, hotter water; time = shortest brewing
  time, longest brewing time, a shorter time, a longer time, least time, most time, less time,
  more time; grind = finest grind, coarsest grind, a finer grind, a coarser grind; dose = least
  coffee, most coffee, less coffee, more coffee; water = least water, most water, less water, more
  water; ratio = strongest ratio, longest ratio, a stronger ratio, a longer ratio`);

/**
 * What there is in coffee, by kind/name: what else it is called | what belongs to it: a bean that
 * has that has the other. A place is known by its country.
 */
export const TERMS = entries(`
  note/berry = | blueberry, strawberry, raspberry, blackberry, cranberry, blackcurrant,
  redcurrant, currant, cassis, gooseberry, boysenberry, mulberry; note/citrus = citrusy, citric |
  orange, lemon, lime, grapefruit, mandarin, tangerine, bergamot, clementine, yuzu, kumquat;
  note/stone fruit = drupe | peach, plum, apricot, nectarine, cherry; note/tropical = tropical
  fruit, exotic | mango, pineapple, papaya, passionfruit, passion, guava, lychee, banana,
  maracuja; note/dried fruit = | raisin, date, fig, prune, sultana; note/fruit = fruity,
  fruitiness | apple, pear, grape, melon, watermelon, kiwi, pomegranate, rhubarb, jam, quince,
  berry, citrus, stone fruit, tropical, dried fruit; note/floral = flower, flowery, blossom |
  jasmine, rose, hibiscus, lavender, violet, chamomile, elderflower, honeysuckle, magnolia, lilac;
  note/nut = nutty, nuttiness | almond, walnut, hazelnut, peanut, pecan, cashew, macadamia,
  pistachio, praline, marzipan; note/chocolate = chocolatey, chocolaty, chocolatiness, choco,
  choc, mocha | cocoa, cacao, fudge, brownie; note/sweet = sweetness, sugary, dessert | caramel,
  toffee, honey, sugar, molasses, syrup, maple, panela, vanilla, butterscotch, nougat, treacle;
  note/spice = spicy, spiced | cinnamon, clove, cardamom, pepper, nutmeg, ginger, anise, allspice,
  liquorice; note/earthy = earth, woody, wood | cedar, tobacco, leather, moss, mushroom, forest,
  oak, sandalwood; note/smoky = smoke | ash, campfire, charred, tobacco; note/herbal = herb,
  herbaceous | mint, sage, basil, leaf, thyme, lemongrass; note/boozy = alcoholic, alcohol, winey,
  wine, funky, funk | rum, whisky, whiskey, brandy, liqueur, wine; note/coconut =; process/ = |
  washed, natural, honey, anaerobic, wet hulled, semi washed, pulped natural, carbonic maceration,
  barrel aged, swiss water, mountain water, sugarcane, ethyl acetate, co2, lactic, fermented,
  experimental; process/washed = wet process; process/natural = dry process; process/fermented = | anaerobic, carbonic maceration, lactic; process/water process
  = decaffeinated with water, decaffeinated using water, decaffeinated by water, water processed,
  made with water, made using water, water decaffeinated, water decaf, with water only | swiss
  water, mountain water, water only; varieties/ = | geisha, bourbon, typica, caturra, catuaí,
  castillo, heirloom, pacamara, maragogype, SL28, SL34, ruiru 11, batian, catimor, mundo novo,
  pacas, sidra, wush wush, laurina, pink bourbon, java, tabi; method/pour over = pourover, v60, v
  60, chemex, kalita, kalita wave, hario, origami, melitta, hand filter; method/drip machine =
  drip, drip coffee, coffee maker, filter machine, coffee machine, moccamaster; method/filter coffee = filter | pour over, drip machine; method/espresso = espresso machine,
  portafilter, ristretto, lungo, americano, shot, espresso shot, double espresso; method/french
  press = cafetiere, plunger, press pot, full immersion, immersion brewer, frenchpress,
  stempelkanne; method/aeropress = aero press; method/moka pot = moka, mokka, mokka pot, stovetop, stove
  top, bialetti, macchinetta; method/cold brew = cold brewed, cold brewing, coldbrew, iced, iced
  coffee, ice coffee, over ice; method/siphon = syphon, vacuum pot; method/turkish coffee =
  turkish, ibrik, cezve; method/percolator = perk; decaf/decaf = off caffeine, decaffeinated,
  decaffeinate, low caffeine, caffeine sensitive, sensitive to caffeine, remove the caffeine, take
  out the caffeine, take the caffeine out, get the caffeine out, caffeine removed; decaf/caffeine
  = keep me awake, keep me up, wake me up, wake up, wake us up, stay awake, get me going, pick me
  up; availability/on the waitlist = waitlist, waiting list, wait list, waitlisted;
  availability/exclusive = locked, rare, rarest, a key, finder key, special access, special key, any special key, any key; availability/sold from stock =
  stocked; text/gift = present; text/present = gift; text/evening = night, tonight, bedtime, bed, dinner; text/milk = latte, cappuccino,
  flat white, flatwhite, cortado, macchiato, milk based, milk drink, creamer; origin/africa = |
  ethiopia, kenya, rwanda, burundi, tanzania, uganda, malawi, zambia, cameroon, congo;
  origin/central america = | guatemala, honduras, el salvador, nicaragua, costa rica, panama;
  origin/south america = | colombia, brazil, peru, ecuador, bolivia, venezuela; origin/asia = |
  indonesia, vietnam, india, yemen, thailand, laos, myanmar, china, philippines, timor leste;
  origin/north america = | mexico, hawaii; origin/caribbean = | jamaica, cuba, haiti, dominican
  republic; origin/americas = | latin america; origin/latin america = | central america, south
  america, caribbean, mexico; place/ethiopia = | yirgacheffe, sidamo, guji, harrar; place/hawaii =
  | kona, hawaii; place/indonesia = | sumatra, java, sulawesi; place/jamaica = | blue mountain;
  place/kenya = | nyeri; place/costa rica = | tarrazu; place/guatemala = | antigua, huehuetenango;
  place/colombia = | huila, narino; place/panama = | boquete; place/brazil = | cerrado;
  place/mexico = | chiapas`).map(([key, line]) => {
  const [kind = "", name = ""] = key.split("/");
  const [also = [], members = []] = line.split("|").map(list);
  return { kind, name, also: [name, ...also].map(phrase), members };
});

/**
 * Words of the merchant's sentences and of notes that say nothing alone; words of policy, for which
 * a slip is meant; words of the trade that are in no dictionary; nouns of scales; phrases whose
 * words mean nothing there; words that turn a claim; what is counted, and neither paid nor told by
 * a recipe.
 */
export const LISTS = table(`
  unsearched = twice, slowly, cold, off, hold, fill, once, soon, again, within, away, usual, low, pour, pot,
  french, wake, strain, basket; modifiers = milk, dark, white, red, black, brown, green, yellow,
  toasted, roasted, baked, candied, ripe, fresh, pipe, blood, powder, of; policy = refund, cancel,
  canada, coupon, voucher, wholesale, grinder; unlisted = japanese, bio, rainforest, utz, halal, demeter,
  biodynamic, gmo, eco, labour, terroir, microlot, ph, agtron, brix, arabica, robusta, liberica,
  compostable, fahrenheit, cafe, gdpr, matcha, chai, paypal, amex, klarna; acidity = acidity,
  acid; body = body, bodied; roast = roast, roasted, roasting; neutral = soft spot, right away, what about, how about, as
  long as, as soon as, at once, hold up, per gram, per g, a gram, how full should, how full do,
  per ounce, per oz, an ounce, a ounce, both of us, both of you, us both, for both, new to, by the
  way, no way, either way, at least, at most, at all, not sure, i dont know, dont know, do not
  know, dont mind, do not mind, no preference, no problem, no idea, why not, of course, high
  quality, top quality, most of the time, not only, full list, full range, full menu, or not, if
  not, most people, more or less, as well, first time, high end, light drinker, go together, goes
  together, apple pay, google pay, gift note, gift message, gift wrap, gift wrapped, gift wrapping, milk and sugar, cream
  and sugar, and sugar, at the moment, for the moment, the same time, in the world, in law, any
  longer, no longer, stronger in flavor, stronger in flavour, stronger flavor, stronger flavour, that count, it count, cheapest way, the deal with, different address, separate address, last night, this morning; turns = twice, half, double, triple, time, together, combined,
  per, until, unless, still, already, again, nearly, almost, mostly, mainly, rather, shipping,
  too, by, before, after; unmeasured = day, week, month, year, address, person, people, character,
  question, ml, oz, ounce, off`);

/** What can be asked for: a field, with the scale that is meant, and its phrases. */
export const ASKS = table(`
  country = origin, where from, where is from, come from, where grown, country, region,
  provenance, which part, where, sourced, grow, grown; process = process, processed, processing,
  method of processing, made, produced, decaffeinated, decaffeination, chemical, solvent, dried,
  drying, remove the caffeine, take out the caffeine, take the caffeine out, get the caffeine out,
  caffeine removed, caffeine taken out, remove caffeine, fermentation; varieties = variety, varietal, cultivar,
  botanical, type of plant; roast/roast = roast, roast level, roasting, roasted; roast/acidity =
  acidity, acid; roast/body = body, mouthfeel, texture, bodied; tasting_notes = taste, taste like,
  tasting note, tasting, note, flavor, flavour, flavor profile, profile, aroma, flavoring, smell,
  cup profile, tasting wise, flavored, flavoured; brewing = brew, brewing, brewed, way, which
  method, what method, recipe, how do i make, how should i make, how to make, how can i make, how
  would you make, prepare, preparation, brewing method, brewing advice, instruction;
  brewing/temperature = temperature, boiling water, temp, how hot, degree, water temp, water
  temperature; brewing/grind = grinder setting, medium grind, medium fine grind, medium coarse
  grind, grind setting, grind, grind size, how fine, how coarse, ground, grinding; brewing/dose =
  dose, dosage, how many gram, how much coffee, gram, how much ground coffee; brewing/ratio =
  ratio, water to coffee, coffee to water, yield; brewing/time = how long, how many second, how
  many minute, how many hour, brew time, steep, steeping, brewing time, extraction, extraction
  time; brewing/water = how much water, water amount, amount of water, what water, which water;
  choose_if = suit, who for, who is for, who should, special, unique, whom; price_minor/price =
  price, how many dollar, how many buck, average price, average cost, by price, cost, how much,
  pricing, price list, priced, price wise, worth, total, come to, owe, be charged, damage,
  final figure, final amount, grand total, set me back, much will you charge me, the bill for,
  what do i pay, what would i pay, what will i pay, my card be charged, the card be charged,
  better deal, best deal, what if i take, value for money, value; availability = available, in stock, stock, sold
  out, availability, on hand, out of stock, order today, bag left, have left, limited, running
  low, run low, are left, is left, remaining, can i buy, can i get, can i have, can i order, how do i get, how
  can i get, where can i buy, to buy the, get hold of, are you out, have that many, have so many, that many, there enough, any left, left of, buy today,
  be had, who may buy, who can buy, cant i buy, cant i get, to my cart, to the cart, in my cart, in the cart`);

/** Words that turn a part of a question into a kind of question. */
export const CUES = table(`
  NOT = not, no, without, never, isnt, arent, dont, doesnt, cant, wont, didnt, wasnt, shouldnt,
  mustnt, couldnt, nothing, neither, nor, non, avoid, hate, hating, dislike, skip, minus, cannot,
  cant stand, exclude, sans, not a fan of, none with, none from, recommend against, advise
  against, lacking, lacks, lack, anti, less of, too hot for, no time for, free of, free from, detest, hated, tired of, bored
  of, bored with, sick of, want to avoid, like to avoid, need to avoid, try to avoid, trying to
  avoid, have to avoid, prefer to avoid, steer clear of, leave out, cut out, ignore, ignoring, not counting, excluding, leave aside, dont you recommend
  for, not recommend for, not suited for, not suitable for, not good for, not ideal for, not work
  for, not meant for; AVOID = skip, should i not buy, should i not get, should i avoid, should i leave out, should we avoid, should she
  avoid, should he avoid, should i exclude, to leave out, should i skip, stay away from, to avoid,
  would you skip, would you avoid, not recommend to someone who hate; EXCEPT = excluding, after the, except, except for, all of them
  but, besides, other than, apart from, anything but, everything but, all but, instead of, aside
  from, not counting; BACK = not my thing, not for me, not my cup, not my favorite, not my
  favourite, not my taste, no thank, hated it, hate it, disliked it, boring, bland, meh,
  disappointing, underwhelming, put me off, turn me off, arent for me, isnt for me, arent my
  thing, isnt my thing; RESET = but, just, only, however, though, yet, instead, something,
  someone, somebody, anything, want, prefer, like, love, looking, should, which, what, and i, and brew, and use, and own, and drink, and make, and want, and need, and
  it, and has, and have, and is, and are, and work, and suit, and a, and an, and with, rather,
  fine, ok, okay, please, need; MORE = more, higher, greater, stronger in; LESS = less, lower,
  fewer; MOST = most, highest, max, maximum, top, greatest, largest, biggest; LEAST = least,
  lowest, minimum, min, fewest, smallest; ALL = all, every, everything, each, all of; BOTH = both,
  either; NONE = none, none of, no coffee, not one, not any of; ONLY = only, sole, just one; COUNT
  = how many, number of, count; COMPARE = compare, compared, vs, versus, difference, different,
  differ, comparison, between, same, equal, equally; SIMILAR = similar, similar to, most similar, most similar to, most alike, similarity, in
  common, common to, share, alike, something like, anything like, coffee like, bean like, closest
  to, nearest to, close to, closest, nearest, most like, resemble, comparable, alternative,
  alternative to, try next, remind; OPPOSITE = opposite, opposite of, opposite to, contrary of;
  APART = apart, stand out; THAN = than; RANK = from most, from least, from the most, from the
  least, most to least, least to most, rank, ranked, top 2, top 3, top 5, top two, top three, top
  five, sort, sorted, order them, order by, order from, order the coffee, order the bean, order
  all, bean in order, your bean in order, your coffee in order, coffee in order, them in order,
  all in order, ranking, by price, list by, order your coffee, in order of, descending, ascending;
  REST = the rest, other, others, everything else, all else, anything else, all other, any other;
  ELSE = else, other coffee, another, other one; IT = either one, either of them, it, its, they, them, their, those, that one,
  this one, from there, that coffee, there one, of them, of those, of these, these; LIST = what
  coffee, which coffee, which bean, what bean, what do you sell, what do you have, what have you
  got, your coffee, your bean, show me, list, selection, menu, range, catalog, catalogue,
  assortment, what can i buy, on offer, what is left, what remain, coffee do you sell, coffee do
  you have, what you got, which product, what product; RECOMMEND = recommend, recommendation, suggest, suggestion, advise,
  should i, should we, would you, pick, which one, best, better, good, what would, option, what
  can you offer, what do you offer, ideal, great, perfect, nice, suit, surprise me, tell me what to buy, tell me what to get, tell me what to order, favorite,
  favourite; SECOND = second, 2nd, runner up; THIRD = third, 3rd; ASCENDING = ascending, least to
  most, from least, low to high, from low, from lowest, from the least; DESCENDING = descending,
  from high, high to low, dark to light, from dark, from most, from the most, most to least, from
  darkest; ABOUT = tell me about, about, what is in the, know about, information, info, detail, describe, tell me
  more; GREETING = hello, hi, hey, good morning, good evening, good afternoon, howdy, greeting;
  THANKS = thank, thank you, thx, bye, goodbye, cheer, cheers; HELP = help, what can i ask, what
  do you know, what can you do`);

/** Words that ask for nothing by themselves, or only tell what kind of question it is. */
export const HARMLESS = new Set(
  [
    ...eng,
    ...[...CUES.values()].flat().filter((term) => !term.includes(" ")),
    ...spaced(`
  does will may shall she us so really quite pretty bit little kind type ones thing stuff coffees
  beans bags cups mug roaster shop lot why when whose tell give show let know see find think say
  called name wonder wondering question ask today sure maybe perhaps right correct true actually
  anyway liked enjoy adore drinks drinking drinker uses used using takes gets go goes works
  working suitable fits match try buy buying sell usually normally always often typically mostly
  own main wife husband girlfriend boyfriend friend mom mum dad mother father partner sister
  brother boss colleague people person guest family house home office kitchen myself herself per
  level amount water character characteristic element hint touch tone fan lover crave craving mood
  reminds fancy happy makes yes hmm oh cool day time new single whole part comes place even first
  shelf currently going serve carry offer choices choose machine maker equipment method size setting
  exactly ever heard wanted explain means looks feel tend big huge style during absolutely
  definitely ideally preferably certain particular overall general generally below above dollar
  buck budget currency around bought ordered ordering guy folks morning afternoon everybody done
  hope x provide compute whether idk money free quality g ml litre liter celsius minute hour
  lookup enough exact normal case advice understand shipping ship delivery deliver until wait tip
  send bring join put add leave begin start anyone instant press near w left guess mind preferred
  preference purpose result cuppa coffeelover along daily week weekend month year fully altogether
  possible possibly dear sir madam team brewed receive discount firstbag loved together wise spend
  already address yo btw wanna smth sth received opinion basically simply expect shipped
  grandmother grandma grandfather grandpa mine term run live easily forward completely selling
  guide pull shot delivered contain hav christmas unlock lol order plus thought given sent few
  word within posted mailed apply behalf client user buyer customer principal exist idea happen
  helpful kindly confirm sending wanting suppose included including includes code sound sounds
  package asked asks moment product item behind remain remaining dude mate nerd shopping thinking searching recommending getting having doing told
  accident accidentally proper stay side monday tuesday wednesday thursday friday saturday sunday welcome tbh clue waiting`),
  ].flatMap((word) => [word, singular(word)]),
);
