/**
 * What must be known beforehand, as data: words about coffee in general.
 * Everything about this shop's beans is read from its catalog.
 */
import { list, pairs, table } from "./text.ts";

/**
 * Scales by steps, least first, between "|". A word stands before the noun ("low acidity"); with
 * "*" it says so alone too, and has an "-er" and an "-est".
 */
export const GRADED = table(
  `
  acidity: low, no, minimal | gentle, mild*, soft, mellow*, delicate, subtle, light | moderate,
    medium, balanced, round, rounded | bright*, lively*, crisp*, juicy, pronounced, high, fresh,
    elegant, winey, strong, acidity*, acid*, acidic*, brightness*, sour*, tangy*, tart*, zingy* |
    vibrant, sparkling, intense, sharp*, very high
  body: tea like, light, thin*, watery*, delicate, low, light bodied* | silky*, medium light, soft,
    elegant | medium, balanced, round, rounded, smooth, juicy | full*, creamy*, rich*, velvety*,
    buttery*, big, high, strong*, medium full, bold*, robust*, full bodied*, big bodied* | heavy*,
    syrupy*, thick*, dense*, very full, heavy bodied*
  roast: light*, blonde, cinnamon, nordic | medium light*, light medium* | medium*, city, omni |
    medium dark*, dark medium*, full city | dark*, french, italian, vienna, espresso
  price: cheap*, affordable*, inexpensive*, economical*, low priced* || | expensive*, pricey*,
    costly*, high priced*
  temperature: cool* || | hot*
  time: short*, quick*, fast* || | long*, slow*
  grind: fine* || | coarse*`,
  (line) =>
    line
      .split("|")
      .flatMap((step, at) => list(step).map((word): [string, number] => [word, at + 1])),
) as ReadonlyMap<ScaleName, [string, number][]>;

/** Methods by the name most have for them, and what else they go by. */
export const METHODS = table(`
  pour over: pourover, v60, v 60, chemex, kalita, kalita wave, hario, origami, melitta, filter,
    filter coffee, drip, drip coffee, drip machine, coffee maker, hand filter
  espresso: espresso machine, portafilter, ristretto, lungo, americano
  french press: cafetiere, plunger, press pot, frenchpress, stempelkanne
  aeropress: aero press
  moka pot: moka, mokka pot, stovetop, stove top, bialetti, macchinetta
  cold brew: cold brewed, coldbrew, iced, iced coffee, ice coffee, over ice
  siphon: syphon, vacuum pot
  turkish coffee: turkish, ibrik, cezve
  percolator: perk
  capsule machine: keurig, nespresso, pod, capsule, k cup`);

/** More and less of what is counted. */
export const AMOUNTS = [
  ["more", 1, "comp"],
  ["less", -1, "comp"],
  ["most", 1, "sup"],
  ["least", -1, "sup"],
] as const;

/** How it is sold, and what it is called: field/value/label. */
export const SOLD = table(`
  decaf/true/decaf: decaf, decaffeinated, decaffeinate, low caffeine, remove the caffeine,
    take out the caffeine, caffeine removed
  decaf/false/caffeine: caffeine
  availability/WAITLIST/on the waitlist: waitlist, waiting list, wait list, waitlisted
  availability/EXCLUSIVE/exclusive: exclusive, locked, rare, rarest, a key, finder key
  availability/STOCKED/sold from stock: stocked`);

/** Drinks that are made of milk, and how it is put. */
export const MILK = list(
  "milk, latte, cappuccino, flat white, flatwhite, cortado, macchiato, milk based, milk drink, creamer",
);

