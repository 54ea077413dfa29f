/** German, Spanish and French onto the English words; other languages are declined in their own. */
import { deu, fra, ita, nld, pol, por, spa, swe, tur } from "stopword";
import { HARMLESS } from "./english.ts";
import { countryNames } from "./places.ts";
import { fold, list, singular, table, tokenise } from "./text.ts";

/** English = German / Spanish / French; endings are cut off on both sides. */
const TABLE = `
  which = welche / cual / quel, lequel, laquelle; what = was / que, lo que / que, quoi, qu; how =
  wie / como / comment; you = ihr, sie, euch, dir / usted, vosotros / vous, tu; how much is = wie
  viel kostet, was kostet, wie teuer ist, kostet, preis / cuanto cuesta, cuanto cuestan, cuanto
  vale, precio, cuesta / combien coute, combien coutent, combien, prix, coute; what does taste =
  wie schmeckt, schmeckt, geschmack / a que sabe, que sabor tiene, sabor, sabe / quel gout, gout,
  saveur, arome; where from = woher, woher kommt / de donde, de donde es, de donde viene / d ou
  vient, dou vient, d ou viennent, origine; do you have = habt ihr, haben sie, gibt es, hast du,
  fuhrt ihr / tienen, hay, teneis / avez vous, as tu, y a t il, vous avez; recommend = empfehlt
  ihr, empfehlen sie, empfehlung, empfiehlst du, empfehlen / recomiendan, recomienda,
  recomendacion / recommandez vous, conseillez vous, recommandez, conseillez; i like = ich mag,
  ich liebe, ich hatte gern, ich mochte, ich suche, ich will / me gusta, me gustan, quiero, busco,
  quisiera / j aime, jaime, je cherche, je voudrais, je veux; not = nicht, kein, ohne / no, sin,
  ni, ningun / pas, sans, n aime pas, aucun, naime pas, non; but = aber, sondern / pero, sino /
  mais; and = und / y, e / et; or = oder / o / ou; with = mit / con / avec; for = fur / para /
  pour; a = ein, etwas / un, algo / un; two = zwei / dos / deux; is = ist, sind, seid, passt,
  eignet, kommt / es, esta, son / est, sont, est il, est elle, est ce, vient il, viennent ils; the
  = der, die, das, den, dem, des, vom, von, zum / el, la, los, las, del, de, al / le, la, les, du,
  des, de, l, d, n, au; your = eure, euer, ihre / sus, tus, vuestros, su / vos, votre; coffee =
  kaffee, bohne, sorte, kaffeesorte / cafe, grano / cafe, grain; cheapest = gunstigste, billigste
  / mas barato, mas economico / moins cher; most expensive = teuerste / mas caro / plus cher; more
  expensive than = teurer als / mas caro que / plus cher que; cheaper than = billiger als,
  gunstiger als / mas barato que / moins cher que; hot = heiss / caliente / chaud; water = wasser
  / agua / eau; expensive = teuer / caro / cher; cheap = billig, gunstig / barato / pas cher, bon
  marche; darkest = dunkelste / mas oscuro, mas tostado / plus fonce, plus torrefie; lightest =
  hellste / mas claro, mas ligero / plus clair, plus leger; light = hell, leicht, mild / claro,
  ligero, suave / clair, leger, doux; dark = dunkel / oscuro / fonce; medium = mittel, mittlere /
  medio / moyen; roast = rostung, rostgrad, gerostet / tueste, tostado / torrefaction, torrefie;
  acidity = saure / acidez / acidite; body = korper / cuerpo / corps; acidic = sauer, saurehaltig,
  saurebetont / acido / acide; least = am wenigsten, wenigsten / menos / le moins, moins; most =
  am meisten, meisten / mas / le plus, plus; less = weniger / / ; more = mehr / / ; only = nur /
  solo, unico / seul, seulement; fruity = fruchtig, frucht / frutal, afrutado, fruta / fruite;
  floral = blumig / floral, flor / floral, floraux, fleuri; chocolate = schokolade, schokoladig,
  schokonoten / chocolate / chocolat; nut = nuss, nussig / nuez, nueces, frutos secos / noix,
  noisette; berry = beere, beerig / bayas, frutos rojos / baies, fruits rouges; sweet = suss /
  dulce / sucre; honey = honig / miel / miel; milk = milch / leche / lait; caffeine = koffein /
  cafeina / cafeine; decaf = entkoffeiniert, koffeinfrei, decaf / descafeinado / decafeine, deca;
  washed = gewaschen / lavado / lave; natural = natur, naturlich / natural / nature, naturel;
  process = aufbereitung, aufbereitet, verarbeitet / proceso, procesado / procede, traitement;
  variety = varietat / variedad / variete; note = noten, aromen / nota / note; how do i brew = wie
  bereite ich, wie brue ich, wie bruhe ich, zubereitung, zubereiten, rezept / como preparo, como
  se prepara, preparar, receta / comment preparer, preparer, recette, comment faire; temperature =
  temperatur, wassertemperatur / temperatura / temperature; ground coffee = gemahlenen kaffee,
  gemahlener kaffee / cafe molido / cafe moulu; grind = mahlgrad, gemahlen / molienda, molido /
  mouture, moulu; pour over = filterkaffee, handfilter / filtro, goteo / filtre; french press =
  stempelkanne / prensa francesa / cafetiere a piston; in stock = auf lager / en stock, en
  existencia / en stock; available = verfugbar, vorratig, lieferbar / disponible / disponible;
  shipping cost = versandkosten, versand, porto, lieferkosten / gastos de envio, costo de envio,
  envio / frais de port, frais de livraison, livraison; free shipping = versandkostenfrei,
  kostenloser versand / envio gratis / livraison gratuite; ship to = liefert ihr nach, liefern sie
  nach, versendet ihr nach, schickt ihr nach, versendet ihr, liefert ihr, verschickt ihr, ihr
  liefert nach, versand nach / hacen envios a, envian a, enviais a, mandan a, envio a / livrez
  vous en, livrez vous au, livrez vous, vous livrez, expediez vous, livraison en; how long does
  delivery take = wie lange dauert die lieferung, wie lange dauert der versand, lieferzeit /
  cuanto tarda el envio, tiempo de entrega, cuanto demora / delai de livraison, combien de temps
  prend la livraison; return it = zuruckgeben, zuruckschicken / devolver / rendre, renvoyer;
  refund = ruckgabe, erstattung, geld zuruck / reembolso, devolucion / remboursement, rembourser;
  discount = rabatt, gutschein / descuento, cupon / remise, reduction, code promo; cancel =
  stornieren, stornierung / cancelar / annuler; pay with = mit paypal zahlen, bezahlen, zahlen /
  pagar, pago / payer, paiement; organic = bio, biologisch / organico, ecologico / bio,
  biologique; from = aus / / ; all = alle, alles / todo / tous, tout; best = beste / mejor /
  meilleur, bon; under = unter / menos de, por debajo de / moins de; do you sell = verkauft ihr,
  verkaufen sie / venden, vendeis / vendez vous; difference = unterschied / diferencia /
  difference; between = zwischen / entre / entre; compare = vergleich / comparar, compara /
  comparer; three = drei / tres / trois; bag = tute, packung, beutel / bolsa, paquete / sachet,
  paquet, sac; how long = wie lange / cuanto tiempo / combien de temps; taste = / gusto / gouter;
  can i = kann ich / puedo / puis je; like = hat, haben, wird, gern, ware, zu, mir, uns /
  porfavor, por favor, bueno, bien, me, nos / ce, cest, c, qui, s il vous plait, svp, me, nous`;

