import { type Context, Hono } from "hono";
import { NewTaxRate, TaxRateChange, TaxRatesQuery } from "../../checkout/taxes/admin-schemas.ts";
import { listTaxRates } from "../../checkout/taxes/queries.ts";
import { changeTaxRate, createTaxRate, removeTaxRate, requireTaxRate } from "../../checkout/taxes/write.ts";
import { IdParam } from "../../domain/fields.ts";
import { writeRequestOf } from "../../platform/administration/write-queries.ts";
import { administer } from "../../platform/auth/gates.ts";
import { pageOf } from "../../platform/http/pagination.ts";
import { validate } from "../../platform/http/validate.ts";
import type { PanelEnv } from "../env.ts";
import { redirectWithFlash } from "../flash.ts";
import { submit } from "../forms/attempt.ts";
import { readFilters } from "../forms/read-filters.ts";
import type { Failed } from "../forms/state.ts";
import { countriesByName, placeName } from "../kit/countries.ts";
import { page } from "../page.tsx";
import { taxRateKinds } from "./form.tsx";
import { LIST, NewTaxRatePage, TaxRatePage, TaxRatesPage } from "./pages.tsx";

export const taxes = new Hono<PanelEnv>()
  .get("/tax-rates", administer("settings:read"), async (c) => {
    const { query, form } = readFilters(c, TaxRatesQuery);
    const { rows, totalItems, totalIsExact } = await listTaxRates(c.var.db, query, countriesByName());
    const props = { rows, place: pageOf(query, totalItems, totalIsExact), form, url: c.req.url };
    return page(c, "Taxes", <TaxRatesPage {...props} />);
  })
  .post("/tax-rates", administer("settings:write"), (c) =>
    submit(
      c,
      (failed) => newPage(c, failed),
      async (sent) => {
        const rate = await createTaxRate(writeRequestOf(c, sent.ifMatch), sent.read(NewTaxRate, taxRateKinds));
        return redirectWithFlash(c, LIST, `${rate.name} of ${placeName(rate)} was created.`);
      },
    ),
  )
  .get("/tax-rates/new", administer("settings:write"), (c) => newPage(c, null))
  .get("/tax-rates/:id", administer("settings:read"), validate("param", IdParam), (c) =>
    ratePage(c, c.req.valid("param").id, null),
  )
  .post("/tax-rates/:id", administer("settings:write"), validate("param", IdParam), (c) => {
    const { id } = c.req.valid("param");
    return submit(
      c,
      (failed) => ratePage(c, id, failed),
      async (sent) => {
        const change = sent.readChange(TaxRateChange, taxRateKinds);
        const rate = await changeTaxRate(writeRequestOf(c, sent.ifMatch), id, change);
        return redirectWithFlash(c, LIST, `${rate.name} of ${placeName(rate)} was saved.`);
      },
    );
  })
  .post("/tax-rates/:id/delete", administer("settings:write"), validate("param", IdParam), (c) => {
    const { id } = c.req.valid("param");
    return submit(
      c,
      (failed) => ratePage(c, id, failed),
      async (sent) => {
        await removeTaxRate(writeRequestOf(c, sent.ifMatch), id);
        return redirectWithFlash(c, LIST, "The rate was deleted.");
      },
    );
  });

const newPage = (c: Context<PanelEnv>, failed: Failed | null) =>
  page(c, "New tax rate", <NewTaxRatePage failed={failed} />);

async function ratePage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const rate = await requireTaxRate(c.var.db, id);
  return page(c, rate.name, <TaxRatePage rate={rate} failed={failed} />);
}
