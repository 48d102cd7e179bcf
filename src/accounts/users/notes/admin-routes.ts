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
import { requireAccount } from "../admin.ts";
import { addCustomerNote, CustomerNote, listCustomerNotes, NewCustomerNote, toCustomerNote } from "./notes.ts";

export const customerNotesAdmin = new Hono<AppEnv>()
  .get(
    "/users/:id/notes",
    administer("users:read"),
    validate("param", IdParam),
    validate("query", PageQuery),
    lists("listCustomerNotes", "List the notes on a customer", CustomerNote),
    async (c) => {
      const [{ id }, query] = [c.req.valid("param"), c.req.valid("query")];
      await requireAccount(c.var.db, { id, scope: accountScopeOf(c.var.caller) });
      const { rows, totalItems, totalIsExact } = await listCustomerNotes(c.var.db, id, query);
      return list(c, "Notes", rows.map(toCustomerNote), pageOf(query, totalItems, totalIsExact));
    },
  )
  .post(
    "/users/:id/notes",
    administer("users:write"),
    idempotent,
    validate("param", IdParam),
    validate("json", NewCustomerNote),
    creates("addCustomerNote", "Add a note to a customer", CustomerNote),
    async (c) => {
      const [{ id }, sent] = [c.req.valid("param"), c.req.valid("json")];
      const note = await once(c, sent, (ctx) => addCustomerNote(ctx, { id, note: sent }));
      return created(c, `/api/v1/admin/users/${id}/notes`, "Note added", toCustomerNote(note));
    },
  );
