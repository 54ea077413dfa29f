/** What beans have in common, and which are most and least like one. */
import type { Query } from "./evaluate.ts";
import type { Beans } from "./facts.ts";
import { fitting, wanted } from "./find.ts";
import type { Shown } from "./reading.ts";
import { evidence, merge, rows, type Statement, say } from "./say.ts";
import type { Trait } from "./traits.ts";

/** What two have in common, or which are most like one of them, by all that is known of them. */
export function alike(query: Query, traits: readonly Trait[]): Statement | null {
  const { cues, wishes, degree, subjects, all, before, asks } = query;
  const some = subjects.length < all.length ? subjects : wishes.length === 0 ? before : [];
  const [mark, ...others] = some;
  const fields = asks.map(({ field }) => field);
  if (!cues.has("SIMILAR") || degree || !mark || fields.includes("price_minor")) return null;
  const ofThese = traits.filter(({ field }) => fields.length === 0 || fields.includes(field));
  const shared = (beans: Beans) =>
    ofThese.flatMap((trait) =>
      beans.every(({ id }) => trait.has.has(id)) ? { trait, not: false, or: false } : [],
    );
  const told = (head: string, beans: Beans, common: Shown) => {
    const shown = common.length > 0 ? evidence(beans, common) : rows(beans, ...fields);
    return say(`${head}: ${wanted(common) || "nothing that our facts tell"}`, shown);
  };
  if (others.length > 0) return told("In common", some, shared(some));
  const besides = wishes.filter(({ refers, trait }) => !(refers && trait.has.has(mark.id)));
  const pairs = fitting(all, besides).flatMap((bean) =>
    bean === mark ? [] : { bean, common: shared([mark, bean]) },
  );
  const most = Math.max(...pairs.map(({ common }) => common.length));
  const nearest = pairs.filter(({ common }) => common.length === most);
  if (nearest.length === 0) return null;
  const head = [`Most like ${mark.name}`, wanted(besides)].filter((words) => words !== "");
  return merge(nearest.map(({ bean, common }) => told(head.join(", "), [bean], common)));
}
