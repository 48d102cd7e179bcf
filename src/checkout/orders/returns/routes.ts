import { Hono } from "hono";
import { auditedKey } from "../../../platform/audit/audit.ts";
import { ClientAddressHeaders } from "../../../platform/auth/client.ts";
import { type AppEnv, allow, allowAnyone } from "../../../platform/auth/gates.ts";
import { sendInBackground } from "../../../platform/email/send.ts";
import { created, list, ok } from "../../../platform/http/envelope.ts";
import { answers, creates, lists } from "../../../platform/http/route-description.ts";
import { validate, validateAll } from "../../../platform/http/validate.ts";
import { idempotent, once } from "../../../platform/idempotency/once.ts";
import { OrderParam } from "../create/schemas.ts";
import { createReturn } from "./create.ts";
import { listReturns } from "./returns.ts";
import { MyReturnsQuery, Return, ReturnRequest, toReturn } from "./schemas.ts";
import { declareWithdrawal, limitWithdrawals, WithdrawalCreate, WithdrawalReceipt } from "./withdraw.ts";

export const returnRoutes = new Hono<AppEnv>()
  .get(
    "/account/returns",
    allow("checkout:read"),
    validate("query", MyReturnsQuery),
    lists("listMyReturns", "List your returns", Return),
    async (c) => list(c, "Returns", await listReturns(c.var.db, c.req.valid("query"), c.var), toReturn),
  )
  .post(
    "/account/orders/:orderId/returns",
    allow("checkout:write", "sandboxed"),
    idempotent,
    validateAll({ param: OrderParam, json: ReturnRequest }),
    creates("createMyReturn", "Request a return", Return, {
      refuses: { 400: ["exceeds_returnable"], 409: ["too_many_returns"] },
      description: "Asks the shop to take delivered units back. It approves or declines the request.",
    }),
    async (c) => {
      const id = c.req.valid("param").orderId;
      const request = c.req.valid("json");
      const made = await once(c, request, (ctx) =>
        createReturn(ctx, {
          which: { id, caller: ctx.caller },
          request,
          row: { status: "requested", requestedBy: "customer" },
          audit: auditedKey(ctx.caller, ctx.author),
        }),
      );
      return created(c, `/api/v1/user/account/returns?order_id=${id}`, "Return requested", toReturn(made));
    },
  )
  .post(
    "/withdrawals",
    // As many as sign-ups, because a receipt goes to an address that the caller names.
    allowAnyone("checkout:write", "sign-up"),
    idempotent,
    validateAll({ header: ClientAddressHeaders, json: WithdrawalCreate }),
    answers("createWithdrawal", "Withdraw from a contract", WithdrawalReceipt, {
      description:
        "Declares withdrawal from an order, without an account. A matching order gets a return, and its address a receipt. Ask the buyer to confirm before the call.",
      refuses: { 404: ["not_found"] },
    }),
    async (c) => {
      const declaration = c.req.valid("json");
      await limitWithdrawals(c, declaration.email);
      const received = await once(c, declaration, (ctx) => declareWithdrawal(ctx, declaration), declaration.email);
      sendInBackground(c);
      return ok(c, "Received. If the order exists, a receipt is on its way", received);
    },
  );
