import type { Express } from "express";
import type { MerchantError } from "../../domain/shared/errors.ts";
import { form } from "../body.ts";
import { productBag } from "../pages/index.ts";
import { onlyMethods } from "../request-context.ts";
import type { Desk } from "./act.ts";
import { type DeskAction, performAction, type RenderPage, resultOf } from "./act.ts";
import { beanProblems, beanValues, typedProduct, typedValues } from "./catalog-form.ts";
import { beanFormPage } from "./pages/bean-form.ts";
import { catalogPage, previewPage } from "./pages/catalog.ts";

const SAVE = {
  do: (admin, fields) =>
    admin.catalog.save(
      typedProduct(fields),
      fields("on_sale") === "on",
      fields("seen") === "" ? null : Number(/^\d{1,15}$/.exec(fields("seen"))?.[0] ?? Number.NaN),
    ),
  done: "The draft is kept. It is sold once you publish it.",
} as const satisfies DeskAction;

const BEAN_ACTS = {
  save: SAVE,
  discard: {
    do: (admin, fields) => admin.catalog.discard(fields("product_id")),
    done: "The draft is gone. The bean stays as it is sold.",
  },
} as const satisfies Record<string, DeskAction>;

const PREVIEW_ACTS = {
  publish: {
    do: (admin, fields) => admin.catalog.publish(fields("version")),
    done: "Published. Every instance sells it within a second; open quotes keep their price.",
  },
} as const satisfies Record<string, DeskAction>;

/** What is sold: drafts of beans, a look at the shop as it will be, and publishing. */
export function mountCatalog(app: Express, { service, send }: Desk): void {
  const { merchant } = service;
  const { mode } = merchant;
  const { catalog } = merchant.admin("desk");

  app
    .route("/desk/catalog")
    .get(async (_req, res) => send(res, catalogPage({ mode, beans: await catalog.list() })))
    .all(onlyMethods(["GET"]));

  const preview: RenderPage = async (req, res, refused) => {
    const said = resultOf(req, PREVIEW_ACTS, refused);
    const page = previewPage({ mode, preview: await catalog.preview(), said });
    send(res, page, refused?.error.status);
  };
  app
    .route("/desk/catalog/preview")
    .get((req, res) => preview(req, res))
    .post(form, performAction(PREVIEW_ACTS, { merchant, show: preview }))
    .all(onlyMethods(["GET", "POST"]));

  const fresh: RenderPage = async (_req, res, refused) => {
    const values = refused
      ? typedValues(refused.fields)
      : { on_sale: "on", availability: "STOCKED" };
    const problems = refused ? problemsOf(refused.error) : [];
    send(res, beanFormPage({ mode, bean: null, values, problems }), refused?.error.status);
  };
  app
    .route("/desk/catalog/new")
    .get((req, res) => fresh(req, res))
    .post(form, performAction({ save: SAVE }, { merchant, show: fresh, to: "/desk/catalog" }))
    .all(onlyMethods(["GET", "POST"]));

  const bean: RenderPage = async (req, res, refused) => {
    const bean = await catalog.show(String(req.params.id));
    const product = (bean.draft?.product ?? bean.published)!;
    const kept = beanValues(product, bean.draft?.on_sale ?? bean.on_sale);
    const values = refused ? { ...kept, ...typedValues(refused.fields) } : kept;
    const problems = refused ? problemsOf(refused.error) : [];
    const said = resultOf(req, BEAN_ACTS, refused);
    send(res, beanFormPage({ mode, bean, values, problems, said }), refused?.error.status);
  };
  app
    .route("/desk/catalog/:id")
    .get((req, res) => bean(req, res))
    .post(form, performAction(BEAN_ACTS, { merchant, show: bean }))
    .all(onlyMethods(["GET", "POST"]));

  app
    .route("/desk/catalog/:id/bag.svg")
    .get(async (req, res) => {
      const { draft, published } = await catalog.show(String(req.params.id));
      res.type("image/svg+xml").send(productBag((draft?.product ?? published)!));
    })
    .all(onlyMethods(["GET"]));
}

const problemsOf = (error: MerchantError) =>
  error.problems.length > 0
    ? beanProblems(error.problems)
    : [{ field: null, message: error.message }];
