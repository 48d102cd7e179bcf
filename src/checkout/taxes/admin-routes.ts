import { Hono } from "hono";
import { IdParam } from "../../domain/fields.ts";
import { writeRequestOf } from "../../platform/administration/write-queries.ts";
import type { AppEnv } from "../../platform/auth/app-env.ts";
import { administer } from "../../platform/auth/gates.ts";
import { created, list, noContent } from "../../platform/http/envelope.ts";
import { pageOf } from "../../platform/http/pagination.ts";
import { answers, answersNothing, creates, lists } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
import { IfMatch, versioned } from "../../platform/http/version.ts";
import { idempotent } from "../../platform/idempotency/header.ts";
import { once } from "../../platform/idempotency/once.ts";
import { NewTaxRate, TaxRate, TaxRateChange, TaxRatesQuery, toTaxRate } from "./admin-schemas.ts";
import { listTaxRates } from "./queries.ts";
import { changeTaxRate, createTaxRate, removeTaxRate, requireTaxRate } from "./write.ts";

export const taxesAdmin = new Hono<AppEnv>()
  .get(
    "/tax-rates",
    administer("settings:read"),
    validate("query", TaxRatesQuery),
    lists("listTaxRates", "List tax rates", TaxRate),
    async (c) => {
      const query = c.req.valid("query");
      const { rows, totalItems, totalIsExact } = await listTaxRates(c.var.db, query);
      return list(c, "Tax rates", rows.map(toTaxRate), pageOf(query, totalItems, totalIsExact));
    },
  )
  .post(
    "/tax-rates",
    administer("settings:write"),
    idempotent,
    validate("json", NewTaxRate),
    creates("createTaxRate", "Create a tax rate", TaxRate),
    async (c) => {
      const sent = c.req.valid("json");
      const rate = await once(c, sent, (author) => createTaxRate({ db: c.var.db, author }, sent));
      return created(c, `/api/v1/admin/tax-rates/${rate.id}`, "Tax rate created", toTaxRate(rate));
    },
  )
  .get(
    "/tax-rates/:id",
    administer("settings:read"),
    validate("param", IdParam),
    answers("getTaxRate", "Get a tax rate", TaxRate, { headers: ["ETag"] }),
    async (c) => {
      const rate = await requireTaxRate(c.var.db, c.req.valid("param").id);
      return versioned(c, "Tax rate", rate, toTaxRate(rate));
    },
  )
  .put(
    "/tax-rates/:id",
    administer("settings:write"),
    validate("param", IdParam),
    validate("header", IfMatch),
    validate("json", TaxRateChange),
    answers("updateTaxRate", "Update a tax rate", TaxRate, { headers: ["ETag"] }),
    async (c) => {
      const request = writeRequestOf(c, c.req.valid("header"));
      const rate = await changeTaxRate(request, c.req.valid("param").id, c.req.valid("json"));
      return versioned(c, "Tax rate updated", rate, toTaxRate(rate));
    },
  )
  .delete(
    "/tax-rates/:id",
    administer("settings:write"),
    validate("param", IdParam),
    validate("header", IfMatch),
    answersNothing("deleteTaxRate", "Delete a tax rate"),
    async (c) => {
      await removeTaxRate(writeRequestOf(c, c.req.valid("header")), c.req.valid("param").id);
      return noContent(c);
    },
  );
