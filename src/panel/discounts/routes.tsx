import type { Context } from "hono";
import { discountResource, listDiscountRedemptions } from "../../checkout/discounts/discounts.ts";
import { discountFields } from "../../checkout/discounts/fields.ts";
import { notFound } from "../../domain/errors.ts";
import { accountScopeOf, may } from "../../platform/auth/caller.ts";
import { PageQuery } from "../../platform/http/pagination.ts";
import { readChoices } from "../choices.ts";
import { valuesOf } from "../forms/conversion.ts";
import { type Failed, formFor } from "../forms/inputs.ts";
import { readFilters } from "../forms/read-form.ts";
import { NewPage } from "../kit/page-parts.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { chosenIn, withPicks } from "../pickers/resolve.ts";
import { recordPages } from "../record-pages.ts";
import { resourceForms } from "../resource-pages.tsx";
import { DiscountFields, discountFieldKinds, discountInputs } from "./form.tsx";
import { DiscountPage, discountsPage, editOf } from "./pages.tsx";
import { readDiscount } from "./queries.ts";

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
  rowPage: detailPage,
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
    <NewPage
      title="New discount"
      back={{ path: DISCOUNTS_PATH, name: "Discounts" }}
      form={form}
      button="Create discount"
    >
      <DiscountFields form={form} isNew />
    </NewPage>,
  );
}

async function detailPage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const [found, redemptions] = await Promise.all([readDiscount(c.var.db, id), readRedemptions(c, id)]);
  if (!found) throw notFound(`Discount ${id}`);
  const form = await withPicks(c, editOf(found, failed));
  const { currency } = c.var.settings;
  const props = { ...found, form, redemptions, currency, failed, now: Date.now() };
  return page(c, found.discount.name, <DiscountPage {...props} />);
}

/** Redemptions are customers' orders: viewers without access see only their number. */
async function readRedemptions(c: Context<PanelEnv>, id: number) {
  if (!may(c.var.caller, "orders:read")) return null;
  const { query } = readFilters(c, PageQuery);
  const { rows, ...place } = await listDiscountRedemptions(c.var.db, id, query, accountScopeOf(c.var.caller));
  return { rows, place, url: c.req.url, currency: c.var.settings.currency };
}
