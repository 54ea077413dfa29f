import type { Express } from "express";
import type { MerchantError } from "../../domain/shared/errors.ts";
import type { Api } from "../api.ts";
import { bagPicture } from "../pages/bag/bag.ts";
import { mountGet } from "../request-context.ts";
import { type DeskAction, mountActions, whole } from "./act.ts";
import {
  beanProblems,
  beanValues,
  keptOtherwise,
  typedProduct,
  typedValues,
} from "./catalog-form.ts";
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

const LIST_ACTS = {
  move: {
    do: (admin, fields) => admin.catalog.move(fields("product_id"), whole(fields("place"))),
    done: "The shop shows it in its new place.",
  },
} as const satisfies Record<string, DeskAction>;

const PREVIEW_ACTS = {
  publish: {
    do: (admin, fields) => admin.catalog.publish(fields("version")),
    done: "Published, and sold like this from now on. Open quotes keep their price.",
  },
} as const satisfies Record<string, DeskAction>;

/** What is sold: drafts of beans, a look at the shop as it will be, and publishing. */
export function mountCatalog(app: Express, api: Api): void {
  const { catalog } = api.service.merchant.admin("desk");

  mountActions(app, api, "/desk/catalog", { acts: LIST_ACTS }, async () =>
    catalogPage(await catalog.list()),
  );

  mountActions(app, api, "/desk/catalog/preview", { acts: PREVIEW_ACTS }, async () =>
    previewPage(await catalog.preview()),
  );

  const saved = { acts: { save: SAVE }, to: "/desk/catalog" };
  mountActions(app, api, "/desk/catalog/new", saved, async ({ refused }) => {
    const values = refused
      ? typedValues(refused.fields)
      : { on_sale: "on", availability: "STOCKED" };
    return beanFormPage({ bean: null, values, problems: problemsOf(refused?.error) });
  });

  mountActions(app, api, "/desk/catalog/:id", { acts: BEAN_ACTS }, async ({ req, refused }) => {
    const bean = await catalog.show(String(req.params.id));
    const product = (bean.draft?.product ?? bean.published)!;
    const kept = beanValues(product, bean.draft?.on_sale ?? bean.on_sale);
    const values = refused ? { ...kept, ...typedValues(refused.fields) } : kept;
    const stale = refused?.error.code === "ILLEGAL_STEP" ? keptOtherwise(kept, values) : [];
    const problems = [...problemsOf(refused?.error), ...stale];
    return beanFormPage({ bean, values, problems });
  });

  mountGet(app, "/desk/catalog/:id/bag.svg", async (req, res) => {
    const { draft, published } = await catalog.show(String(req.params.id));
    res.type("image/svg+xml").send(bagPicture((draft?.product ?? published)!));
  });
}

function problemsOf(error: MerchantError | undefined) {
  if (error === undefined) return [];
  return error.problems.length > 0
    ? beanProblems(error.problems)
    : [{ field: null, message: error.message }];
}
