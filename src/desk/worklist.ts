import type { Express, Request, Response } from "express";
import type { Api } from "../api/api.ts";
import type { MerchantError } from "../core/errors.ts";
import { newNonce } from "../core/ids.ts";
import { LIMITS } from "../core/policy.ts";
import type { Admin, Merchant } from "../merchant/merchant.ts";
import type { WorklistName } from "../orders/admin-views.ts";
import type { OrderForPeople } from "../orders/order-verbs.ts";
import { fieldIn, fieldValues } from "../web/body.ts";
import { hiddenFields } from "../web/form-parts.ts";
import { clockTime } from "../web/format.ts";
import { html, type Markup } from "../web/html.ts";
import { refusalOf } from "../web/problem-answers.ts";
import { mountForm, mountGet } from "../web/routes.ts";
import type { ActionResult, DeskPage } from "./frame.ts";
import { destinations, orderLink, orderName, versionsField, versionsIn } from "./order-parts.ts";
import { actorIn, formKey, once, redirectSaying, send } from "./route.ts";

/** A step for many orders at once, oldest first. Each order is its own act, so a refusal stops no other. */
export interface Worklist {
  /** Name of the page and of its view. */
  place: WorklistName;
  /** Results for the chosen orders. */
  done: string;
  chosen(req: Request): Chosen;
  /** Numbers that were pasted or uploaded, to be shown before any is saved; null for another form. */
  read?(req: Request, admin: Admin): Promise<NumbersRead | null>;
  page(
    orders: readonly OrderForPeople[],
    justDone: readonly DoneStep[],
    req: Request,
    refusals: Refusals,
    read?: NumbersRead,
  ): DeskPage;
}

export type NumbersRead = Awaited<ReturnType<Admin["labels"]["match"]>>;

/** A step that can be undone, with its shipments. */
type DoneStep = Awaited<ReturnType<Admin["views"]["justDone"]>>[number];

/** Refusals by order or shipment id. */
export type Refusals = ReadonlyMap<string, MerchantError>;

/** Result of a form that succeeded only in part. */
interface Failed {
  tried: number;
  refusals: Refusals;
}

interface Chosen {
  ids: readonly string[];
  act(admin: Admin, id: string, seen: number | undefined): Promise<unknown>;
  /** Fields to keep for the next page. */
  kept?: Record<string, string>;
}

/** Mounts a worklist. Each step can be undone, or all that the page showed. */
export function mountWorklist(
  app: Express,
  api: Api,
  { place, done, chosen, read, page }: Worklist,
): void {
  const { merchant } = api.service;
  const admin = merchant.admin("desk");
  const { views } = admin;

  async function show(
    req: Request,
    res: Response,
    { failed, numbers }: { failed?: Failed; numbers?: NumbersRead } = {},
  ): Promise<void> {
    const [{ orders, more }, steps] = await Promise.all([
      views.inTurn({ view: place }),
      views.justDone({ view: place }),
    ]);
    const said = failed ? await refusedResult(failed, views.orderOf) : undefined;
    const drawn = page(orders, steps, req, failed?.refusals ?? new Map(), numbers);
    const lede = html`${drawn.lede} ${more && oldestOf(orders)}`;
    const unread = numbers?.matched.every(({ problem }) => problem !== null);
    await send(
      res,
      { place, ...drawn, lede },
      { said, status: failed ? 409 : unread ? 422 : undefined },
    );
  }

  mountForm(app, api.edge, `/desk/${place}`, {
    get: (req, res) => show(req, res),
    post: async (req, res) => {
      const numbers = await read?.(req, admin);
      if (numbers) {
        await show(req, res, { numbers });
        return;
      }
      const [pressed] = fieldValues(req.body, "undo");
      const back = pressed === "all" ? fieldValues(req.body, "step") : pressed && [pressed];
      const { ids, act, kept }: Chosen = back ? { ids: back, act: undo } : chosen(req);
      const refusals = await each(merchant, res, { ids, act });
      if (ids.length === 0 || refusals.size > 0) {
        await show(req, res, { failed: { tried: ids.length, refusals } });
        return;
      }
      const query = kept ? `?${new URLSearchParams(kept)}` : "";
      redirectSaying(res, `/desk/${place}${query}`, `${ids.length} ${back ? "undone" : done}.`);
    },
  });
}

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
    const { numbers } = document.forms.numbers.elements;
    numbers.value = text;
    numbers.form.requestSubmit();
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

const undo: Chosen["act"] = (admin, id, seen) => admin.shipments.undo({ shipment_id: id, seen });

/** Hidden fields of a form over these orders. */
export const formFields = (orders: readonly Pick<OrderForPeople, "id" | "version">[]) => ({
  form: newNonce(),
  seen: versionsField(orders),
});

/** Acts on each id; a refusal stops no other. Each act moves the expected version of its order on. */
async function each(
  merchant: Merchant,
  res: Response,
  { ids, act }: Pick<Chosen, "ids" | "act">,
): Promise<Refusals> {
  const { req } = res;
  const refusals = new Map<string, MerchantError>();
  const seen = versionsIn(fieldIn(req.body, "seen"));
  const form = formKey(req);
  for (const id of ids) {
    const admin = merchant.admin(actorIn(res), form && `${form} ${id}`);
    const { orderOf } = admin.views;
    try {
      const { order_id = id } = (await orderOf({ id })) ?? {};
      const version = seen.get(order_id);
      await once(admin, version !== undefined, () => act(admin, id, version));
      const after = version === undefined ? undefined : await orderOf({ id });
      if (after) seen.set(order_id, after.version);
    } catch (error) {
      refusals.set(id, refusalOf(error));
    }
  }
  return refusals;
}

async function refusedResult(
  { tried, refusals }: Failed,
  orderOf: Admin["views"]["orderOf"],
): Promise<ActionResult> {
  if (tried === 0) return { refused: "Nothing was chosen.", details: [] };
  const done = tried - refusals.size;
  const reasons = await Promise.all(
    [...refusals].map(async ([id, { message }]) => {
      const order = await orderOf({ id });
      return order ? `${orderName(order)}: ${message}` : message;
    }),
  );
  const details = done > 0 ? [`${done} done, ${refusals.size} not.`, ...reasons] : reasons;
  return { refused: reasons[0]!, details, ...(done > 0 && { partly: true as const }) };
}

/** Most rows of a form, since each row is a field. */
export const MOST_ROWS = LIMITS.desk_form_fields / 2 - 10;

/** Steps of the last minutes, each with its undo button. */
export function justDone(done: readonly DoneStep[], title: string): Markup | null {
  if (done.length === 0) return null;
  const steps = done.slice(0, MOST_ROWS);
  return html`<section class="desk-block unprinted" aria-labelledby="just-done">
    <h2 id="just-done">${title}</h2>
    <form method="post" class="form">
      ${hiddenFields({
        ...formFields(steps.map(({ order_id: id, version }) => ({ id, version }))),
        step: steps.map(({ shipment_id }) => shipment_id),
      })}
      <ul class="worklist stack tight">
        ${steps.map(
          (step) => html`<li><span>${orderLink(step)} to ${destinations(step)},
            <span class="hint">until ${clockTime(step.until)}</span></span>
          <button class="small quiet" type="submit" name="undo" value="${step.shipment_id}"
            aria-label="${`Undo ${orderName(step)} to ${step.shipments[0]!.address.name}`}">Undo</button></li>`,
        )}
      </ul>
      ${
        steps.length > 1 &&
        html`<button class="quiet" type="submit" name="undo" value="all">Undo all ${steps.length}</button>`
      }
    </form>
  </section>`;
}