/** A word without its ending: "günstigsten", "baratos", "chère". */
const stem = (word: string): string =>
  word.length < 4
    ? word
    : word.replace(/(?:te[tnmrs]?|e[tnmrs]?|[ao]s|[aeionstx])$/, "").replace(/(.)\1$/, "$1");
const stems = (phrase: string): string => phrase.split(" ").map(stem).join(" ");
const words = (all: readonly string[]): ReadonlySet<string> =>
  new Set(all.map(fold).filter((word) => word.length > 1));

/** Before an answer in English to a question that was not; or a decline in the language itself. */
const LANGUAGES: readonly [common: readonly string[], marks: RegExp, says: string][] = [
  [deu, /[äöüß]/i, "Auf Englisch:"],
  [spa, /[¿¡ñ]|ción/i, "En inglés:"],
  [fra, /[àèêçœ]|\b[ldj]['’]|qu['’]/i, "En anglais :"],
  [nld, /koffie|hoeveel|welke|jullie/i, "Stel uw vraag alstublieft in het Engels."],
  [por, /ção|ões|quanto custa|você/i, "Desculpe, pergunte em inglês, por favor."],
  [ita, /caffè|\bcaffe\b|quanto costa/i, "Mi dispiace, faccia la domanda in inglese, per favore."],
  [pol, /kaw[aęy]|kosztuje|[łąęż]/i, "Przepraszam, proszę zapytać po angielsku."],
  [tur, /kahve|fiyat|[ğış]/, "Üzgünüm, lütfen İngilizce sorun."],
  [swe, /kaffe|kostar|smakar/i, "Ställ gärna frågan på engelska."],
];

