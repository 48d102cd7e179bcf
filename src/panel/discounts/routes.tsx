import type { Context } from "hono";
import { discountResource } from "../../checkout/discounts/discounts.ts";
import { discountFields } from "../../checkout/discounts/fields.ts";
import { readChoices } from "../choices.ts";
import { valuesOf } from "../forms/conversion.ts";
import { type Failed, formFor } from "../forms/inputs.ts";
import { NewPage } from "../kit/page-parts.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { chosenIn, withPicks } from "../pickers/resolve.ts";
import { recordPages } from "../record-pages.ts";
import { resourceForms } from "../resource-pages.tsx";
import { DiscountFields } from "./form.tsx";
import { discountFieldKinds, discountInputs } from "./inputs.ts";
import { discountPage, discountsPage } from "./pages.tsx";

const DISCOUNTS_PATH = "/admin/discounts";

export const discountPages = recordPages("/discounts", {
  ...resourceForms(discountResource, {
    kinds: discountFieldKinds,
    prepare: (c, sent) => chosenIn(c, sent, discountInputs([])),
    after: ({ id, name }, done) =>
      done === "deleted"
        ? [DISCOUNTS_PATH, "The discount was deleted."]
        : [`${DISCOUNTS_PATH}/${id}`, `${name} was ${done}.`],
  }),
  listPage: discountsPage,
  newPage,
  rowPage: discountPage,
});

async function newPage(c: Context<PanelEnv>, failed: Failed | null) {
  const { categories } = await readChoices(c.var.db);
  const typed = formFor(failed, DISCOUNTS_PATH, {
    inputs: discountInputs(categories),
    values: { ...valuesOf(discountFields), kind: "percentage" },
  });
  const form = await withPicks(c, typed);
  return page(
    c,
    "New discount",
    <NewPage title="New discount" form={form} button="Create discount" previews hasCards>
      <DiscountFields form={form} />
    </NewPage>,
  );
}
