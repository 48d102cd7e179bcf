import { and, asc, eq, getTableColumns, sql } from "drizzle-orm";
import * as z from "zod";
import { UsersQuery } from "../../accounts/users/public.ts";
import { AllProductsQuery } from "../../catalogue/products/public.ts";
import { AllOrdersQuery } from "../../checkout/orders/public.ts";
import { badRequest, conflict, fieldError, notFound } from "../../domain/errors.ts";
import { coded, line, Timestamp } from "../../domain/fields.ts";
import { limits } from "../../domain/limits.ts";
import { toRecord } from "../../domain/record.ts";
import { FilesQuery } from "../../downloads/files/public.ts";
import { type AuditedTable, applyCreation, applyDeletion } from "../../platform/administration/write-queries.ts";
import { requirePermission, type UserCaller, type UserContext } from "../../platform/auth/caller.ts";
import type { Permission } from "../../platform/auth/roles.ts";
import type { Database } from "../../platform/db/client.ts";
import { jsonRow } from "../../platform/db/json.ts";
import { allOf, type Conditions, type PageOf, readPage } from "../../platform/db/page.ts";
import { savedViews, type ViewedList, viewedLists } from "../../platform/db/schema.ts";
import { ListFilters, pageFields } from "../../platform/http/pagination.ts";
import { valid } from "../../platform/http/validate.ts";
import type { IfMatch } from "../../platform/http/version.ts";

export type SavedViewRow = typeof savedViews.$inferSelect;

const List = z.enum(viewedLists);

export const SavedViewsQuery = z.strictObject({ ...pageFields, list: List.optional() });
export type SavedViewsQuery = z.output<typeof SavedViewsQuery>;

export const SavedViewCreate = z
  .strictObject({
    list: List,
    name: line(60),
    filters: ListFilters.refine((filters) => Object.keys(filters).length > 0, {
      error: "must not be empty",
      ...coded("required"),
    }).describe("Query parameters of the list"),
  })
  .meta({ id: "SavedViewCreate" });
export type SavedViewCreate = z.output<typeof SavedViewCreate>;

export const SavedView = z
  .object({
    id: z.int(),
    list: List,
    name: z.string(),
    filters: z.record(z.string(), z.string()),
    created_at: Timestamp,
  })
  .meta({ id: "SavedView" });

export const toSavedView = (row: SavedViewRow): z.output<typeof SavedView> => toRecord(SavedView, row, {});

/** Lists a user's views in order of creation. */
export function listSavedViews(db: Database, userId: number, query: SavedViewsQuery): Promise<PageOf<SavedViewRow>> {
  const narrowed = { list: query.list && eq(savedViews.list, query.list) } satisfies Conditions<SavedViewsQuery>;
  const where = and(eq(savedViews.userId, userId), allOf(narrowed));
  const rows = db.select().from(savedViews).where(where).orderBy(asc(savedViews.id));
  return readPage(db, query, rows, savedViews, where);
}

/** All views of a list that a user has saved. Their number is limited. */
export const readViewsOf = (db: Database, userId: number, list: ViewedList): Promise<SavedViewRow[]> =>
  db
    .select()
    .from(savedViews)
    .where(and(eq(savedViews.userId, userId), eq(savedViews.list, list)))
    .orderBy(asc(savedViews.id));

/** A view in the audit log. Its filters may contain names and are left out, so that erasing the view removes them. */
type ViewState = Pick<SavedViewRow, "list">;

const auditedViews: AuditedTable<SavedViewRow, ViewState> = {
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
        `You have ${limits.SAVED_VIEWS_PER_LIST} views of the list, the maximum`,
        fieldError("body", "too_many_saved_views", "exceeds the maximum", {
          limit: limits.SAVED_VIEWS_PER_LIST,
        }),
      ),
  },
};

/** Query schema and permission of each list. */
const lists: Record<ViewedList, { query: z.ZodType; needs: Permission }> = {
  orders: { query: AllOrdersQuery, needs: "shipments:read" },
  products: { query: AllProductsQuery, needs: "products:read_all" },
  users: { query: UsersQuery, needs: "users:read" },
  files: { query: FilesQuery, needs: "files:read_all" },
};

/** Saves a view under a name. Its list must be readable by its owner and accept its filters. */
export function saveView(ctx: UserContext, sent: SavedViewCreate): Promise<SavedViewRow> {
  const { query, needs } = lists[sent.list];
  requirePermission(ctx.caller, needs);
  valid(z.object({ filters: query }), sent);
  const { list, name } = sent;
  const userId = ctx.caller.id;
  const where = sql`${savedViews.userId} = ${userId} AND ${savedViews.list} = ${list} AND ${savedViews.name} = ${name}`;
  return applyCreation(ctx, { target: auditedViews, row: { ...sent, userId }, where, state: { list } });
}

/** Returns one of the owner's views. Nobody sees the views of others. */
export async function requireSavedView(db: Database, owner: UserCaller, id: number): Promise<SavedViewRow> {
  const view = await db
    .select()
    .from(savedViews)
    .where(and(eq(savedViews.id, id), eq(savedViews.userId, owner.id)))
    .get();
  if (!view) throw notFound(`Saved view ${id}`);
  return view;
}

export async function removeSavedView(
  ctx: UserContext,
  { id, ifMatch }: { id: number; ifMatch: IfMatch },
): Promise<void> {
  const before = await requireSavedView(ctx.db, ctx.caller, id);
  await applyDeletion(ctx, { target: auditedViews, before, ifMatch });
}
