import { Hono } from "hono";
import { IdParam } from "../../../domain/fields.ts";
import type { AppEnv } from "../../../platform/auth/app-env.ts";
import { accountScopeOf } from "../../../platform/auth/caller.ts";
import { administer } from "../../../platform/auth/gates.ts";
import { created, list } from "../../../platform/http/envelope.ts";
import { PageQuery, pageOf } from "../../../platform/http/pagination.ts";
import { creates, lists } from "../../../platform/http/route-description.ts";
import { validate } from "../../../platform/http/validate.ts";
import { idempotent, once } from "../../../platform/idempotency/once.ts";
import { requireOrder } from "../edit.ts";
import { addNote, listNotes, NewOrderNote, OrderNote, toOrderNote } from "./notes.ts";

export const orderNotesAdmin = new Hono<AppEnv>()
  .get(
    "/orders/:id/notes",
    administer("orders:read"),
    validate("param", IdParam),
    validate("query", PageQuery),
    lists("listOrderNotes", "List the notes of an order", OrderNote),
    async (c) => {
      const [{ id }, query] = [c.req.valid("param"), c.req.valid("query")];
      await requireOrder(c.var.db, id, accountScopeOf(c.var.caller));
      const { rows, totalItems, totalIsExact } = await listNotes(c.var.db, id, query);
      return list(c, "Notes", rows.map(toOrderNote), pageOf(query, totalItems, totalIsExact));
    },
  )
  .post(
    "/orders/:id/notes",
    administer("orders:write"),
    idempotent,
    validate("param", IdParam),
    validate("json", NewOrderNote),
    creates("addOrderNote", "Add a note to an order", OrderNote),
    async (c) => {
      const [{ id }, sent] = [c.req.valid("param"), c.req.valid("json")];
      const note = await once(c, sent, (ctx) => addNote(ctx, { id, note: sent }));
      return created(c, `/api/v1/admin/orders/${id}/notes`, "Note added", toOrderNote(note));
    },
  );
