import { Hono } from "hono";
import { IdParam, Nothing } from "../../domain/fields.ts";
import { asSent, fromForm, receiveUpload } from "../../downloads/files/public.ts";
import { countItems } from "../../platform/auth/authenticate.ts";
import { type AppEnv, administer } from "../../platform/auth/gates.ts";
import type { ImportResource } from "../../platform/db/schema.ts";
import { runToCompletion } from "../../platform/http/background.ts";
import { created, list, ok } from "../../platform/http/envelope.ts";
import { PageQuery } from "../../platform/http/pagination.ts";
import { acceptsBody, answers, creates, lists } from "../../platform/http/route-description.ts";
import { validate, validateAll } from "../../platform/http/validate.ts";
import { idempotent, once } from "../../platform/idempotency/once.ts";
import { begin } from "../../platform/jobs/begin.ts";
import { startInBackground } from "../../platform/jobs/start.ts";
import { checkAgain, createImport, listImports, requireImportOf, startImport } from "./imports.ts";
import {
  createProductBatch,
  ProductBatch,
  ProductBatchCreate,
  readProductBatch,
  UncheckedItems,
} from "./products/batch.ts";
import { importRunners } from "./runners.ts";
import { Import, NewImport, ReadAs, toImport } from "./schemas.ts";

const importsOf = (
  resource: ImportResource,
  permission: "products:write" | "users:write",
  noun: "Product" | "Customer",
) =>
  new Hono<AppEnv>()
    .get(
      `/imports/${resource}`,
      administer(permission),
      validate("query", PageQuery),
      lists(`list${noun}Imports`, `List imports of ${resource}`, Import),
      async (c) => {
        const page = await listImports(c.var.db, resource, c.req.valid("query"));
        return list(c, "Imports", page, toImport);
      },
    )
    .post(
      `/imports/${resource}`,
      administer(permission),
      idempotent,
      acceptsBody("multipart/form-data", NewImport),
      creates(`create${noun}Import`, `Upload and check a file of ${resource}`, Import),
      async (c) => {
        const upload = receiveUpload(c.req.raw, (fields, file) =>
          once(c, asSent(fields, file), (ctx) =>
            createImport(ctx, { resource, file, readAs: fromForm(NewImport, fields) }),
          ),
        );
        const row = await runToCompletion(c, upload);
        startInBackground(c, row.checkJobId);
        return created(c, `/api/v1/admin/imports/${resource}/${row.id}`, "Import is being checked", toImport(row));
      },
    )
    .get(
      `/imports/${resource}/:id`,
      administer(permission),
      validate("param", IdParam),
      answers(`get${noun}Import`, `Get an import of ${resource}`, Import),
      async (c) => ok(c, "Import", toImport(await requireImportOf(c.var.db, resource, c.req.valid("param").id))),
    )
    .post(
      `/imports/${resource}/:id/check`,
      administer(permission),
      idempotent,
      validateAll({ param: IdParam, json: ReadAs }),
      answers(`check${noun}Import`, `Check a file of ${resource} again with other settings`, Import, {
        refuses: { 409: ["upload_expired", "wrong_job_state"] },
      }),
      async (c) => {
        const { id } = c.req.valid("param");
        const readAs = c.req.valid("json");
        const row = await once(c, readAs, (ctx) => checkAgain(ctx, { resource, id, readAs }));
        startInBackground(c, row.checkJobId);
        return ok(c, "Import is being checked", toImport(row));
      },
    )
    .post(
      `/imports/${resource}/:id/start`,
      administer(permission),
      idempotent,
      validateAll({ param: IdParam, json: Nothing }),
      answers(`start${noun}Import`, `Start a checked import of ${resource}`, Import, {
        refuses: { 409: ["upload_expired", "wrong_job_state"] },
      }),
      async (c) => {
        const { id } = c.req.valid("param");
        const row = await once(c, {}, (ctx) => startImport(ctx, { resource, id }));
        if (row.jobId !== null) startInBackground(c, row.jobId);
        return ok(c, "Import started", toImport(row));
      },
    );

export const importsAdmin = new Hono<AppEnv>()
  .post(
    "/products/batch",
    administer("products:write"),
    idempotent,
    validate("json", UncheckedItems, ProductBatchCreate),
    countItems,
    answers("upsertProducts", "Create and change up to 100 products", ProductBatch, {
      description:
        "Changes products and variants by `id` or `sku`, with their prices and stock, and creates those whose `sku` is new. A new product needs `name`, `type` and `price`, and is a draft without `status`. Each item has its own result: an item that fails leaves the others written, and one that is unchanged writes nothing. Every ten items count as one request.",
    }),
    async (c) => {
      const { items } = c.req.valid("json");
      const { origin } = new URL(c.req.url);
      const made = await once(c, items, (ctx) => createProductBatch(ctx, { items, origin }));
      await begin(c, importRunners, made);
      const batch = await readProductBatch(c.var.db, made.id);
      return ok(c, batch.failed > 0 ? `${batch.failed} of ${items.length} items failed` : "Products written", batch);
    },
  )
  .route("/", importsOf("products", "products:write", "Product"))
  .route("/", importsOf("customers", "users:write", "Customer"));
