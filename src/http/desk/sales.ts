import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Express } from "express";
import { EXPORTS } from "../../merchant/sales.ts";
import type { Api } from "../api.ts";
import { mountGet } from "../request-context.ts";
import { mountPage } from "./act.ts";
import { salesPage } from "./pages/sales.ts";

const SPANS = [7, 30, 90] as const;

/** How much was sold, and the books to take along. */
export function mountSales(app: Express, api: Api): void {
  const { merchant } = api.service;
  mountPage(app, "/desk/sales", async (req) => {
    const span = SPANS.find((days) => String(days) === req.query.days) ?? 30;
    const figures = await merchant.sales.figures(span);
    const beanName = (id: string) => merchant.catalog.known(id)?.name_to_use_with_humans ?? id;
    return salesPage({ figures, spans: SPANS, span, exports: EXPORTS, beanName });
  });
  for (const name of EXPORTS) {
    mountGet(app, `/desk/export/${name}.csv`, async (_req, res) => {
      res.type("text/csv; charset=utf-8").attachment(`${name}.csv`);
      await pipeline(Readable.from(merchant.sales.csv(name)), res);
    });
  }
}