/** Flavour families: what they are called | the words of notes that belong to them. */
export const FAMILIES = table(
  `
  berry: berry | blueberry, strawberry, raspberry, blackberry, cranberry, blackcurrant,
    redcurrant, currant, cassis, gooseberry, boysenberry, mulberry
  citrus: citrus, citrusy, citric | orange, lemon, lime, grapefruit, mandarin, tangerine,
    bergamot, clementine, yuzu, kumquat
  stone fruit: stone fruit, drupe | peach, plum, apricot, nectarine, cherry
  tropical: tropical, tropical fruit, exotic | mango, pineapple, papaya, passionfruit, passion,
    guava, lychee, banana, maracuja
  dried fruit: dried fruit | raisin, date, fig, prune, sultana
  fruit: fruit, fruity, fruitiness | apple, pear, grape, melon, watermelon, kiwi, pomegranate,
    rhubarb, jam, quince, @berry, @citrus, @stone fruit, @tropical, @dried fruit
  floral: floral, flower, flowery, blossom | jasmine, rose, hibiscus, lavender, violet, chamomile,
    elderflower, honeysuckle, magnolia, lilac
  nut: nut, nutty, nuttiness | almond, walnut, hazelnut, peanut, pecan, cashew, macadamia,
    pistachio, praline, marzipan
  chocolate: chocolate, chocolatey, chocolaty, chocolatiness, choco, choc, mocha | cocoa, cacao,
    fudge, brownie
  sweet: sweet, sweetness, sugary | caramel, toffee, honey, sugar, molasses, syrup, maple, panela,
    vanilla, butterscotch, nougat, treacle
  spice: spice, spicy, spiced | cinnamon, clove, cardamom, pepper, nutmeg, ginger, anise,
    allspice, liquorice
  earthy: earthy, earth, woody, wood | cedar, tobacco, leather, moss, mushroom, forest, oak,
    sandalwood
  smoky: smoky, smoke | ash, campfire, charred
  herbal: herbal, herb, herbaceous | mint, sage, basil, leaf, thyme, lemongrass
  boozy: boozy, alcoholic, winey, wine | rum, whisky, whiskey, brandy, liqueur, wine
  coconut: coconut | coconut`,
  (line) => line.split("|").map(list),
);

/** Words of a note that say nothing alone. */
export const MODIFIERS = new Set(
  list(`
  milk, dark, white, red, black, brown, green, yellow, toasted, roasted, baked, candied, ripe,
  fresh, pipe, blood, powder, of`),
);

export const PROCESSES = list(`
  washed, natural, honey, anaerobic, wet hulled, semi washed, pulped natural, carbonic maceration,
  barrel aged, swiss water, mountain water, sugarcane, ethyl acetate, co2, lactic, fermented,
  experimental`);

export const VARIETIES = list(`
  geisha, bourbon, typica, caturra, catuai, castillo, heirloom, pacamara, maragogype, sl28, sl34,
  ruiru 11, batian, catimor, mundo novo, pacas, sidra, wush wush, laurina, pink bourbon, java,
  tabi`);

/** Coffee countries by the part of the world that buyers name. */
export const REGIONS = table(`
  africa: ethiopia, kenya, rwanda, burundi, tanzania, uganda, malawi, zambia, cameroon, congo
  central america: guatemala, honduras, el salvador, nicaragua, costa rica, panama
  south america: colombia, brazil, peru, ecuador, bolivia, venezuela
  asia: indonesia, vietnam, india, yemen, thailand, laos, myanmar, china, philippines, timor leste
  caribbean: jamaica, cuba, haiti, dominican republic
  americas: @latin america
  latin america: @central america, @south america, @caribbean, mexico`);

/** Growing regions that buyers name for their country. */
export const PLACES = pairs(`
  yirgacheffe=ethiopia, sidamo=ethiopia, guji=ethiopia, harrar=ethiopia, kona=hawaii, hawaii=hawaii,
  sumatra=indonesia, java=indonesia, sulawesi=indonesia, blue mountain=jamaica, nyeri=kenya,
  tarrazu=costa rica, antigua=guatemala, huehuetenango=guatemala, huila=colombia,
  narino=colombia, boquete=panama, cerrado=brazil, chiapas=mexico`);

/** Least, most, less, more: as an answer says it. */
const SCALES = {
  acidity: "lowest acidity, highest acidity, less acidity, more acidity",
  body: "lightest body, heaviest body, a lighter body, a heavier body",
  roast: "lightest roast, darkest roast, a lighter roast, a darker roast",
  price: "cheapest, most expensive, a lower price, a higher price",
  methods: "fewest brewing methods, most brewing methods, fewer methods, more methods",
  temperature: "lowest water temperature, highest water temperature, cooler water, hotter water",
  time: "shortest brewing time, longest brewing time, a shorter time, a longer time",
  grind: "finest grind, coarsest grind, a finer grind, a coarser grind",
  dose: "smallest dose, largest dose, less coffee, more coffee",
  water: "least water, most water, less water, more water",
  ratio: "strongest ratio, longest ratio, a stronger ratio, a longer ratio",
} as const;

export type ScaleName = keyof typeof SCALES;
export const scaleTerms = (scale: ScaleName): string[] => list(SCALES[scale]);
