import { Hono } from "hono";
import { IdParam } from "../../domain/fields.ts";
import { writeRequestOf } from "../../platform/administration/write-queries.ts";
import type { AppEnv } from "../../platform/auth/app-env.ts";
import { accountScopeOf } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import { created, list, noContent } from "../../platform/http/envelope.ts";
import { PageQuery, pageOf } from "../../platform/http/pagination.ts";
import { answers, answersNothing, creates, lists } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
import { IfMatch, versioned } from "../../platform/http/version.ts";
import { idempotent, once } from "../../platform/idempotency/once.ts";
import { Discount, DiscountChange, DiscountsQuery, NewDiscount, toDiscount } from "./admin-schemas.ts";
import { listDiscounts } from "./queries.ts";
import { listRedemptions } from "./redemption-queries.ts";
import { Redemption, toRedemption } from "./redemption-schemas.ts";
import { changeDiscount, createDiscount, removeDiscount, requireDiscount } from "./write.ts";

export const discountsAdmin = new Hono<AppEnv>()
  .get(
    "/discounts",
    administer("discounts:read"),
    validate("query", DiscountsQuery),
    lists("listDiscounts", "List discounts", Discount),
    async (c) => {
      const query = c.req.valid("query");
      const now = Date.now();
      const { rows, totalItems, totalIsExact } = await listDiscounts(c.var.db, query, now);
      const data = rows.map((row) => toDiscount(row, now));
      return list(c, "Discounts", data, pageOf(query, totalItems, totalIsExact));
    },
  )
  .post(
    "/discounts",
    administer("discounts:write"),
    idempotent,
    validate("json", NewDiscount),
    creates("createDiscount", "Create a discount", Discount),
    async (c) => {
      const sent = c.req.valid("json");
      const row = await once(c, sent, (author) => createDiscount({ db: c.var.db, author }, sent));
      return created(c, `/api/v1/admin/discounts/${row.id}`, "Discount created", toDiscount(row, row.updatedAt));
    },
  )
  .get(
    "/discounts/:id",
    administer("discounts:read"),
    validate("param", IdParam),
    answers("getDiscount", "Get a discount", Discount, { headers: ["ETag"] }),
    async (c) => {
      const row = await requireDiscount(c.var.db, c.req.valid("param").id);
      return versioned(c, "Discount", row, toDiscount(row, Date.now()));
    },
  )
  .put(
    "/discounts/:id",
    administer("discounts:write"),
    validate("param", IdParam),
    validate("header", IfMatch),
    validate("json", DiscountChange),
    answers("updateDiscount", "Update a discount", Discount, { headers: ["ETag"] }),
    async (c) => {
      const request = writeRequestOf(c, c.req.valid("header"));
      const row = await changeDiscount(request, c.req.valid("param").id, c.req.valid("json"));
      return versioned(c, "Discount updated", row, toDiscount(row, Date.now()));
    },
  )
  .delete(
    "/discounts/:id",
    administer("discounts:write"),
    validate("param", IdParam),
    validate("header", IfMatch),
    answersNothing("deleteDiscount", "Delete a discount", { refuses: [409] }),
    async (c) => {
      await removeDiscount(writeRequestOf(c, c.req.valid("header")), c.req.valid("param").id);
      return noContent(c);
    },
  )
  .get(
    "/discounts/:id/redemptions",
    administer("orders:read"),
    validate("param", IdParam),
    validate("query", PageQuery),
    lists("listRedemptions", "List the orders that used a discount", Redemption),
    async (c) => {
      const query = c.req.valid("query");
      const { id } = await requireDiscount(c.var.db, c.req.valid("param").id);
      const { rows, totalItems, totalIsExact } = await listRedemptions(
        c.var.db,
        id,
        query,
        accountScopeOf(c.var.caller),
      );
      return list(c, "Redemptions", rows.map(toRedemption), pageOf(query, totalItems, totalIsExact));
    },
  );
