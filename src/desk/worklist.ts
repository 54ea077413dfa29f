import type { Express } from "express";
import { LIMITS } from "../core/policy.ts";
import type { Admin } from "../merchant/merchant.ts";
import type { WorklistName } from "../orders/admin-views.ts";
import type { OrderForPeople } from "../orders/order-verbs.ts";
import { clockTime } from "../web/format.ts";
import { html, type Markup } from "../web/html.ts";
import { mountGet } from "../web/routes.ts";
import { actForm } from "./forms.ts";
import { block, type DeskPage } from "./frame.ts";
import { destinations, orderLink, orderName, versionsField } from "./order-parts.ts";
import type { DeskActs, DeskRequest, DeskRoute } from "./route.ts";

export type NumbersRead = Awaited<ReturnType<Admin["labels"]["match"]>>;

/** A step that can be undone, with its shipments. */
type DoneStep = Awaited<ReturnType<Admin["views"]["justDone"]>>[number];

interface Worklist {
  /** Name of the page and of its view. */
  place: WorklistName;
  acts: DeskActs;
  /** Heading of the steps that can be undone. */
  justDone: string;
  page(orders: readonly OrderForPeople[], request: DeskRequest): DeskPage;
}

/** A step for many orders at once, oldest first. Each step can be undone, or all that the page shows. */
export const worklist = ({ place, acts, justDone, page }: Worklist): DeskRoute => ({
  place,
  async show(request) {
    const { views } = request.admin;
    const [{ orders, more }, steps] = await Promise.all([
      views.inTurn({ view: place }),
      views.justDone({ view: place }),
    ]);
    const drawn = page(orders, request);
    return {
      ...drawn,
      lede: html`${drawn.lede} ${more && oldestOf(orders)}`,
      body: html`${drawn.body} ${undoList(steps, justDone)}${WORKLIST_SCRIPT}`,
    };
  },
  acts: {
    ...acts,
    "shipments.undo": { each: "shipment_id", done: (_fields, { count }) => `${count} undone.` },
  },
});

interface ButtonLabels {
  one: string;
  /** `#` is the count. */
  many: string;
  none: string;
}

/** A button that names how many rows it acts on; the script keeps the number right. */
export function countButton(count: number, { one, many, none }: ButtonLabels): Markup {
  const label = count === 0 ? none : count === 1 ? one : many.replace("#", String(count));
  return html`<button type="submit" data-none="${none}" data-one="${one}" data-many="${many}">${label}</button>`;
}

export const WORKLIST_SCRIPT = html`<script src="/desk/worklist.js" defer></script>`;

/** A convenience: without it a text area takes the column, and buttons keep their first label. */
const SCRIPT = `"use strict";
const cells = (form) => [...form.querySelectorAll("[data-cell]")];

// A pasted column fills one field after the other, without its heading. A blank line skips a field.
addEventListener("paste", (event) => {
  const first = event.target;
  if (!first.matches?.("[data-cell]")) return;
  const text = event.clipboardData.getData("text");
  const lines = text.trimEnd().split(/\\r\\n|\\r|\\n/);
  if (lines.length < 2) return;
  event.preventDefault();
  if (!/\\d/.test(lines[0])) lines.shift();
  const all = cells(first.form);
  const fields = all.slice(all.indexOf(first));
  // A table is matched by its order numbers at the server.
  if (/[\\t,;]/.test(text) || lines.length > fields.length) {
    const { text: field } = document.forms.numbers.elements;
    field.value = text;
    field.form.requestSubmit();
    return;
  }
  lines.forEach((line, i) => { if (line.trim() !== "") fields[i].value = line.trim(); });
  recount(first.form);
  (fields[lines.length] ?? first.form.querySelector("[data-many]")).focus();
});

function recount(form) {
  const button = form?.querySelector("[data-many]");
  if (!button) return;
  const { none, one, many } = button.dataset;
  const filled = cells(form).filter(({ value }) => value.trim() !== "").length;
  const count = filled + form.querySelectorAll("input[type=checkbox]:checked").length;
  button.textContent = count === 0 ? none : count === 1 ? one : many.replace("#", count);
}

// The bags to roast are those of the ticked orders.
function recountBags() {
  const bags = {};
  const orders = {};
  for (const row of document.querySelectorAll("[data-beans]")) {
    if (!row.querySelector("input:checked")) continue;
    for (const part of row.dataset.beans.split(" ")) {
      const [bean, count] = part.split(":");
      bags[bean] = (bags[bean] ?? 0) + Number(count);
      orders[bean] = (orders[bean] ?? 0) + 1;
    }
  }
  for (const cell of document.querySelectorAll("[data-bean]"))
    cell.textContent = bags[cell.dataset.bean] ?? 0;
  for (const cell of document.querySelectorAll("[data-orders]"))
    cell.textContent = orders[cell.dataset.orders] ?? 0;
}

for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}

addEventListener("input", ({ target }) => { recount(target.form); recountBags(); });
`;

export const mountWorklistScript = (app: Express): void =>
  mountGet(app, "/desk/worklist.js", (_req, res) => {
    res.type("text/javascript; charset=utf-8").send(SCRIPT);
  });

/** Says that a page shows only the oldest orders, so its sums do not cover all. */
export const oldestOf = ({ length }: readonly unknown[]): string =>
  `These are the oldest ${length} orders; more come when they are done.`;

/** Most rows of a form, since each row is a field. */
export const MOST_ROWS = LIMITS.desk_form_fields / 2 - 10;

/** Steps of the last minutes, each with its undo button. */
function undoList(done: readonly DoneStep[], title: string): Markup | null {
  if (done.length === 0) return null;
  const steps = done.slice(0, MOST_ROWS);
  const seen = versionsField(steps.map(({ order_id: id, version }) => ({ id, version })));
  const button = (ids: readonly string[], words: string, look: string, label?: string) =>
    html`<button class="${look}" type="submit" name="shipment_id" value="${ids.join(" ")}"${
      label && html` aria-label="${label}"`
    }>${words}</button>`;
  const list = html`<ul class="worklist stack tight">
      ${steps.map(
        (step) => html`<li><span>${orderLink(step)} to ${destinations(step)},
          <span class="hint">until ${clockTime(step.until)}</span></span>
        ${button([step.shipment_id], "Undo", "small quiet", `Undo ${orderName(step)} to ${step.shipments[0]!.address.name}`)}</li>`,
      )}
    </ul>`;
  const all = steps.map(({ shipment_id }) => shipment_id);
  return block(
    "just-done",
    title,
    actForm(
      "shipments.undo",
      { seen },
      html`${list} ${all.length > 1 && button(all, `Undo all ${all.length}`, "quiet")}`,
    ),
    "desk-block unprinted",
  );
}
