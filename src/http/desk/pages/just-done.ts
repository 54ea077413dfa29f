import type { UndoableStep } from "../../../merchant/undoable-steps.ts";
import { clockTime } from "../../pages/format.ts";
import { html, type Markup } from "../../pages/html.ts";
import { orderLink, orderName } from "./orders.ts";

/** What was done in the last minutes, each with its way back. */
export function justDone(steps: readonly UndoableStep[], title: string): Markup | null {
  if (steps.length === 0) return null;
  return html`<section class="desk-block unprinted" aria-labelledby="just-done">
    <h2 id="just-done">${title}</h2>
    <form method="post" class="form">
      ${steps.map(({ shipment_id }) => html`<input type="hidden" name="step" value="${shipment_id}">`)}
      <ul class="worklist stack tight">
        ${steps.map(
          (step) => html`<li>${orderLink(step)}
          <span class="hint">until ${clockTime(step.until)}</span>
          <button class="small quiet" type="submit" name="undo" value="${step.shipment_id}"
            aria-label="${`Undo ${orderName(step)}`}">Undo</button></li>`,
        )}
      </ul>
      ${
        steps.length > 1
          ? html`<button class="quiet" type="submit" name="undo" value="all">Undo all ${steps.length}</button>`
          : null
      }
    </form>
  </section>`;
}