/** What tells another script, and a decline in its language. */
const SCRIPTS = table(
  String.raw`
  [\p{sc=Hira}\p{sc=Kana}]: 申し訳ありませんが、英語でご質問ください。
  \p{sc=Hangul}: 죄송합니다. 영어로 질문해 주세요.
  \p{sc=Han}: 抱歉，请用英语提问。
  [іїєґ]: Вибачте, запитайте, будь ласка, англійською.
  \p{sc=Cyrillic}: Извините, задайте, пожалуйста, вопрос по-английски.
  \p{sc=Arabic}: عذرًا، يرجى طرح السؤال بالإنجليزية.
  \p{sc=Hebrew}: סליחה, נא לשאול באנגלית.
  \p{sc=Greek}: Συγγνώμη, ρωτήστε στα αγγλικά.
  \p{sc=Thai}: ขออภัย กรุณาถามเป็นภาษาอังกฤษ
  \p{sc=Devanagari}: क्षमा करें, कृपया अंग्रेज़ी में पूछें।`,
  (says) => says.trim(),
);

interface Table {
  /** Stems of words and phrases, with what they are in English; empty where we have none. */
  english: ReadonlyMap<string, string>;
  common: ReadonlySet<string>;
  marks: RegExp;
  says: string;
}

/** Put together when the first question comes. */
const TABLES: readonly Table[] = LANGUAGES.map(([common, marks, says], at) => {
  const name = (["de", "es", "fr"] as const)[at];
  const rows = TABLE.replace(/\s+/g, " ").trim().split("; ");
  const entries = rows.flatMap((row) => {
    const [to = "", others = ""] = row.split(" = ");
    return list(others.split(" / ")[at] ?? "").map((word) => [word, to] as const);
  });
  const inEnglish = new Map(countryNames("en"));
  const countries = name ? countryNames(name).filter(([, country]) => country.length > 3) : [];
  const english = new Map([
    ...countries.map(
      ([code, country]) => [stems(country), inEnglish.get(code) ?? country] as const,
    ),
    ...entries.map(([word, to]) => [stems(word), to] as const).reverse(),
    ...entries.reverse(),
  ]);
  return { english, common: words(common), marks, says };
});

/** The question in English; `says` where it was another language, `declined` where we know none of it. */
export function understood(question: string, knows: (word: string) => boolean) {
  const script = [...SCRIPTS].find(([mark]) => new RegExp(mark, "iu").test(question));
  if (script) return { text: question, says: script[1], declined: true };
  const tokens = tokenise(
    fold(question.replace(/(?<=\b(?:[ldjnsmct]|qu))['’](?=\p{L}{3})/giu, " ")),
  );
  const foreign = tokens.filter((token) => !HARMLESS.has(token) && !knows(singular(token)));
  const scores = TABLES.map((language) => {
    const { english, common, marks } = language;
    const own = foreign.filter(
      (token) => english.has(token) || english.has(stem(token)) || common.has(token),
    );
    return { ...language, score: own.length + (marks.test(question) ? 2 : 0) };
  });
  const [best] = scores.sort((a, b) => b.score - a.score);
  const english = tokens.filter((token) => HARMLESS.has(token)).length;
  if (!best || best.score <= english) return { text: question, says: null, declined: false };
  if (best.english.size === 0)
    return { text: question, says: best.score > 1 ? best.says : null, declined: best.score > 1 };
  const out: string[] = [];
  for (let at = 0, length = 1; at < tokens.length; at += length) {
    const run = () =>
      tokens
        .slice(at, at + length)
        .map(stem)
        .join(" ");
    length = Math.min(6, tokens.length - at);
    while (length > 1 && !best.english.has(run())) length -= 1;
    const exact = length === 1 ? best.english.get(tokens[at]!) : undefined;
    out.push(exact ?? best.english.get(run()) ?? tokens[at]!);
  }
  return { text: out.join(" "), says: best.says, declined: false };
}
