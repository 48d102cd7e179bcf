import { Hono } from "hono";
import { IdParam } from "../../domain/fields.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { type AppEnv, staff } from "../../platform/auth/gates.ts";
import { created, list, noContent } from "../../platform/http/envelope.ts";
import { answersNothing, creates, lists } from "../../platform/http/route-description.ts";
import { validate, validateAll } from "../../platform/http/validate.ts";
import { IfMatch } from "../../platform/http/version.ts";
import { idempotent, once } from "../../platform/idempotency/once.ts";
import {
  listSavedViews,
  removeSavedView,
  SavedView,
  SavedViewCreate,
  SavedViewsQuery,
  saveView,
  toSavedView,
} from "./saved-views.ts";

export const savedViewsAdmin = new Hono<AppEnv>()
  .get(
    "/saved-views",
    staff,
    validate("query", SavedViewsQuery),
    lists("listSavedViews", "List your saved views", SavedView),
    async (c) => {
      const page = await listSavedViews(c.var.db, c.var.caller.id, c.req.valid("query"));
      return list(c, "Saved views", page, toSavedView);
    },
  )
  .post(
    "/saved-views",
    staff,
    idempotent,
    validate("json", SavedViewCreate),
    creates("createSavedView", "Save a view of a list", SavedView, {
      refuses: { 400: ["name_taken"], 409: ["too_many_saved_views"] },
    }),
    async (c) => {
      const sent = c.req.valid("json");
      const view = await once(c, sent, (ctx) => saveView(ctx, sent));
      return created(c, `/api/v1/admin/saved-views?list=${view.list}`, "View saved", toSavedView(view));
    },
  )
  .delete(
    "/saved-views/:id",
    staff,
    validateAll({ param: IdParam, header: IfMatch }),
    answersNothing("deleteSavedView", "Delete a saved view"),
    async (c) => {
      await removeSavedView(writeContextOf(c), { id: c.req.valid("param").id, ifMatch: c.req.valid("header") });
      return noContent(c);
    },
  );
