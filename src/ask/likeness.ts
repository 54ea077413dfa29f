/** What beans have in common, and which are most and least like one. */
import type { Fact, Field } from "./ask.ts";
import { beyond } from "./beside.ts";
import type { Query } from "./evaluate.ts";
import type { Beans } from "./facts.ts";
import { fitting, wanted } from "./find.ts";
import type { Shown } from "./reading.ts";
import { evidence, merge, rows, type Statement, say, sentence, tell, titleOf } from "./say.ts";
import type { Trait } from "./traits.ts";

/** "If I like the Huila, what else?" "Like the Guji, but affordable." */
export const LIKED = /\b(?:like|love|enjoy)\b/;

const SHARED = /\bshare\b|\b(?:which|any|two)\b.*\bsame\b/;

/** "Do any two share a tasting note?", "which have the same price?" */
function sharing(all: Beans, field: Field): Statement {
  const facts = all.flatMap((bean) => bean.facts[field].map((fact) => ({ bean, facts: [fact] })));
  // "Light roast: juicy and bright".
  const nameOf = ([fact]: readonly Fact[]) => fact!.value.replace(/:.*/s, "");
  const groups = Map.groupBy(facts, (one) => nameOf(one.facts).toLowerCase());
  const shared = [...groups.values()].filter((some) => some.length > 1);
  if (shared.length === 0)
    return sentence(`${titleOf(field)}: no two of our coffees have the same.`);
  return merge(shared.map((some) => say(`The same: ${nameOf(some[0]!.facts)}`, some)));
}

/**
 * What two have in common, what one has alone, or which are most or least like it, by all that is
 * known of them.
 */
export function alike(query: Query, traits: readonly Trait[]): Statement | null {
  const { cues, wishes, degree, subjects, all, before, asks, text } = query;
  const told = subjects.length < all.length ? subjects : [];
  const ofAll = cues.has("SIMILAR") && cues.has("ALL") && asks.length === 0 ? all : before;
  const some = wishes.length === 0 ? ofAll : told;
  const [mark, ...others] = some;
  // "Is it in stock, and if not, what comes closest?"
  const fields: Field[] = asks.flatMap(({ field }) => (field === "availability" ? [] : field));
  const stock = fields.length < asks.length ? some.slice(0, 1) : [];
  const more = cues.has("ELSE") && LIKED.test(text);
  const apart = cues.has("APART") || (cues.has("COMPARE") && cues.has("REST"));
  const [field] = fields;
  // "Which has the same roast as the Guji?"
  const isSame = !query.yesNo && others.length === 0 && /\bsame\b.* as\b/.test(text) && field;
  const asked = more || apart || isSame || cues.has("SIMILAR") || cues.has("OPPOSITE");
  if (some.length + wishes.length === 0 && field && SHARED.test(text)) return sharing(all, field);
  if (!asked || !mark || fields.includes("price_minor")) return null;
  const { param } = asks[0] ?? {};
  const ofThese = traits.filter(
    (one) =>
      fields.length === 0 || (fields.includes(one.field) && one.kind === (param ?? one.kind)),
  );
  const shared = (beans: Beans) =>
    ofThese.flatMap((trait) =>
      beans.every(({ id }) => trait.has.has(id)) ? { trait, not: false, or: false } : [],
    );
  // "The same roast as the Guji, but cheaper."
  if (isSame && degree?.form === "comp") {
    const beans = all.filter((bean) => shared([mark, bean]).length > 0);
    const told = beyond({ ...query, all: beans }, [{ order: degree, mark }]);
    return { ...merge([told, tell([mark], field)]), about: told.about };
  }
  if (degree) return null;
  const tellOf = (head: string, beans: Beans, common: Shown) => {
    const shown = common.length > 0 ? evidence(beans, common) : rows(beans, ...fields);
    return say(`${head}: ${wanted(common) || "nothing that our facts tell"}`, shown);
  };
  if (apart && others.length === 0) {
    const own = shared([mark]).filter(({ trait }) => trait.has.size === 1);
    return tellOf(`Of all our coffees ${mark.name} alone has`, [mark], own);
  }
  if (others.length > 0) return tellOf("In common", some, shared(some));
  const besides = wishes.filter(({ refers, trait }) => !(refers && trait.has.has(mark.id)));
  const pairs = fitting(all, besides).flatMap((bean) =>
    bean === mark ? [] : { bean, common: shared([mark, bean]) },
  );
  const counts = pairs.map(({ common }) => common.length);
  const [words, count] = cues.has("OPPOSITE")
    ? ["Least like", Math.min(...counts)]
    : ["Most like", Math.max(...counts)];
  if (isSame && count === 0)
    return sentence(`${titleOf(field)}: none of our other coffees has the same.`, [mark]);
  const found = pairs.filter(({ common }) => common.length === count);
  const head = [`${words} ${mark.name}`, wanted(besides)].filter((one) => one !== "");
  const like = found.map(({ bean, common }) => tellOf(head.join(", "), [bean], common));
  return merge([...stock.map((bean) => tell([bean], "availability", query.live)), ...like]);
}
