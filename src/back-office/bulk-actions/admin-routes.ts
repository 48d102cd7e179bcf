import { Hono } from "hono";
import { type AppEnv, administer } from "../../platform/auth/gates.ts";
import { created } from "../../platform/http/envelope.ts";
import { creates } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
import { idempotent, once } from "../../platform/idempotency/once.ts";
import { begin } from "../../platform/jobs/begin.ts";
import { Job, toJob } from "../../platform/jobs/schemas.ts";
import { bulkRunners } from "./runners.ts";
import { CustomerBulkUpdate, OrderBulkUpdate, ProductBulkUpdate } from "./schemas.ts";
import { bulkUpdateCustomers, bulkUpdateOrders, bulkUpdateProducts } from "./start.ts";

export const bulkActionsAdmin = new Hono<AppEnv>()
  .post(
    "/products/bulk-actions",
    administer("products:write"),
    idempotent,
    validate("json", ProductBulkUpdate),
    creates("bulkUpdateProducts", "Change many products", Job, {
      description: "Starts a job that changes up to 10,000 products. Follow it with `getJob`; `undoJob` reverts it.",
    }),
    async (c) => {
      const sent = c.req.valid("json");
      const made = await once(c, sent, (ctx) => bulkUpdateProducts(ctx, sent));
      const job = await begin(c, bulkRunners, made);
      return created(c, `/api/v1/admin/jobs/${job.id}`, "Products changed or queued", toJob(job));
    },
  )
  .post(
    "/users/bulk-actions",
    administer("users:write"),
    idempotent,
    validate("json", CustomerBulkUpdate),
    creates("bulkUpdateCustomers", "Change many customers", Job, {
      description: "Starts a job that changes many customers. Follow it with `getJob`; `undoJob` reverts it.",
    }),
    async (c) => {
      const sent = c.req.valid("json");
      const made = await once(c, sent, (ctx) => bulkUpdateCustomers(ctx, sent));
      const job = await begin(c, bulkRunners, made);
      return created(c, `/api/v1/admin/jobs/${job.id}`, "Customers changed or queued", toJob(job));
    },
  )
  .post(
    "/orders/bulk-actions",
    administer("orders:write", "payments:write"),
    idempotent,
    validate("json", OrderBulkUpdate),
    creates("bulkUpdateOrders", "Change many orders", Job, {
      description: "Starts a job that changes many orders. Follow it with `getJob`.",
    }),
    async (c) => {
      const sent = c.req.valid("json");
      const made = await once(c, sent, (ctx) => bulkUpdateOrders(ctx, sent));
      const job = await begin(c, bulkRunners, made);
      return created(c, `/api/v1/admin/jobs/${job.id}`, "Orders changed or queued", toJob(job));
    },
  );
