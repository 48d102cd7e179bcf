import { Hono } from "hono";
import { accountScopeOf } from "../../auth/account-scope.ts";
import type { AppEnv } from "../../auth/app-env.ts";
import { administer } from "../../auth/gates.ts";
import { IdParam } from "../../domain/fields.ts";
import { created, list } from "../../http/envelope.ts";
import { PageQuery, pageOf } from "../../http/pagination.ts";
import { creates, lists } from "../../http/route-description.ts";
import { validate } from "../../http/validate.ts";
import { idempotent } from "../../idempotency/header.ts";
import { once } from "../../idempotency/once.ts";
import { requireOrder } from "../write.ts";
import { listNotes } from "./queries.ts";
import { NewOrderNote, OrderNote, toOrderNote } from "./schemas.ts";
import { addNote } from "./write.ts";

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
      const target = { id, scope: accountScopeOf(c.var.caller) };
      const note = await once(c, sent, (author) => addNote(c.var.db, target, sent, author));
      return created(c, `/api/v1/admin/orders/${id}/notes`, "Note added", toOrderNote(note));
    },
  );
