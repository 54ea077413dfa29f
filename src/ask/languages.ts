/** German, Spanish and French onto the English words; other languages are declined in their own. */
import { dan, deu, fra, ita, nld, pol, por, spa, swe, tur } from "stopword";
import { SHORT_FORMS } from "./correct.ts";
import { countryNames, entries, fold, list, singular, tokenise } from "./text.ts";
import { HARMLESS } from "./vocabulary.ts";

/** English = German / Spanish / French; endings are cut off on both sides. */
const TABLE = `
  which = welche / cual / quel, lequel, laquelle; what = was / que, lo que / que, quoi, qu; how =
  wie / como / comment; you = ihr, sie, euch, dir / usted, vosotros / vous, tu; how much is = was
  kostet, wie teuer ist, kostet, preis / cuanto cuesta, cuanto cuestan, cuanto es, cuanto son,
  cuanto vale, precio, cuesta / combien, prix, coute, coutent; earthy = erdig / terroso / terreux;
  spicy = wurzig / especiado / epice; citrus = zitrus / citrico / agrume; beginner = anfanger /
  principiante / debutant; espresso = espressomaschine / cafetera / machine a espresso; what does
  taste = / a que sabe, que sabor tiene / ; taste = schmeckt, geschmack / sabor, sabe / gout,
  saveur, arome; where from = woher / de donde, de donde es, de donde viene / d ou vient, dou vient,
  d ou viennent, origine; do you have = habt ihr, haben sie, gibt es, hast du, fuhrt ihr / tienen,
  hay, teneis / avez vous, as tu, y a t il, vous avez; recommend = empfehlt ihr, empfehlen sie,
  empfehlung, empfiehlst du, empfehlen / recomiendan, recomienda, recomendacion / recommandez vous,
  conseillez vous, recommandez, conseillez; i like = ich mag, ich liebe, ich hatte gern, ich mochte,
  ich suche, ich will / me gusta, me gustan, quiero, busco, quisiera / j aime, jaime, je cherche, je
  voudrais, je veux; hate = hasse, verabscheue / odio, detesto, no soporto, no aguanto / deteste,
  hais, horreur; sweeter = susser / / ; except = ausser, bis auf / todo menos, todos menos, excepto, salvo / sauf; not = nicht, kein, ohne / no, sin, ni, ningun / pas, sans, ni, n aime pas,
  aucun, naime pas, non; but = ist aber, aber, sondern / pero, sino / mais; and = und / y, e / et;
  or = oder / o / ou; with = mit / con / avec; for = fur / para / pour; a = ein, etwas / un, algo /
  un; two = zwei / dos / deux; is = ist, sind, seid, passt, eignet, kommt / es, esta, son / est,
  sont, est il, est elle, est ce, vient il, viennent ils; the = der, die, das, den, dem, des, vom,
  von, zum, am / el, la, los, las, del, de, al / le, la, les, du, des, de, l, d, n, au; your = eure,
  euer / sus, tus, vuestros, su / vos, votre; coffee = kaffee, bohne, sorte, kaffeesorte / cafe,
  grano / cafe, grain; more expensive = teurer; hot = heiss / caliente / chaud; water = wasser /
  agua / eau; expensive = teuer / caro / cher; cheap = billig, gunstig / barato / pas cher, bon
  marche; light = hell, leicht / claro, ligero / clair, leger; mild = mild / suave / doux, douce;
  why = warum, wieso / por que / pourquoi; left = ubrig / queda / reste; dark = dunkel, dunkle /
  oscuro / fonce; medium = mittel, mittlere / medio / moyen; second = zweit / segundo / deuxieme;
  roast = rostung, rostgrad, gerostet / tueste, tostado / torrefaction, torrefie; acidity = saure /
  acidez / acidite; full bodied = kraftig, vollmundig / con cuerpo, fuerte, intenso / corse,
  puissant; body = korper / cuerpo / corps; acidic = sauer, saurehaltig, saurebetont / acido /
  acide; low = wenig / poco / peu; high = / mucho / beaucoup; with high = mit viel / con mucho /
  avec beaucoup de; least = wenigsten / menos / le moins, moins; most = meisten / mas / le plus,
  plus; less = weniger / / ; more = mehr / / ; than = als / / ; only = nur / solo, unico / seul,
  seulement; fruity = fruchtig, frucht / frutal, afrutado, fruta / fruite; floral = blumig / floral,
  flor / floral, floraux, fleuri; chocolate = schokolade, schokoladig, schokonoten / chocolate /
  chocolat; nut = nuss, nussig / nuez, nueces, frutos secos / noix, noisette; berry = beere, beerig
  / bayas, frutos rojos / baies, fruits rouges; sweet = suss / dulce / sucre; honey = honig / miel /
  miel; milk = milch / leche / lait; caffeine = koffein / cafeina / cafeine; decaf = entkoffeiniert,
  koffeinfrei, decaf / descafeinado / decafeine, deca; washed = gewaschen / lavado / lave; natural =
  natur, naturlich / natural / nature, naturel; process = aufbereitung, aufbereitet, verarbeitet /
  proceso, procesado / procede, traitement; variety = varietat / variedad / variete; note = noten,
  aromen / nota / note; how do i brew = wie bereite ich, wie brue ich, wie bruhe ich, zubereitung,
  zubereiten, rezept / como preparo, como se prepara, preparar, receta / comment preparer, preparer,
  recette, comment faire; temperature = temperatur, wassertemperatur / temperatura / temperature; do
  you grind = mahlt ihr, auch gemahlen, kaffee gemahlen / muelen / moulez vous, etre moulu, deja
  moulu; when arrive = wann kommt / / ; change = andern / cambiar / changer, modifier; address =
  adresse, lieferadresse / direccion, direccion de entrega / adresse; order = bestellung / pedido /
  commande; my order = meine bestellung / mi pedido / ma commande; arrive = ankommt / llega, llegar
  / arrive; ground coffee = gemahlenen kaffee / cafe molido / cafe moulu; after the = nach dem, nach
  der / despues del, despues de / apres le; how many gram = wie viel gramm / cuantos gramos /
  combien de grammes; buy = kaufen / comprar / acheter; how much is it = was kostet das, wie viel
  kostet das / cuanto cuesta eso / combien ca coute; grind = mahlgrad, gemahlen / molienda, molido /
  mouture, moulu; pour over = filterkaffee, handfilter / filtro, goteo / filtre; moka pot =
  espressokanne, espressokocher, mokkakanne / cafetera italiana, greca / cafetiere italienne; french
  press = stempelkanne / prensa francesa, embolo / piston, cafetiere a piston, cafetiere; in stock =
  auf lager / en stock, en existencia / en stock; available = verfugbar, vorratig, lieferbar /
  disponible / disponible; shipping cost = versandkosten, versand, porto, lieferkosten, lieferung /
  gastos de envio, costo de envio, envio / frais de port, livraison; free shipping =
  versandkostenfrei, kostenloser versand / envio gratis / livraison gratuite; ship to = liefert ihr
  nach, liefert ihr auch nach, liefern sie nach, versendet ihr nach, schickt ihr nach, versendet
  ihr, liefert ihr, verschickt ihr, liefert, verschickt, versendet, schickt, sendet, ihr liefert
  nach, versand nach / hacen envios a, envian, envia, envian a, enviais a, mandan a, envio a /
  livrez vous en, livrez vous au, livrez vous, vous livrez, expediez vous, expediez, livrez,
  envoyez, livraison en; how long does delivery take = wie lange dauert die lieferung, wie lange
  dauert es, wie lange dauert der versand, lieferzeit / cuanto tarda, cuanto tarda en llegar, cuanto
  tarda el envio, tiempo de entrega, cuanto demora / delai de livraison, delais de livraison,
  combien de temps prend la livraison; return it = zuruckgeben, zuruckschicken / devolver / rendre,
  renvoyer, retourner; refund = ruckgabe, rucksendung, erstattung, geld zuruck / reembolso,
  devolucion / remboursement, rembourser; discount = rabatt, mengenrabatt, gutschein / descuento,
  cupon / remise, reduction, code promo; cancel = stornieren, stornierung / cancelar / annuler; pay
  with = mit paypal zahlen, bezahlen, zahlen / pagar, pago / payer, paiement; credit card =
  kreditkarte / tarjeta de credito, tarjeta / carte bancaire, carte; where is my order = wo ist
  meine bestellung, wo bleibt meine bestellung / donde esta mi pedido / ou est ma commande; tax =
  steuer, mehrwertsteuer / impuesto, iva / taxe, tva; organic = bio, biologisch / organico,
  ecologico / bio, biologique; from = aus / / ; all = alles / todo / tout; best = beste / mejor /
  meilleur, bon; under = unter / menos de, por debajo de / moins de; over = uber / mas de / plus de;
  africa = afrika / / afrique; central america = mittelamerika / centroamerica / amerique centrale;
  south america = sudamerika / sudamerica / amerique du sud; subscription = abo, abonnement /
  suscripcion / abonnement; bitterness = bitterkeit / amargor / amertume; rose = / rosa / ; cherry =
  kirsche / cereza / cerise; caramel = karamell / caramelo / caramel; strawberry = erdbeere / fresa
  / fraise; who = wer / quien / ; when = wann / cuando / quand; deliver = geliefert / entregan /
  livre; it = ihn, ihm / / ; raspberry = himbeere / frambuesa / framboise; plum = pflaume / ciruela
  / prune; blackcurrant = johannisbeere / grosella / cassis; cinnamon = zimt / canela / cannelle;
  grape = traube / uva / raisin; tobacco = tabak / tabaco / tabac; blueberry = blaubeere,
  heidelbeere / arandano / myrtille; hazelnut = haselnuss / avellana / noisettes; almond = mandel /
  almendra / amande; apple = apfel / manzana / pomme; peach = pfirsich / melocoton, durazno / peche;
  lemon = zitrone / limon / citron; vanilla = vanille / vainilla / vanille; jasmine = / jazmin /
  jasmin; something = / / quelque chose; cold brew = kalt, kalt gebruht / en frio / a froid, froid;
  gift note = grusskarte, karte, gruss, nachricht / dedicatoria, tarjeta de regalo, mensaje, tarjeta
  con mensaje / mot manuscrit, petit mot, un mot, carte cadeau, message; do you sell = verkauft ihr,
  verkaufen sie / venden, vendeis / vendez vous; difference = unterschied / diferencia / difference;
  between = zwischen / entre / entre; compare = vergleich / comparar, compara / comparer; three =
  drei / tres / trois; bag = tute, packung, beutel / bolsa, paquete / sachet, paquet, sac; how heavy
  = wie gross, wie schwer, wie viel gramm hat / cuantos gramos trae, cuantos gramos tiene, cuanto
  pesa / poids, combien pese; how long = wie lange / cuanto tiempo / combien de temps; taste = /
  gusto / ; can i = kann ich, kann man / puedo, se puede / puis je, peut on; like = geeignet, hat,
  haben, wird, gern, ware, zu, mir, uns / porfavor, por favor, bueno, bien, me, nos / ce, cest, c,
  qui, s il vous plait, svp, me, nous`;

