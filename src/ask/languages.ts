/** Everyday questions in German, Spanish and French, word by word onto the English ones; other languages are declined in their own. */
import { countryNames } from "./places.ts";
import { fold, tokenise } from "./text.ts";

type Language = "de" | "es" | "fr";

/** English = German / Spanish / French; phrases first where they share a word. */
const TABLE = `
which = welcher, welche, welches, welchen / cual, cuales / quel, quelle, quels, quelles, lequel, laquelle
what = was / que, lo que / que, quoi, qu
how = wie / como / comment
how much is = wie viel kostet, was kostet, was kosten, wie teuer ist, kostet, kosten, preis, preise / cuanto cuesta, cuanto cuestan, cuanto vale, precio, precios, cuesta / combien coute, combien coutent, combien, prix, coute, quel est le prix
what does taste = wie schmeckt, wie schmecken, schmeckt, geschmack / a que sabe, que sabor tiene, sabor, sabe, sabores / quel gout, gout, gouts, saveur, saveurs, aromes
where from = woher, woher kommt, woher kommen / de donde, de donde es, de donde viene / d ou vient, dou vient, d ou viennent, origine
do you have = habt ihr, haben sie, gibt es, hast du, fuhrt ihr / tienen, tienes, hay, teneis / avez vous, as tu, y a t il, vous avez
recommend = empfehlt ihr, empfehlen sie, empfehlung, empfiehlst du, empfehlen / recomiendan, recomiendas, recomienda, recomendacion / recommandez vous, conseillez vous, recommandez, conseillez
i like = ich mag, ich liebe, ich hatte gern, ich mochte, ich suche, ich will / me gusta, me gustan, quiero, busco, quisiera / j aime, jaime, je cherche, je voudrais, je veux
not = nicht, kein, keine, keinen, ohne / no, sin, ni, ningun / pas, sans, n aime pas, aucun, naime pas, non
but = aber, sondern / pero, sino / mais
and = und / y, e / et
or = oder / o / ou
with = mit / con / avec
for = fur / para / pour
is = ist, sind, seid, passt, passen / es, esta, son, estan / est, sont
the = der, die, das, den, dem, des, vom, von, zu, zum / el, la, los, las, del, de, al / le, la, les, du, des, de, l, d, au
a = ein, eine, einen, einer, etwas / un, una, algo, unos / un, une
you = ihr, sie, euch, dir / usted, ustedes, vosotros / vous, tu
your = eure, euer, euren, ihre, ihr / sus, tus, vuestros, su / vos, votre, vos
coffee = kaffee, kaffees, bohne, bohnen, sorte, sorten, kaffeesorten / cafe, cafes, granos / cafe, cafes, grain, grains
cheapest = gunstigste, gunstigsten, billigste, billigsten, gunstigster / mas barato, mas barata, mas economico / moins cher, moins chere, moins chers
most expensive = teuerste, teuersten, teuerster / mas caro, mas cara / plus cher, plus chere
expensive = teuer / caro, cara, caros / cher, chere, chers
cheap = billig, gunstig / barato, barata, baratos / pas cher, bon marche
darkest = dunkelste, dunkelsten, dunkelster / mas oscuro, mas tostado / plus fonce, plus torrefie
lightest = hellste, hellsten / mas claro, mas ligero / plus clair, plus leger
light = hell, helle, heller, helles, leicht, leichte / claro, clara, ligero, ligera, suave / clair, claire, leger, legere
dark = dunkel, dunkle, dunkler, dunklen / oscuro, oscura / fonce, foncee
medium = mittel, mittlere / medio, media / moyen, moyenne
roast = rostung, rostgrad, gerostet / tueste, tostado / torrefaction, torrefie
acidity = saure, sauer / acidez, acido / acidite
acidic = sauer, saurehaltig, saurebetont / acido, acidos / acide, acides
least = am wenigsten, wenigsten / menos / le moins, moins
most = am meisten, meisten / mas / le plus, plus
less = weniger / menos / moins
more = mehr / mas / plus
body = korper / cuerpo / corps
fruity = fruchtig, fruchtige, fruchtigen, fruchtiger, fruchtiges, frucht, fruchte / frutal, frutales, afrutado, fruta, frutas / fruite, fruites, fruitee, fruit, fruits
floral = blumig, blumige, blumiges, floral / floral, florales, flores / floral, floraux, fleuri, fleurs
chocolate = schokolade, schokoladig, schokoladige, schokonoten / chocolate / chocolat, chocolate, chocolatee
nut = nuss, nusse, nussen, nussig, nussige / nuez, nueces, frutos secos / noix, noisette, noisettes
berry = beere, beeren, beerig / bayas, frutos rojos / baies, fruits rouges
sweet = suss, susse, susser / dulce, dulces / sucre, doux, douce
honey = honig / miel / miel
milk = milch / leche / lait
decaf = entkoffeiniert, entkoffeinierten, entkoffeinierter, koffeinfrei, koffeinfreien, koffeinfreier, decaf / descafeinado, descafeinados / decafeine, decafeines, deca
caffeine = koffein / cafeina / cafeine
washed = gewaschen, gewaschene, gewaschener / lavado, lavados, lavada / lave, laves
natural = natur, naturlich / natural, naturales / nature, naturel
process = aufbereitung, aufbereitet, verarbeitet / proceso, procesado / procede, traitement
variety = varietat, sorte / variedad, variedades / variete, varietes
note = noten, aromen, note / notas, nota / notes, note
how do i brew = wie bereite ich, wie brue ich, wie bruhe ich, zubereitung, zubereiten, rezept, zu / como preparo, como se prepara, preparar, receta / comment preparer, preparer, recette, comment faire
temperature = temperatur, wassertemperatur / temperatura / temperature
grind = mahlgrad, gemahlen / molienda, molido / mouture, moulu
pour over = filterkaffee, handfilter / filtro, goteo / filtre
french press = stempelkanne / prensa francesa / cafetiere a piston
shipping cost = versandkosten, versand, porto, lieferkosten / gastos de envio, costo de envio, envio, envios / frais de port, frais de livraison, livraison
ship to = liefert ihr nach, liefern sie nach, versendet ihr nach, schickt ihr nach / hacen envios a, envian a, enviais a, mandan a / livrez vous en, livrez vous au, livrez vous, expediez vous
how long does delivery take = wie lange dauert die lieferung, wie lange dauert der versand, lieferzeit / cuanto tarda el envio, tiempo de entrega, cuanto demora / delai de livraison, combien de temps prend la livraison
free shipping = versandkostenfrei, kostenloser versand / envio gratis / livraison gratuite
refund = ruckgabe, erstattung, geld zuruck, zuruckgeben / reembolso, devolucion, devoluciones, reembolsos / remboursement, remboursements, rembourser
discount = rabatt, gutschein / descuento, cupon / remise, reduction, code promo
cancel = stornieren, stornierung / cancelar / annuler
from = aus / de / du
all = alle, alles / todos, todas / tous, toutes
only = nur / solo, unico / seul, seulement
best = beste, besten, bester / mejor, mejores / meilleur, meilleurs, bon, bons
under = unter / menos de, por debajo de / moins de
available = verfugbar, vorratig, lieferbar / disponible, disponibles / disponible, disponibles
do you sell = verkauft ihr, verkaufen sie / venden, vendeis / vendez vous
difference = unterschied / diferencia, diferencias / difference, differences
between = zwischen / entre / entre
return it = zuruckgeben, zuruckschicken / devolver / rendre, renvoyer
like = hat, haben, wird, gern / tiene, porfavor, por favor, bueno, buena, bien / ce, cest, est ce que, c, s il vous plait, svp
pay with = mit paypal zahlen, bezahlen, zahlen / pagar, pago / payer, paiement
organic = bio, biologisch / organico, ecologico / bio, biologique
compare = vergleich, vergleiche / comparar, compara / comparer
two = zwei / dos / deux
three = drei / tres / trois
bag = tute, tuten, packung, packungen, beutel / bolsa, bolsas, paquete / sachet, sachets, paquet, sac
how long = wie lange / cuanto tiempo / combien de temps
shipping to = versand nach / envio a / livraison en
do you ship to = ihr liefert nach, vous livrez en, vous livrez au / vous envian a / vous livrez au, vous livrez en, vous livrez
like = kommen, kommt, ware, mir, uns / me, nos / me, nous
taste = schmecken / gusto / gouter
can i = kann ich / puedo / puis je
`;

