import { Hono } from "hono";
import { IdParam } from "../../../domain/fields.ts";
import { writeRequestOf } from "../../../platform/administration/write-queries.ts";
import type { AppEnv } from "../../../platform/auth/app-env.ts";
import { administer } from "../../../platform/auth/gates.ts";
import { created, list, noContent } from "../../../platform/http/envelope.ts";
import { pageOf } from "../../../platform/http/pagination.ts";
import { answers, answersNothing, creates, lists } from "../../../platform/http/route-description.ts";
import { validate } from "../../../platform/http/validate.ts";
import { IfMatch, versioned } from "../../../platform/http/version.ts";
import { idempotent } from "../../../platform/idempotency/header.ts";
import { once } from "../../../platform/idempotency/once.ts";
import { Method, MethodChange, MethodsQuery, NewMethod, toMethod } from "./admin-schemas.ts";
import { listMethods } from "./queries.ts";
import { changeMethod, createMethod, removeMethod, requireMethod } from "./write.ts";

export const methodsAdmin = new Hono<AppEnv>()
  .get(
    "/shipping-methods",
    administer("settings:read"),
    validate("query", MethodsQuery),
    lists("listShippingMethods", "List shipping methods", Method),
    async (c) => {
      const query = c.req.valid("query");
      const { rows, totalItems, totalIsExact } = await listMethods(c.var.db, query);
      return list(c, "Shipping methods", rows.map(toMethod), pageOf(query, totalItems, totalIsExact));
    },
  )
  .post(
    "/shipping-methods",
    administer("settings:write"),
    idempotent,
    validate("json", NewMethod),
    creates("createShippingMethod", "Create a shipping method", Method),
    async (c) => {
      const sent = c.req.valid("json");
      const method = await once(c, sent, (author) => createMethod({ db: c.var.db, author }, sent));
      return created(c, `/api/v1/admin/shipping-methods/${method.id}`, "Shipping method created", toMethod(method));
    },
  )
  .get(
    "/shipping-methods/:id",
    administer("settings:read"),
    validate("param", IdParam),
    answers("getShippingMethod", "Get a shipping method", Method, { headers: ["ETag"] }),
    async (c) => {
      const method = await requireMethod(c.var.db, c.req.valid("param").id);
      return versioned(c, "Shipping method", method, toMethod(method));
    },
  )
  .put(
    "/shipping-methods/:id",
    administer("settings:write"),
    validate("param", IdParam),
    validate("header", IfMatch),
    validate("json", MethodChange),
    answers("updateShippingMethod", "Update a shipping method", Method, { headers: ["ETag"] }),
    async (c) => {
      const request = writeRequestOf(c, c.req.valid("header"));
      const method = await changeMethod(request, c.req.valid("param").id, c.req.valid("json"));
      return versioned(c, "Shipping method updated", method, toMethod(method));
    },
  )
  .delete(
    "/shipping-methods/:id",
    administer("settings:write"),
    validate("param", IdParam),
    validate("header", IfMatch),
    answersNothing("deleteShippingMethod", "Delete a shipping method"),
    async (c) => {
      await removeMethod(writeRequestOf(c, c.req.valid("header")), c.req.valid("param").id);
      return noContent(c);
    },
  );
