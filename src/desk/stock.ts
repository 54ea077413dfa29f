import { bags } from "../core/bags.ts";
import { STOCK_COLUMNS } from "../merchant/list-columns.ts";
import type { FieldProblem } from "../web/form-parts.ts";
import { html, type Markup } from "../web/html.ts";
import { actForm, type Fields, type RefusedAction, refusedHere } from "./forms.ts";
import type { DeskPage } from "./frame.ts";
import { type Column, records, shared } from "./list-page.ts";
import { type StockLine, wantedOf } from "./low-stock.ts";
import type { DeskAction, DeskRequest, DeskRoute } from "./route.ts";

/** Numbers of each bean; `what` names them for screen readers. */
const NUMBERS = {
  /** A difference, which stays right beside sales and colleagues. */
  "stock.receive": {
    done: "The bags are added.",
    field: "bags",
    button: "Add",
    what: "received",
  },
  "stock.set": {
    confirm: confirmSet,
    done: "The stock is set.",
    field: "on_hand",
    button: "Set",
    what: "on hand",
  },
  "stock.setLow": {
    done: "Below that number the bean appears on Today.",
    field: "low_at",
    button: "Save",
    what: "to be warned below",
  },
} satisfies Record<string, DeskAction & { field: string; button: string; what: string }>;

/** Names the waitlist offers that end, before a stock below them is set. */
async function confirmSet({ admin }: DeskRequest, fields: Fields): Promise<DeskPage | null> {
  const [product, on_hand, seen] = ["product_id", "on_hand", "seen"].map(fields) as [
    string,
    string,
    string,
  ];
  const row = (await admin.stock.list()).find(({ product_id }) => product_id === product);
  const isRefused = !/^\d{1,7}$/.test(on_hand) || seen !== String(row?.on_hand);
  if (fields("confirmed") !== "" || isRefused) return null;
  const ending = await admin.stock.ending({ product_id: product, on_hand: Number(on_hand) });
  if (ending.length === 0) return null;
  return {
    title: `Set the stock to ${bags(Number(on_hand))}`,
    lede: "These waitlist offers end. Their buyers keep their places and get the next bags.",
    body: html`<ul>${ending.map((one) => html`<li>${bags(one.quantity)} for ${one.buyer_email}</li>`)}</ul>
    <div class="cluster">${actForm(
      "stock.set",
      { of: { product_id: product }, seen, with: { on_hand, confirmed: "on" } },
      html`<button class="danger" type="submit">Set the stock</button>`,
    )} <a class="button quiet" href="/desk/stock">Back</a></div>`,
  };
}

/** Bags of each bean. */
export const stock: DeskRoute = {
  place: "stock",
  async show({ admin, refused }) {
    const [rows, wanted] = await Promise.all([admin.stock.list(), admin.waitlist.wanted()]);
    const columns: Column<StockLine>[] = [
      ...shared(STOCK_COLUMNS),
      { name: "On waitlist", number: true, cell: (row) => wantedOf(wanted, row.product_id) },
      {
        name: "Received",
        number: true,
        cell: (row) => numberForm("stock.receive", row, null, refused),
      },
      {
        name: "Counted",
        number: true,
        cell: (row) => numberForm("stock.set", row, row.on_hand, refused),
      },
      {
        name: "Warn below",
        number: true,
        cell: (row) => numberForm("stock.setLow", row, row.low_at, refused),
      },
    ];
    return {
      lede: "Add the bags that came in, or count them and set the number. The waitlist is offered free bags at once, if there is a mail server. Held bags belong to payments under way and waitlist offers.",
      problems: wrongNumbers(rows, refused),
      body: html`${records("Bags per bean", rows, columns)}`,
    };
  },
  acts: NUMBERS,
};

const isNumber = (act: string): act is keyof typeof NUMBERS => Object.hasOwn(NUMBERS, act);

const numberLabel = (act: keyof typeof NUMBERS, { name }: StockLine): string =>
  `Bags of ${name} ${NUMBERS[act].what}`;

const numberId = (act: string, { product_id }: StockLine): string =>
  `${act.replace(".", "-")}-${product_id}`;

/** Problems with their bean, since the table has no room for them beside the field. */
function wrongNumbers(
  rows: readonly StockLine[],
  refused: RefusedAction | undefined,
): FieldProblem[] {
  const row = rows.find(({ product_id }) => product_id === refused?.fields("product_id"));
  if (!refused || !row || !isNumber(refused.act)) return [];
  const { act, error } = refused;
  return error.problems.map(({ detail }) => ({
    field: numberId(act, row),
    message: `${numberLabel(act, row)}: ${detail}`,
  }));
}

/** One number and a button. A refused number stays as typed. */
function numberForm(
  act: keyof typeof NUMBERS,
  row: StockLine,
  /** The number now, null for a field that adds. */
  value: number | null,
  refusedAct: RefusedAction | undefined,
): Markup | null {
  const { name, product_id } = row;
  if (name === null) return null;
  const { field, button } = NUMBERS[act];
  const of = { product_id };
  const refused = refusedHere(refusedAct, act, of);
  return actForm(
    act,
    { of, seen: value },
    html`<input id="${numberId(act, row)}" name="${field}" inputmode="numeric" required value="${refused ? refused.fields(field) : value}" maxlength="7"${refused && html` aria-invalid="true"`}
        aria-label="${numberLabel(act, row)}">
      <button class="small" type="submit" aria-label="${`${button} bags of ${name}`}">${button}</button>`,
    "inline-form cluster",
  );
}
