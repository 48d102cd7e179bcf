import * as z from "zod";
import { notFound } from "../../domain/errors.ts";
import { applyCreation, applyDeletion, type WriteRequest } from "../../platform/administration/write-queries.ts";
import { requirePermission, type UserCaller } from "../../platform/auth/caller.ts";
import type { Database } from "../../platform/db/client.ts";
import { valid } from "../../platform/http/validate.ts";
import { lists } from "./lists.ts";
import { auditedViews, findSavedView, newSavedView } from "./queries.ts";
import type { NewSavedView, SavedViewRow } from "./schemas.ts";

/** Saves a view under a name. It is of a list that its owner reads, and says what that list understands. */
export function saveView(
  request: Omit<WriteRequest, "ifMatch">,
  owner: UserCaller,
  sent: NewSavedView,
): Promise<SavedViewRow> {
  const { query, needs } = lists[sent.list];
  requirePermission(owner, needs);
  valid(z.object({ filters: query }), sent);
  return applyCreation(request, auditedViews, newSavedView(owner.id, sent));
}

/** Returns one of the owner's views. Nobody sees the views of others. */
export async function requireSavedView(db: Database, owner: UserCaller, id: number): Promise<SavedViewRow> {
  const view = await findSavedView(db, owner.id, id);
  if (!view) throw notFound(`Saved view ${id}`);
  return view;
}

export async function removeSavedView(request: WriteRequest, owner: UserCaller, id: number): Promise<void> {
  await applyDeletion(request, auditedViews, await requireSavedView(request.db, owner, id));
}
