import { Hono } from "hono";
import { IdParam } from "../../../domain/fields.ts";
import { accountScopeOf, writeContextOf } from "../../../platform/auth/caller.ts";
import { type AppEnv, administer } from "../../../platform/auth/gates.ts";
import { created, list } from "../../../platform/http/envelope.ts";
import { answers, creates, lists } from "../../../platform/http/route-description.ts";
import { validate, validateAll } from "../../../platform/http/validate.ts";
import { IfMatch, versioned } from "../../../platform/http/version.ts";
import { idempotent, once } from "../../../platform/idempotency/once.ts";
import { notifyProvider } from "../../payments/public.ts";
import { Order, toStaffOrder } from "../schemas.ts";
import { changeReturn, settleReturn } from "./change.ts";
import { createStaffReturn } from "./create.ts";
import { listReturns, requireReturn } from "./returns.ts";
import { Return, ReturnCreate, ReturnSettlement, ReturnsQuery, ReturnUpdate, toReturn } from "./schemas.ts";

export const returnsAdmin = new Hono<AppEnv>()
  .get(
    "/returns",
    administer("orders:read"),
    validate("query", ReturnsQuery),
    lists("adminListReturns", "List returns", Return),
    async (c) => {
      const scope = accountScopeOf(c.var.caller);
      return list(c, "Returns", await listReturns(c.var.db, c.req.valid("query"), { scope }), toReturn);
    },
  )
  .post(
    "/orders/:id/returns",
    administer("orders:write"),
    idempotent,
    validateAll({ param: IdParam, json: ReturnCreate }),
    creates("adminCreateReturn", "Create a return", Return, {
      refuses: { 400: ["exceeds_returnable"], 409: ["too_many_returns"] },
      description: "Creates an approved return.",
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const request = c.req.valid("json");
      const made = await once(c, request, (ctx) => createStaffReturn(ctx, { id, request }));
      return created(c, `/api/v1/admin/returns/${made.id}`, "Return created", toReturn(made));
    },
  )
  .get(
    "/returns/:id",
    administer("orders:read"),
    validate("param", IdParam),
    answers("getReturn", "Get a return", Return, { headers: ["ETag"] }),
    async (c) => {
      const row = await requireReturn(c.var.db, c.req.valid("param").id, accountScopeOf(c.var.caller));
      return versioned(c, "Return", row, toReturn(row));
    },
  )
  .put(
    "/returns/:id",
    administer("orders:write"),
    validateAll({ param: IdParam, header: IfMatch, json: ReturnUpdate }),
    answers("updateReturn", "Update a return", Return, {
      refuses: { 400: ["exceeds_returnable"], 409: ["move_not_allowed"] },
      headers: ["ETag"],
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const [change, ifMatch] = [c.req.valid("json"), c.req.valid("header")];
      const row = await changeReturn(writeContextOf(c), { id, change, ifMatch });
      return versioned(c, "Return updated", row, toReturn(row));
    },
  )
  .post(
    "/returns/:id/settle",
    administer("payments:write"),
    idempotent,
    validateAll({ param: IdParam, header: IfMatch, json: ReturnSettlement }),
    answers("settleReturn", "Refund a return", Order, {
      refuses: {
        400: ["exceeds_refundable", "payment_not_possible"],
        409: ["gift_card_in_use", "move_not_allowed", "spending_limit", "units_in_return"],
      },
      description:
        "Refunds the units that arrived, which cannot be undone. Intact units return to the stock, damaged ones are written off.",
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const [settlement, ifMatch] = [c.req.valid("json"), c.req.valid("header")];
      const order = await once(c, settlement, (ctx) => settleReturn(ctx, { id, settlement, ifMatch }));
      notifyProvider(c, order);
      return versioned(c, "Return settled", order, toStaffOrder(order));
    },
  );
