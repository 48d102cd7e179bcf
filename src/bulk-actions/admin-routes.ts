import { Hono } from "hono";
import type { AppEnv } from "../auth/app-env.ts";
import { administer } from "../auth/gates.ts";
import { created } from "../http/envelope.ts";
import { creates } from "../http/route-description.ts";
import { validate } from "../http/validate.ts";
import { idempotent } from "../idempotency/header.ts";
import { once } from "../idempotency/once.ts";
import { Job, toJob } from "../jobs/schemas.ts";
import { OrdersAction, ProductsAction } from "./schemas.ts";
import { actOnOrders, actOnProducts, begin } from "./start.ts";

export const bulkActionsAdmin = new Hono<AppEnv>()
  .post(
    "/products/bulk-actions",
    administer("products:write"),
    idempotent,
    validate("json", ProductsAction),
    creates("actOnProducts", "Change many products", Job),
    async (c) => {
      const { db, settings } = c.var;
      const sent = c.req.valid("json");
      const made = await once(c, sent, (author) => actOnProducts(db, sent, settings.currency, author));
      const job = await begin(c, made);
      return created(c, `/api/v1/admin/jobs/${job.id}`, "Products changed, or about to be", toJob(job));
    },
  )
  .post(
    "/orders/bulk-actions",
    administer("orders:write", "payments:write"),
    idempotent,
    validate("json", OrdersAction),
    creates("actOnOrders", "Change many orders", Job),
    async (c) => {
      const { caller, db } = c.var;
      const sent = c.req.valid("json");
      const made = await once(c, sent, (author) => actOnOrders(db, caller, sent, author));
      const job = await begin(c, made);
      return created(c, `/api/v1/admin/jobs/${job.id}`, "Orders changed, or about to be", toJob(job));
    },
  );
