import { Hono } from "hono";
import { eraseCustomer, keepCustomer } from "../../accounts/personal-data/erasure.ts";
import { readPersonalData } from "../../accounts/personal-data/export.ts";
import { toExport } from "../../accounts/personal-data/schemas.ts";
import { notFound } from "../../domain/errors.ts";
import { IdParam } from "../../domain/fields.ts";
import { authorOf } from "../../platform/auth/author.ts";
import { administrators } from "../../platform/auth/gates.ts";
import { sendInBackground } from "../../platform/email/send.ts";
import { validate } from "../../platform/http/validate.ts";
import type { PanelEnv } from "../env.ts";
import { redirectWithFlash } from "../flash.ts";
import { submit } from "../forms/attempt.ts";
import { customerPage } from "./customer-page.tsx";

/** What is held of a customer, on request of theirs: as a file, and its erasure. */
export const customerData = new Hono<PanelEnv>()
  .get("/customers/:id/export", administrators, validate("param", IdParam), async (c) => {
    const { id } = c.req.valid("param");
    const data = await readPersonalData(c.var.db, id, authorOf(c));
    if (!data) throw notFound(`User ${id}`);
    c.header("Content-Disposition", `attachment; filename="customer-${id}.json"`);
    return c.json(toExport(data, c.var.settings.currency, Date.now()));
  })
  .post("/customers/:id/erase", administrators, validate("param", IdParam), (c) => {
    const { id } = c.req.valid("param");
    return submit(
      c,
      (failed) => customerPage(c, id, failed),
      async () => {
        await eraseCustomer({ env: c.env, ...c.var }, id, authorOf(c));
        sendInBackground(c);
        return redirectWithFlash(c, `/admin/customers/${id}`, "The account will be erased in seven days.");
      },
    );
  })
  .post("/customers/:id/restore", administrators, validate("param", IdParam), (c) => {
    const { id } = c.req.valid("param");
    return submit(
      c,
      (failed) => customerPage(c, id, failed),
      async () => {
        await keepCustomer(c.var.db, id, authorOf(c));
        return redirectWithFlash(c, `/admin/customers/${id}`, "The erasure was cancelled.");
      },
    );
  });
