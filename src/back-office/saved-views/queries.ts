import { and, asc, eq, getTableColumns, sql } from "drizzle-orm";
import { badRequest, conflict, fieldError } from "../../domain/errors.ts";
import { limits } from "../../domain/limits.ts";
import type { AuditedTable, Creation } from "../../platform/administration/write-queries.ts";
import type { Database } from "../../platform/db/client.ts";
import { jsonRow } from "../../platform/db/json.ts";
import { allOf, type Conditions, type PageOf, readPage } from "../../platform/db/page.ts";
import { savedViews, type ViewedList } from "../../platform/db/schema.ts";
import { limitAndOffset } from "../../platform/http/pagination.ts";
import type { NewSavedView, SavedViewRow, SavedViewsQuery } from "./schemas.ts";

/** Lists a user's views in order of creation. */
export function listSavedViews(db: Database, userId: number, query: SavedViewsQuery): Promise<PageOf<SavedViewRow>> {
  const narrowed = { list: query.list && eq(savedViews.list, query.list) } satisfies Conditions<SavedViewsQuery>;
  const where = and(eq(savedViews.userId, userId), allOf(narrowed));
  const { limit, offset } = limitAndOffset(query);
  const rows = db.select().from(savedViews).where(where).orderBy(asc(savedViews.id)).limit(limit).offset(offset);
  return readPage(db, rows, savedViews, where);
}

/** All views of a list that a user has saved. Their number is limited. */
export const readViewsOf = (db: Database, userId: number, list: ViewedList): Promise<SavedViewRow[]> =>
  db
    .select()
    .from(savedViews)
    .where(and(eq(savedViews.userId, userId), eq(savedViews.list, list)))
    .orderBy(asc(savedViews.id));

export const findSavedView = (db: Database, userId: number, id: number): Promise<SavedViewRow | undefined> =>
  db
    .select()
    .from(savedViews)
    .where(and(eq(savedViews.id, id), eq(savedViews.userId, userId)))
    .get();

/** A view in the audit log. Its filters may name people and are left out, so that they are erased with the view. */
type ViewState = Pick<SavedViewRow, "list">;

export const auditedViews: AuditedTable<SavedViewRow, ViewState> = {
  table: savedViews,
  name: "saved_views",
  subject: "saved_view",
  json: jsonRow<SavedViewRow>(getTableColumns(savedViews)),
  audited: ({ list }) => ({ list }),
  refusals: {
    "saved_views.user_id": () => badRequest(fieldError("name", "name_taken", "belongs to another view of the list")),
    too_many_saved_views: () =>
      conflict(
        "too_many_saved_views",
        `You have ${limits.SAVED_VIEWS_PER_LIST} views of the list, as many as there may be`,
        fieldError("body", "too_many_saved_views", "is one more than there may be", {
          limit: limits.SAVED_VIEWS_PER_LIST,
        }),
      ),
  },
};

export const newSavedView = (userId: number, state: NewSavedView): Creation<ViewState> => ({
  row: { ...state, userId },
  where: sql`user_id = ${userId} AND list = ${state.list} AND name = ${state.name}`,
  state: { list: state.list },
});