/** A word without its ending: "günstigsten", "baratos", "chère". */
const stem = (word: string): string =>
  word.length < 4
    ? word
    : word.replace(/(?:te[tnmrs]?|e[tnmrs]?|[ao]s|[aeionstx])$/, "").replace(/(.)\1$/, "$1");

/**
 * Common words of a language, what marks its writing, and what stands before an answer in English to a
 * question that was not; or a decline in the language itself.
 */
const LANGUAGES: readonly [common: readonly string[], marks: RegExp, says: string][] = [
  [deu, /[äöüß]/gi, "Auf Englisch:"],
  [spa, /[¿¡ñáíóú]|ción/gi, "En inglés:"],
  [fra, /[àêçœ]|(?<!caff|\P{L}|^)è|\b[ldj]['’]|qu['’]/giu, "En anglais :"],
  [nld, /koffie|hoeveel|welke|jullie/gi, "Stel uw vraag alstublieft in het Engels."],
  [por, /^o\b|[ãõ]|custa\b|voc|\bt[eê]m\b|\bsem\b|^é| é /gi, "Pergunte em inglês, por favor."],
  [
    ita,
    /pagare\b|caff(è|e\b)|costa\b(?! ric)|quale\b|consigl|più|senza|spedite|^il\b| è /gi,
    "Chieda in inglese, per favore.",
  ],
  [pol, /kaw[aęy]|kosztuje|[łąęż]/gi, "Przepraszam, proszę zapytać po angielsku."],
  [tur, /kahve|fiyat|[ğış]/g, "Üzgünüm, lütfen İngilizce sorun."],
  [swe, /kaffe\b|kostar|smakar/gi, "Ställ gärna frågan på engelska."],
  [dan, /kaffe\b|koster|\bhv\p{L}+/giu, "Stil venligst spørgsmålet på engelsk."],
  [[], /[\p{sc=Hira}\p{sc=Kana}]/gu, "申し訳ありませんが、英語でご質問ください。"],
  [[], /\p{sc=Hangul}/gu, "죄송합니다. 영어로 질문해 주세요."],
  [[], /\p{sc=Han}/gu, "抱歉，请用英语提问。"],
  [[], /[іїєґ]/giu, "Вибачте, запитайте, будь ласка, англійською."],
  [[], /\p{sc=Cyrillic}/gu, "Извините, задайте, пожалуйста, вопрос по-английски."],
  [[], /\p{sc=Arabic}/gu, "عذرًا، يرجى طرح السؤال بالإنجليزية."],
  [[], /\p{sc=Hebrew}/gu, "סליחה, נא לשאול באנגלית."],
  [[], /\p{sc=Greek}/gu, "Συγγνώμη, ρωτήστε στα αγγλικά."],
  [[], /\p{sc=Thai}/gu, "ขออภัย กรุณาถามเป็นภาษาอังกฤษ"],
  [[], /\p{sc=Devanagari}/gu, "क्षमा करें, कृपया अंग्रेज़ी में पूछें।"],
];

