import { type Context, Hono } from "hono";
import { DiscountChange, DiscountsQuery, NewDiscount } from "../../checkout/discounts/admin-schemas.ts";
import { listDiscounts } from "../../checkout/discounts/queries.ts";
import { listRedemptions } from "../../checkout/discounts/redemption-queries.ts";
import { changeDiscount, createDiscount, removeDiscount } from "../../checkout/discounts/write.ts";
import { notFound } from "../../domain/errors.ts";
import { IdParam } from "../../domain/fields.ts";
import { writeRequestOf } from "../../platform/administration/write-queries.ts";
import { accountScopeOf, may } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import { PageQuery, pageOf } from "../../platform/http/pagination.ts";
import { validate } from "../../platform/http/validate.ts";
import { readChoices } from "../choices-queries.ts";
import type { PanelEnv } from "../env.ts";
import { redirectWithFlash } from "../flash.ts";
import { submit } from "../forms/attempt.ts";
import { readFilters } from "../forms/read-filters.ts";
import { type Failed, formFor } from "../forms/state.ts";
import { page } from "../page.tsx";
import { chosenIn, withPicks } from "../pickers/resolve.ts";
import { readNames } from "../references/queries.ts";
import { DiscountPage, editOf } from "./detail-page.tsx";
import { covered } from "./form.tsx";
import { discountKinds } from "./kinds.ts";
import { DiscountsPage } from "./list-page.tsx";
import { NewDiscountPage } from "./new-page.tsx";
import { readDiscount } from "./queries.ts";
import { namedBy } from "./words.ts";

const LIST = "/admin/discounts";

export const discounts = new Hono<PanelEnv>()
  .get("/discounts", administer("discounts:read"), async (c) => {
    const now = Date.now();
    const { query, form } = readFilters(c, DiscountsQuery);
    const { rows, totalItems, totalIsExact } = await listDiscounts(c.var.db, query, now);
    const names = await readNames(c.var.db, rows.flatMap(namedBy));
    const { currency } = c.var.settings;
    const props = { rows, place: pageOf(query, totalItems, totalIsExact), form, names, currency, now, url: c.req.url };
    return page(c, "Discounts", <DiscountsPage {...props} />);
  })
  .get("/discounts/new", administer("discounts:write"), (c) => newPage(c, null))
  .post("/discounts", administer("discounts:write"), async (c) => {
    return submit(
      c,
      (failed) => newPage(c, failed),
      async (sent) => {
        const chosen = await chosenIn(c, sent, covered);
        const read = chosen.read(NewDiscount, discountKinds(sent.values));
        const { id, name } = await createDiscount(writeRequestOf(c, sent.ifMatch), read);
        return redirectWithFlash(c, `${LIST}/${id}`, `${name} was created.`);
      },
    );
  })
  .get("/discounts/:id", administer("discounts:read"), validate("param", IdParam), (c) =>
    detailPage(c, c.req.valid("param").id, null),
  )
  .post("/discounts/:id", administer("discounts:write"), validate("param", IdParam), async (c) => {
    const { id } = c.req.valid("param");
    return submit(
      c,
      (failed) => detailPage(c, id, failed),
      async (sent) => {
        const chosen = await chosenIn(c, sent, covered);
        const change = chosen.readChange(DiscountChange, discountKinds(sent.values));
        const { name } = await changeDiscount(writeRequestOf(c, sent.ifMatch), id, change);
        return redirectWithFlash(c, `${LIST}/${id}`, `${name} was saved.`);
      },
    );
  })
  .post("/discounts/:id/delete", administer("discounts:write"), validate("param", IdParam), async (c) => {
    const { id } = c.req.valid("param");
    return submit(
      c,
      (failed) => detailPage(c, id, failed),
      async (sent) => {
        await removeDiscount(writeRequestOf(c, sent.ifMatch), id);
        return redirectWithFlash(c, LIST, "The discount was deleted.");
      },
    );
  });

async function newPage(c: Context<PanelEnv>, failed: Failed | null) {
  const typed = formFor(failed, LIST, { kind: "percentage", combinable: true, priority: 0, enabled: true });
  const [{ categories }, form] = await Promise.all([readChoices(c.var.db), withPicks(c, typed, covered)]);
  return page(c, "New discount", <NewDiscountPage form={form} categories={categories} />);
}

async function detailPage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const [found, redemptions] = await Promise.all([readDiscount(c.var.db, id), readRedemptions(c, id)]);
  if (!found) throw notFound(`Discount ${id}`);
  const form = await withPicks(c, editOf(found.discount, failed), covered);
  const { currency } = c.var.settings;
  const props = { ...found, form, redemptions, currency, failed, now: Date.now() };
  return page(c, found.discount.name, <DiscountPage {...props} />);
}

/** They are orders of customers: who may not read those sees how many there are. */
async function readRedemptions(c: Context<PanelEnv>, id: number) {
  if (!may(c.var.caller, "orders:read")) return null;
  const { query } = readFilters(c, PageQuery);
  const { rows, totalItems, totalIsExact } = await listRedemptions(c.var.db, id, query, accountScopeOf(c.var.caller));
  return { rows, place: pageOf(query, totalItems, totalIsExact), url: c.req.url, currency: c.var.settings.currency };
}
