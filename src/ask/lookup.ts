/** What is asked of beans that are meant: fields, recipes, sums, how many there are. */
import { shippingMinor } from "../domain/quote/pricing.ts";
import { display } from "../domain/shared/money.ts";
import type { Live } from "./answer.ts";
import type { Bean, Beans } from "./facts.ts";
import { find, fitting, meant, methodsOf, refers, wanted } from "./find.ts";
import type { Reading } from "./reading.ts";
import { merge, namesOf, type Piece, piece, proof, shown, tell, told } from "./say.ts";
import { join, lowerFirst, NUMBER_WORDS, upperFirst } from "./text.ts";

export function lookup(reading: Reading, beans: Beans, live: Live): Piece {
  const { asks, wishes, bound } = reading;
  const subjects = wishes.filter(({ trait, not }) => not || trait.dimension !== "method");
  const pool = fitting(
    meant(beans, subjects),
    subjects.filter((wish) => !refers(wish)),
    bound,
  );
  if (pool.length === 0) return find(reading, beans);
  const lines = orderOf(reading, pool);
  const fields = [...new Set(asks.map(({ field }) => field))];
  return merge(
    fields.map((field) => {
      if (field === "brewing")
        return brewing(pool, reading, subjects.length > 0 || pool.length < beans.length);
      return field === "price_minor" && lines.length > 0 ? priceOf(lines) : tell(pool, field, live);
    }),
  );
}

/** The recipes of the methods that are meant; of all beans and methods only which there are. */
export function brewing(pool: Beans, { wishes, asks }: Reading, chosen: boolean): Piece {
  const methods = methodsOf(wishes);
  const isMeant = ({ family }: { family: string }) =>
    methods.length === 0 || methods.includes(family);
  const able = pool.filter(({ recipes }) => recipes.some(isMeant));
  if (able.length === 0) {
    const [one, ...more] = pool;
    const what = `${methods.join(" or ")} recipe`;
    if (!one || more.length > 2) return piece(`Our facts do not say anything about a ${what}.`);
    const instead = more.length === 0 ? `, but ${told(one, "brewing")}` : "";
    return piece(
      `Our facts have no ${what} for ${namesOf(pool)}${instead}.`,
      pool.flatMap((bean) => proof(bean, "brewing")),
      pool,
    );
  }
  if (methods.length === 0 && !chosen && asks.every(({ param }) => param === undefined))
    return tell(able, "brewing");
  const ratio = asks.some(({ param }) => param === "ratio");
  const lines = able.flatMap(({ name, recipes }) =>
    recipes.filter(isMeant).map(({ fact, numbers }) => ({
      text: `${name}, ${lowerFirst(fact.value)}${ratio && numbers.ratio ? ` That is 1 to ${Number(numbers.ratio.toFixed(1))}.` : ""}`,
      fact,
    })),
  );
  return piece(
    lines.map(({ text }) => text).join(" "),
    lines.map(({ fact }) => fact),
    able,
  );
}

export interface Line {
  bean: Bean;
  bags: number;
}

/** The bags that are spoken of: "2 Huila and a bag of the Guji", "how much are three?" */
export function orderOf({ wishes, bags }: Reading, pool: Beans): Line[] {
  const lines = wishes.flatMap((wish) => {
    const [bean, ...more] = refers(wish) ? pool.filter(({ id }) => wish.trait.has.has(id)) : [];
    return wish.bags !== null && bean && more.length === 0 ? [{ bean, bags: wish.bags }] : [];
  });
  const [only, ...others] = pool;
  return lines.length > 0 || bags === null || !only || others.length > 0
    ? lines
    : [{ bean: only, bags }];
}

export const sumOf = (lines: readonly Line[]): number =>
  lines.reduce((sum, { bean, bags }) => sum + bean.product.price_minor * bags, 0);

const bagsOf = ({ bean, bags }: Line): string =>
  `${bags} ${bags === 1 ? "bag" : "bags"} of ${bean.name} at ${display(bean.product.price_minor)}`;

/** To one address, as a quote would begin it. */
function priceOf(lines: readonly Line[]): Piece {
  const sum = sumOf(lines);
  const shipping = shippingMinor(sum);
  const paid = `and ${display(shipping)} shipping to one address, ${display(sum + shipping)} in all`;
  const text = `${join(lines.map(bagsOf))}: ${display(sum)}, ${shipping === 0 ? "ships free to one address" : paid}, before any courtesy.`;
  const beans = lines.map(({ bean }) => bean);
  return piece(
    text,
    beans.flatMap((bean) => proof(bean, "price_minor")),
    beans,
  );
}

/** How many fit, or how many bags a sum buys. */
export function count({ wishes, bound, money }: Reading, beans: Beans): Piece {
  const [bean, ...more] = wishes.some(refers) ? meant(beans, wishes) : [];
  if (money !== null && bean && more.length === 0) {
    const bags = Math.floor(money / bean.product.price_minor);
    return piece(
      `${display(money)} buys ${bagsOf({ bean, bags })}, shipping aside.`,
      proof(bean, "price_minor"),
      [bean],
    );
  }
  const fit = fitting(beans, wishes, bound, true);
  const number = upperFirst(NUMBER_WORDS[fit.length] ?? String(fit.length));
  if (wishes.length === 0 && !bound)
    return piece(
      `${number}: ${namesOf(fit)}.`,
      fit.flatMap((one) => proof(one, "country")),
      fit,
    );
  const { text, facts } = shown(fit, wishes);
  return piece(
    `${number} of our ${beans.length} coffees (${wanted(wishes, bound)})${text && `: ${text}`}.`,
    facts,
    fit,
  );
}

export function list(beans: Beans, live: Live): Piece {
  const parts = beans.map((bean) => {
    const { roast_level, decaf } = bean.product;
    return `${bean.name} (${told(bean, "process")}, ${roast_level.toLowerCase()} roast, ${told(bean, "price_minor", live)}${decaf ? ", decaf" : ""})`;
  });
  const fields = ["process", "roast", "price_minor"] as const;
  return piece(
    `We sell ${join(parts)}.`,
    beans.flatMap((bean) => fields.flatMap((field) => proof(bean, field))),
    beans,
  );
}