/** Stems of words and phrases, with what they are in English; empty where we have none. */
function meaningsIn(at: number): ReadonlyMap<string, string> {
  const language = ["de", "es", "fr"][at];
  if (language === undefined) return new Map();
  const english = new Map(countryNames("en").reverse());
  const countries = countryNames(language).filter(([, name]) => name.length > 3);
  const abroad = countries.map(([code, name]) => [name, english.get(code) ?? name] as const);
  const meanings = entries(TABLE).flatMap(([to, others]) =>
    list(others.split("/")[at] ?? "").map((word) => [word, to] as const),
  );
  // The last to give a word its meaning wins: the first in the table, before all countries.
  const stems = [...abroad, ...meanings.reverse()].map(
    ([said, to]) => [said.split(" ").map(stem).join(" "), to] as const,
  );
  return new Map([...stems, ...meanings]);
}

/** Put together when the first question comes. */
const TABLES = LANGUAGES.map(([common, marks, says], at) => {
  const short = new Set(common.map(fold).filter((word) => word.length > 1));
  return { meanings: meaningsIn(at), common: short, marks, says };
});

/** The question in English; `says` where it was another language, `declined` where we know none of it. */
export function inEnglish(question: string, isOurs: (word: string) => boolean) {
  // "L'acidité"; "fruchtiger als", "die fruchtigste", "der zweitbilligste".
  const elided = question
    .replace(/\s+/gu, " ")
    .replace(/(?<=\b(?:[ldjnsmct]|qu))['’](?=\p{L}{3})/giu, " ")
    .replace(/(?<=\p{L}{4})(?=noten(?!\p{L}))/giu, " ")
    .replace(/(?<!\p{L})(\p{L}{4,})arm(?!\p{L})/giu, "wenig $1")
    // "Nüsse mag ich nicht", "ich kann Nüsse nicht leiden", "weder süß noch sauer".
    .replace(/(\p{L}+) (?:hasse ich|mag ich (?:\p{L}+ )?nicht)(?!\p{L})/giu, "ich hasse $1")
    .replace(/(?:mag (\p{L}+) nicht|kann (\p{L}+) nicht (?:leiden|ausstehen))/giu, "hasse $1$2")
    .replace(/weder (.+?) noch/giu, "nicht $1 und nicht")
    .replace(/(?:(?:el|la|los|las) (\p{L}+) )?no me gustan?(?!\p{L})/giu, "odio $1")
    .replace(/\bzweit(?=\p{L}{4})/giu, "zweit ")
    .replace(/(?<!\p{L})(?!teu|wenig)(\p{L}{4,}|süß)er(\s+ger\p{L}+)?\s+als\b/giu, "mehr $1$2 als")
    .replace(
      /(?<!\p{L})(?!wenig|d[ée]te|\w*kosten)(\p{L}{4,})ste[mnrs]?(?!\p{L})/giu,
      "meisten $1",
    );
  const tokens = tokenise(fold(elided));
  const isEnglish = (token: string) => HARMLESS.has(token) || SHORT_FORMS.has(token);
  const foreign = tokens.filter((token) => !isEnglish(token) && !isOurs(singular(token)));
  const scores = TABLES.map((table) => {
    const { meanings, common, marks } = table;
    const knows = (token: string) => [token, stem(token)].some((one) => meanings.has(one));
    const own = foreign.filter((token) => knows(token) || common.has(token)).length;
    const marked = new Set(question.match(marks)).size;
    return { ...table, score: own === 0 && meanings.size > 0 ? 0 : own + 3 * marked };
  });
  const { score, meanings, common, says } = scores.sort((a, b) => b.score - a.score)[0]!;
  const english = score <= tokens.filter(isEnglish).length;
  const declined = !english && meanings.size === 0 && score > 1;
  if (english || meanings.size === 0)
    return { text: question, says: declined ? says : null, declined };
  // What has no meaning to us, and is no word of its own, is left out.
  const said = translated(tokens, meanings, common);
  // "Schmeckt der Huila nach Kakao?": what has no question word asks whether.
  const whether = /[?][ !?]*$/.test(said) && !ASKS.test(said) ? "is " : "";
  return { text: whether + said, says, declined: false };
}

const ASKS = /\b(?:what|which|how|where|who|when|why)\b|^(?:¿ ?)?(?:do|does|is|are|can|if) /;

/** Phrase by phrase, the longest first. */
function translated(
  tokens: readonly string[],
  meanings: ReadonlyMap<string, string>,
  common: ReadonlySet<string>,
): string {
  const stems = tokens.map(stem);
  const out: string[] = [];
  for (let at = 0, length = 1; at < tokens.length; at += length) {
    const run = () => stems.slice(at, at + length).join(" ");
    for (length = 6; length > 1 && !meanings.has(run()); ) length -= 1;
    const token = tokens[at]!;
    const meaning = (length === 1 && meanings.get(token)) || meanings.get(run());
    out.push(meaning ?? (common.has(token) ? "" : token));
  }
  // "Más afrutado que", "moins acide que".
  return out
    .filter((word) => word !== "")
    .join(" ")
    .replace(/\bmost (\w+(?: \w+)?) (?:what|than)\b/g, "more $1 than")
    .replace(/\bleast (\w+(?: \w+)?) (?:what|than)\b/g, "less $1 than");
}
