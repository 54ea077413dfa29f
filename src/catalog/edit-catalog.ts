import { audited, type MerchantAct, refuseIfChangedSince } from "../core/audit.ts";
import { insert, put, type Rule, type State, update, writeRule } from "../core/command.ts";
import { MerchantError, unknownTo } from "../core/errors.ts";
import { invalid } from "../core/input-problems.ts";
import type { BeanRow } from "../core/records.ts";
import { beanRow, catalogOfRows, factChanges, productOf } from "./bean-rows.ts";
import { type Product, ruleProblems, ruleText } from "./catalog.ts";
import { catalogReads, nextVersion, refuseOtherVersion } from "./catalog-version.ts";
import { isOfferedNow, offerAnew, offersOf } from "./offer-free-stock.ts";

/** The merchant edits the catalog (contract §1), which is sold at once. Quotes keep their price. */
interface EditCatalog extends MerchantAct {
  /** Every bean there is at `catalogVersion`, and those to add. Some rules hold over all of them. */
  productIds: readonly string[];
  catalogVersion: number;
}

interface SaveBean extends EditCatalog {
  product: Product;
  onSale: boolean;
  /** `changed_at` of the bean that the page showed; null for a new bean. */
  seen: number | null;
}

export type SavedCatalog = { version: string; changed: string[] };

/** Also the offers of beans that may come back on sale. */
const editReads = ({ productIds }: EditCatalog) => [
  ...catalogReads(productIds),
  offersOf(productIds),
];

/** Saves a bean, or a new one behind the others. */
export const saveBean: Rule<SaveBean, SavedCatalog> = {
  reads: editReads,
  decide(c, s) {
    const { product_id } = c.product;
    const row = s.beans.find((one) => one.product_id === product_id);
    const there = row && row.published !== null;
    if (there && c.seen === null) {
      const detail = "Another bean has this id. Choose a new one.";
      throw invalid({ problems: [{ pointer: "/product/product_id", code: "TAKEN", detail }] });
    }
    refuseIfChangedSince(c.seen, there ? row.changed_at : null, "This bean");
    const { position = s.beans.length, changed_at = 0 } = row ?? {};
    const saved = { changed_at, ...beanRow(c.product, position, c.onSale) };
    const rest = s.beans.filter((one) => one !== row);
    return become([...rest, saved], c, s, "catalog.saved");
  },
};

/** Replaces the whole catalog. A bean that is not in the new one goes off sale. */
export const importCatalog: Rule<EditCatalog & { products: readonly Product[] }, SavedCatalog> = {
  reads: editReads,
  decide(c, s) {
    const imported = c.products.map((product, position) => ({
      ...(s.beans.find((row) => row.product_id === product.product_id) ?? { changed_at: 0 }),
      ...beanRow(product, position),
    }));
    const ids = new Set(imported.map(({ product_id }) => product_id));
    const rest = s.beans
      .filter(({ product_id }) => !ids.has(product_id))
      .map((row, i) => ({ ...row, on_sale: 0, position: imported.length + i }));
    return become([...imported, ...rest], c, s, "catalog.imported");
  },
};

/** Strictly later each time, so that of two pages with the same version only one can save. */
const laterThan = (row: BeanRow | undefined, now: number): number =>
  Math.max(now, (row?.changed_at ?? 0) + 1);

/** Writes the new beans, after checking the rules over all of them, with an audit entry for each. */
function become(after: readonly BeanRow[], c: EditCatalog, s: State, act: string) {
  refuseOtherVersion(c, s);
  refuseTogether(inOrder(after));
  const changed = after.filter((row) => {
    const before = beanIn(s, row);
    return CHANGING.some((column) => before?.[column] !== row[column]);
  });
  const first = changed.find((row) => factChanges(beanIn(s, row), row).length > 0);
  const ids = changed.map(({ product_id }) => product_id);
  if (ids.length === 0)
    return { reply: { version: String(c.catalogVersion), changed: [] }, writes: [] };
  const { version, writes } = nextVersion(s, ids);
  const back = ids.filter((id) => !isOfferedNow(s, id) && isOfferedNow({ beans: after }, id));
  return {
    reply: { version: String(version), changed: ids },
    writes: [
      ...writes,
      ...changed.flatMap((row) => [
        ...writesFor(row, { ...c, isFirst: row === first }, s, act),
        ...openingStock(row, version, s),
      ]),
      ...offerAnew(s, back, c),
    ],
  };
}

