import * as z from "zod";
import { notFound } from "../../domain/errors.ts";
import { applyCreation, applyDeletion } from "../../platform/administration/write-queries.ts";
import { requirePermission, type UserCaller } from "../../platform/auth/caller.ts";
import type { WriteContext } from "../../platform/auth/write-context.ts";
import type { Database } from "../../platform/db/client.ts";
import { valid } from "../../platform/http/validate.ts";
import type { IfMatch } from "../../platform/http/version.ts";
import { lists } from "./lists.ts";
import { auditedViews, findSavedView, newSavedView } from "./queries.ts";
import type { NewSavedView, SavedViewRow } from "./schemas.ts";

type OwnerContext = Pick<WriteContext<UserCaller>, "db" | "caller" | "author">;

/** Saves a view under a name. It is of a list that its owner reads, and says what that list understands. */
export function saveView(ctx: OwnerContext, sent: NewSavedView): Promise<SavedViewRow> {
  const { query, needs } = lists[sent.list];
  requirePermission(ctx.caller, needs);
  valid(z.object({ filters: query }), sent);
  return applyCreation(ctx, { target: auditedViews, ...newSavedView(ctx.caller.id, sent) });
}

/** Returns one of the owner's views. Nobody sees the views of others. */
export async function requireSavedView(db: Database, owner: UserCaller, id: number): Promise<SavedViewRow> {
  const view = await findSavedView(db, owner.id, id);
  if (!view) throw notFound(`Saved view ${id}`);
  return view;
}

export async function removeSavedView(
  ctx: OwnerContext,
  { id, ifMatch }: { id: number; ifMatch: IfMatch },
): Promise<void> {
  const before = await requireSavedView(ctx.db, ctx.caller, id);
  await applyDeletion(ctx, { target: auditedViews, before, ifMatch });
}
