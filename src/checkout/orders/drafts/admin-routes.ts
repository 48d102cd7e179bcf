import { Hono } from "hono";
import { IdParam, Nothing } from "../../../domain/fields.ts";
import { accountScopeOf, writeContextOf } from "../../../platform/auth/caller.ts";
import { type AppEnv, administer } from "../../../platform/auth/gates.ts";
import { sendInBackground } from "../../../platform/email/send.ts";
import { created, list, noContent } from "../../../platform/http/envelope.ts";
import { answers, answersNothing, creates, lists } from "../../../platform/http/route-description.ts";
import { validate, validateAll } from "../../../platform/http/validate.ts";
import { IfMatch, versioned } from "../../../platform/http/version.ts";
import { idempotent, once } from "../../../platform/idempotency/once.ts";
import {
  DraftContent,
  DraftOrder,
  DraftOrderQuote,
  DraftPlacement,
  DraftsQuery,
  toDraftOrder,
} from "../by-hand/schemas.ts";
import { placementErrors } from "../create/order-errors.ts";
import { Order, toStaffOrder } from "../schemas.ts";
import {
  changeDraft,
  deleteDraft,
  insertDraft,
  listDrafts,
  placeDraft,
  quoteDraft,
  requireDraft,
  sendDraft,
} from "./drafts.ts";

export const draftOrdersAdmin = new Hono<AppEnv>()
  .get(
    "/draft-orders",
    administer("orders:read"),
    validate("query", DraftsQuery),
    lists("listDraftOrders", "List draft orders", DraftOrder),
    async (c) => {
      const page = await listDrafts(c.var.db, c.req.valid("query"), accountScopeOf(c.var.caller));
      return list(c, "Draft orders", page, toDraftOrder);
    },
  )
  .post(
    "/draft-orders",
    administer("orders:write", "payments:write"),
    idempotent,
    validate("json", DraftContent),
    creates("createDraftOrder", "Create a draft order", DraftOrder, {
      refuses: { 400: ["not_for_sale"] },
      description:
        "Prepares an order without taking stock or money. Continue with `sendDraftOrder` or `completeDraftOrder`.",
    }),
    async (c) => {
      const content = c.req.valid("json");
      const draft = await once(c, content, (ctx) => insertDraft(ctx, content));
      return created(c, `/api/v1/admin/draft-orders/${draft.id}`, "Draft saved", toDraftOrder(draft));
    },
  )
  .get(
    "/draft-orders/:id",
    administer("orders:read"),
    validate("param", IdParam),
    answers("getDraftOrder", "Get a draft order", DraftOrderQuote, {
      description: "Returns the draft with a quote at current prices.",
      headers: ["ETag"],
    }),
    async (c) => {
      const draft = await requireDraft(c.var.db, c.req.valid("param").id, accountScopeOf(c.var.caller));
      const quote = await quoteDraft(writeContextOf(c), draft);
      return versioned(c, "Draft order", draft, { ...toDraftOrder(draft), quote });
    },
  )
  .put(
    "/draft-orders/:id",
    administer("orders:write", "payments:write"),
    validateAll({ param: IdParam, header: IfMatch, json: DraftContent }),
    answers("updateDraftOrder", "Replace the content of a draft order", DraftOrder, {
      refuses: { 400: ["not_for_sale"], 409: ["draft_placed", "spending_limit"] },
      description: "Replaces the whole content: fields that are not sent are cleared. Read the draft first.",
      headers: ["ETag"],
    }),
    async (c) => {
      const which = { ...c.req.valid("param"), ifMatch: c.req.valid("header") };
      const draft = await changeDraft(writeContextOf(c), which, c.req.valid("json"));
      return versioned(c, "Draft saved", draft, toDraftOrder(draft));
    },
  )
  .delete(
    "/draft-orders/:id",
    administer("orders:write"),
    validateAll({ param: IdParam, header: IfMatch }),
    answersNothing("deleteDraftOrder", "Delete a draft order", { refuses: { 409: ["draft_placed"] } }),
    async (c) => {
      await deleteDraft(writeContextOf(c), { ...c.req.valid("param"), ifMatch: c.req.valid("header") });
      return noContent(c);
    },
  )
  .post(
    "/draft-orders/:id/send",
    administer("orders:write", "payments:write"),
    idempotent,
    validateAll({ param: IdParam, header: IfMatch, json: Nothing }),
    answers("sendDraftOrder", "Send a draft order to its buyer", DraftOrder, {
      refuses: { 400: ["not_for_sale"], 409: ["draft_placed", "spending_limit"] },
      description: "E-mails the buyer a link to review and order. Ask before you write to customers.",
      headers: ["ETag"],
    }),
    async (c) => {
      const which = { ...c.req.valid("param"), ifMatch: c.req.valid("header") };
      const draft = await once(c, null, (ctx) => sendDraft(ctx, which));
      sendInBackground(c);
      return versioned(c, "Draft sent", draft, toDraftOrder(draft));
    },
  )
  .post(
    "/draft-orders/:id/place",
    administer("orders:write", "payments:write"),
    idempotent,
    validateAll({ param: IdParam, header: IfMatch, json: DraftPlacement }),
    creates("completeDraftOrder", "Place the order of a draft", Order, {
      refuses: { 400: placementErrors, 409: ["draft_placed", "order_resent", "spending_limit"] },
      description: "Places the order on behalf of the buyer, at current prices.",
    }),
    async (c) => {
      const which = { ...c.req.valid("param"), ifMatch: c.req.valid("header") };
      const terms = c.req.valid("json");
      const order = await once(c, terms, (ctx) => placeDraft(ctx, which, terms));
      return created(c, `/api/v1/admin/orders/${order.id}`, "Order placed", toStaffOrder(order));
    },
  );