const beanIn = ({ beans }: Pick<State, "beans">, { product_id }: BeanRow) =>
  beans.find((one) => one.product_id === product_id);

/** Columns whose change updates `changed_at`. */
const CHANGING = ["published", "on_sale", "position"] as const;

/** Rules over all beans, each at the field that breaks it. */
function refuseTogether(rows: readonly BeanRow[]): void {
  const { products } = catalogOfRows(rows);
  const problems = ruleProblems({ products });
  if (problems.length === 0) return;
  throw new MerchantError("VALIDATION_FAILED", problems.map(ruleText).join("\n"), {
    problems: problems.map(({ index, field, detail }) => {
      const place = index === null ? "" : `/${index}`;
      return { pointer: `/products${place}/${field}`, code: "RULE", detail };
    }),
  });
}

/** Characters of a text that the audit log keeps. */
const KEPT = 120;

function writesFor(row: BeanRow, c: EditCatalog & { isFirst: boolean }, s: State, act: string) {
  const { product_id, ...columns } = row;
  const before = beanIn(s, row);
  const set = { ...columns, changed_at: laterThan(before, c.now) };
  const changes = factChanges(before, row);
  const cut = (text: string | null) => text?.slice(0, KEPT) ?? null;
  const detail = Object.fromEntries(
    before?.published
      ? changes.map(({ field, from, to }) => [field, [cut(from), cut(to)]])
      : [["new", true]],
  );
  // The first entry has the act's own id, which identifies a form that was sent twice.
  const by = c.isFirst ? c.by : { ...c.by, id: `${c.by.id}_${product_id}` };
  return [
    put("beans", before, { product_id }, set),
    ...(changes.length > 0 ? [audited({ ...c, by }, act, product_id, detail)] : []),
  ];
}

/** Stock of a bean that goes on sale for the first time. */
function openingStock(row: BeanRow, catalog_version: number, s: State) {
  const product = productOf(row);
  const counted = s.stock.some(({ product_id }) => product_id === row.product_id);
  if (!product || counted) return [];
  const { product_id, opening_stock: on_hand } = product;
  return [insert("stock", { product_id, on_hand, held: 0, catalog_version })];
}

interface MoveBean extends MerchantAct {
  productId: string;
  /** New place among all beans, counted from 1. */
  place: number;
  /** The place that a page showed. */
  seen?: number | undefined;
  /** Every bean there is. */
  productIds: readonly string[];
}

/**
 * Moves a bean to another place in the shop. The form sends the place and not the
 * direction, so that a button pressed twice moves it once.
 */
export const moveBean = writeRule<MoveBean>({
  reads: (c) => catalogReads(c.productIds),
  writes(c, s) {
    const before = inOrder(s.beans);
    const moved = before.find(({ product_id }) => product_id === c.productId);
    if (!moved) throw unknownTo("bean");
    refuseIfChangedSince(c.seen, before.indexOf(moved) + 1, "This bean’s place");
    const after = before.filter((row) => row !== moved);
    after.splice(c.place - 1, 0, moved);
    if (after.every((row, i) => row === before[i])) return [];
    return [
      ...nextVersion(s, [c.productId]).writes,
      ...after.map(({ product_id }, position) => update("beans", { product_id }, { position })),
      audited(c, "catalog.moved", c.productId, { place: c.place }),
    ];
  },
});

/** Beans in the shop's order. */
const inOrder = (beans: readonly BeanRow[]): BeanRow[] =>
  beans
    .filter(({ published }) => published !== null)
    .sort((a, b) => a.position - b.position || (a.product_id < b.product_id ? -1 : 1));
