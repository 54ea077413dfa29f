import { audited, type MerchantAct, refuseIfChangedSince } from "../core/audit.ts";
import { insert, lock, put, type Rule, type State, update, writeRule } from "../core/command.ts";
import { MerchantError, unknownTo } from "../core/errors.ts";
import { invalid } from "../core/input-problems.ts";
import type { BeanRow } from "../core/records.ts";
import {
  beansVersion,
  catalogOfRows,
  factChanges,
  publishedOf,
  soldRow,
  withDrafts,
} from "./bean-rows.ts";
import { type Product, ruleProblems } from "./catalog.ts";
import { catalogReads, nextVersion } from "./catalog-version.ts";
import { isOfferedNow, offerAnew, offersOf } from "./offer-free-stock.ts";

/**
 * The merchant edits the catalog (contract §1): saves drafts, then publishes all of them together, because
 * some rules hold over all beans. Quotes keep their price.
 */

interface SaveDraft extends MerchantAct {
  product: Product;
  onSale: boolean;
  /** Place of a new bean. */
  position: number;
  /** `changed_at` of the bean that the page showed; null for a new bean. */
  seen: number | null;
}

/** Saves a bean's draft. Only the merchant sees it before publication. */
export const saveDraft = writeRule<SaveDraft>({
  reads: (c) => [lock("beans", { product_id: c.product.product_id })],
  writes(c, s) {
    const { product_id } = c.product;
    const row = s.beans[0];
    const there = row && (row.published !== null || row.draft !== null);
    if (there && c.seen === null) {
      const detail = "Another bean has this id. Choose a new one.";
      throw invalid({ problems: [{ pointer: "/product/product_id", code: "TAKEN", detail }] });
    }
    refuseIfChangedSince(c.seen, there ? row.changed_at : null, "This bean");
    const draft = JSON.stringify({ product: c.product, on_sale: c.onSale });
    const set = { draft, changed_at: laterThan(row, c.now) };
    const fresh = { product_id, position: c.position, published: null, on_sale: 0, ...set };
    const write = row ? update("beans", { product_id }, set) : insert("beans", fresh);
    return [write, audited(c, "catalog.draft", product_id)];
  },
});

/** Strictly later each time, so that of two pages with the same version only one can save. */
const laterThan = (row: BeanRow | undefined, now: number): number =>
  Math.max(now, (row?.changed_at ?? 0) + 1);

/** `seen`: `changed_at` of the draft that a page showed; undefined without a page. */
export const discardDraft = writeRule<
  MerchantAct & { productId: string; seen?: number | undefined }
>({
  reads: (c) => [lock("beans", { product_id: c.productId })],
  writes(c, s) {
    const row = s.beans[0];
    if (!row?.draft) return [];
    refuseIfChangedSince(c.seen, row.changed_at, "This bean");
    const set = { draft: null, changed_at: laterThan(row, c.now) };
    return [
      update("beans", { product_id: row.product_id }, set),
      audited(c, "catalog.draft-discarded", row.product_id),
    ];
  },
});

interface PublishCatalog extends MerchantAct {
  /** The version of all beans and drafts that the merchant looked at (`beansVersion`). */
  seen: number;
  /** Every bean there is. */
  productIds: readonly string[];
}

export type PublishedCatalog = { version: string; changed: string[] };

/** Also the offers of beans that may come back on sale. */
const publishReads = ({ productIds }: PublishCatalog) => [
  ...catalogReads(productIds),
  offersOf(productIds),
];

export const publishCatalog: Rule<PublishCatalog, PublishedCatalog> = {
  reads: publishReads,
  decide(c, s) {
    refuseIfChangedSince(c.seen, beansVersion(s.beans), "The catalog");
    return become(withDrafts(s.beans), c, s, "catalog.published");
  },
};

/** Replaces the whole catalog. A bean that is not in the new one goes off sale. */
export const importCatalog: Rule<
  PublishCatalog & { products: readonly Product[] },
  PublishedCatalog
> = {
  reads: publishReads,
  decide(c, s) {
    refuseIfChangedSince(c.seen, beansVersion(s.beans), "The catalog");
    const imported = c.products.map((product, position) => ({
      ...(s.beans.find((row) => row.product_id === product.product_id) ?? { changed_at: 0 }),
      ...soldRow(product, position),
    }));
    const ids = new Set(imported.map(({ product_id }) => product_id));
    const rest = s.beans
      .filter(({ product_id }) => !ids.has(product_id))
      .map((row, i) => ({ ...row, on_sale: 0, position: imported.length + i }));
    return become([...imported, ...rest], c, s, "catalog.imported");
  },
};

/** Writes the new beans, after checking the rules over all of them, with an audit entry for each. */
function become(after: readonly BeanRow[], c: PublishCatalog, s: State, act: string) {
  refuseTogether(after);
  const changed = after.filter((row) => {
    const before = beanIn(s, row);
    return CHANGING.some((column) => before?.[column] !== row[column]);
  });
  const first = changed.find((row) => factChanges(beanIn(s, row), row).length > 0);
  const ids = changed.map(({ product_id }) => product_id);
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
const CHANGING = ["published", "on_sale", "draft", "position"] as const;

function refuseTogether(rows: readonly BeanRow[]): void {
  const problems = ruleProblems(catalogOfRows(rows));
  if (problems.length === 0) return;
  throw new MerchantError("VALIDATION_FAILED", problems.join("\n"), {
    problems: problems.map((detail) => ({ pointer: "/products", code: "INVALID", detail })),
  });
}

/** Characters of a text that the audit log keeps. */
const KEPT = 120;

function writesFor(row: BeanRow, c: PublishCatalog & { isFirst: boolean }, s: State, act: string) {
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
  const product = publishedOf(row);
  const counted = s.stock.some(({ product_id }) => product_id === row.product_id);
  if (!product || counted) return [];
  const { product_id, opening_stock: on_hand } = product;
  return [insert("stock", { product_id, on_hand, held: 0, catalog_version })];
}

interface MoveBean extends MerchantAct {
  productId: string;
  /** New place among all beans, counted from 1. */
  place: number;
  /** Every bean there is. */
  productIds: readonly string[];
}

/**
 * Moves a bean to another place in the shop, without a draft. The form sends the place and not the
 * direction, so that a button pressed twice moves it once.
 */
export const moveBean = writeRule<MoveBean>({
  reads: (c) => catalogReads(c.productIds),
  writes(c, s) {
    const before = beansInOrder(s);
    const moved = before.find(({ product_id }) => product_id === c.productId);
    if (!moved) throw unknownTo("bean");
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

/** Beans in the shop's order. Excludes beans that never had more than a discarded draft. */
const beansInOrder = ({ beans }: Pick<State, "beans">): BeanRow[] =>
  beans
    .filter(({ published, draft }) => published !== null || draft !== null)
    .sort((a, b) => a.position - b.position || (a.product_id < b.product_id ? -1 : 1));