const ENGLISH = new Set(
  "the is are what which how do you have does any i im my with for it much can your to of please and coffee a taste like not where from no after should would some something".split(
    " ",
  ),
);

let built: Record<Language, Map<string, string>> | undefined;

function tables(): Record<Language, Map<string, string>> {
  if (built) return built;
  built = { de: new Map(), es: new Map(), fr: new Map() };
  for (const line of TABLE.trim().split("\n")) {
    const [english = "", others = ""] = line.split(" = ");
    others.split(" / ").forEach((words, at) => {
      const into = built![(["de", "es", "fr"] as const)[at]!];
      for (const word of words.split(", ")) if (!into.has(word)) into.set(word, english);
    });
  }
  const english = new Map(countryNames("en"));
  for (const language of ["de", "es", "fr"] as const)
    for (const [code, name] of countryNames(language))
      if (name.length > 3 && !built[language].has(name))
        built[language].set(name, english.get(code) ?? name);
  return built;
}

/** The question in English where it is German, Spanish or French; which of them it was. */
export function translate(
  question: string,
  knows: (word: string) => boolean,
): { text: string; language: Language | null } {
  const tokens = tokenise(
    fold(question.replace(/(?<=\b(?:[ldjnsmct]|qu))['’](?=\p{L}{3})/giu, " ")),
  );
  const english = tokens.filter((token) => ENGLISH.has(token)).length;
  const all = tables();
  const scores = (["de", "es", "fr"] as const).map((language) => ({
    language,
    score:
      tokens.filter((token) => all[language].has(token) && !ENGLISH.has(token) && !knows(token))
        .length + (MARKS[language].test(question) ? 1 : 0),
  }));
  const best = scores.toSorted((a, b) => b.score - a.score)[0]!;
  if (best.score === 0 || best.score <= english) return { text: question, language: null };
  return { text: replaceAll(tokens, all[best.language]), language: best.language };
}

const MARKS = { de: /[äöüß]/i, es: /[¿¡ñ]|ción/i, fr: /[àèêçœ]|\b[ldj]['’]|qu['’]/i };

function replaceAll(tokens: readonly string[], table: ReadonlyMap<string, string>): string {
  const out: string[] = [];
  for (let at = 0; at < tokens.length; ) {
    const stem = (word: string) =>
      table.get(word) ?? table.get(word.replace(/(?:e[nrsm]|[ens])$/, "")) ?? table.get(`${word}s`);
    let length = Math.min(6, tokens.length - at);
    while (length > 1 && !table.has(tokens.slice(at, at + length).join(" "))) length -= 1;
    out.push(
      length > 1
        ? table.get(tokens.slice(at, at + length).join(" "))!
        : (stem(tokens[at]!) ?? tokens[at]!),
    );
    at += length;
  }
  return out.join(" ");
}

/** What tells another language, and a decline in it. */
const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/[\u3040-\u30ff]/, "申し訳ありませんが、英語でご質問ください。"],
  [/[\uac00-\ud7af]/, "죄송합니다. 영어로 질문해 주세요."],
  [/[\u4e00-\u9fff]/, "抱歉，请用英语提问。"],
  [/[іїєґ]/i, "Вибачте, запитайте, будь ласка, англійською."],
  [/[\u0400-\u04ff]/, "Извините, задайте, пожалуйста, вопрос по-английски."],
  [/[\u0600-\u06ff]/, "عذرًا، يرجى طرح السؤال بالإنجليزية."],
  [/[\u0590-\u05ff]/, "סליחה, נא לשאול באנגלית."],
  [/[\u0370-\u03ff]/, "Συγγνώμη, ρωτήστε στα αγγλικά."],
  [/[\u0e00-\u0e7f]/, "ขออภัย กรุณาถามเป็นภาษาอังกฤษ"],
  [/[\u0900-\u097f]/, "क्षमा करें, कृपया अंग्रेज़ी में पूछें।"],
  [
    /\b(?:hoeveel|welke|hebben jullie|jullie|koffie|wat kost|zonder)\b/i,
    "Stel uw vraag alstublieft in het Engels.",
  ],
  [
    /\b(?:voces?|quanto custa|nao|tem cafe|envio para o|qual e o)\b/i,
    "Desculpe, pergunte em inglês, por favor.",
  ],
  [
    /\b(?:quanto costa|che gusto|avete|qual e il|caffe|della|senza|spedite|gusto ha)\b/i,
    "Mi dispiace, faccia la domanda in inglese, per favore.",
  ],
  [/\b(?:jaka|jaki|kawa|kawy|ile kosztuje|macie)\b/i, "Przepraszam, proszę zapytać po angielsku."],
  [/\b(?:kahve|fiyat|hangi|ne kadar)\b/i, "Üzgünüm, lütfen İngilizce sorun."],
  [/\b(?:kaffet|vilket|hur mycket|vilken|smakar)\b/i, "Ställ gärna frågan på engelska."],
];

export const otherLanguage = (question: string): string | null =>
  OTHERS.find(([mark]) => mark.test(question) || mark.test(fold(question)))?.[1] ?? null;

/** Before an answer in English to a question that was not. */
export const IN_ENGLISH: Readonly<Record<Language, string>> = {
  de: "Auf Englisch:",
  es: "En inglés:",
  fr: "En anglais :",
};
