import { desc, sql } from "drizzle-orm";
import { badRequest, fieldError } from "../../domain/errors.ts";
import { auditEntry } from "../../platform/audit/audit.ts";
import { countStoredBytes, jsonBytes, storageRefused } from "../../platform/auth/author-limits.ts";
import { type AuthorContext, requireFresh } from "../../platform/auth/caller.ts";
import { requireFirst, writeThenRead } from "../../platform/db/client.ts";
import { insertSelected, isSame, merge, translateViolations } from "../../platform/db/statements.ts";
import { listPageVersions, type PageText } from "./pages.ts";
import type { PageRow, ShopPageUpdate } from "./schemas.ts";
import { pageVersions } from "./tables.ts";

/** Writes a new version of a page. */
export async function changePage(
  ctx: AuthorContext,
  { change, ...which }: PageText & { change: ShopPageUpdate },
): Promise<PageRow> {
  const [before] = await listPageVersions(ctx.db, which);
  const sent = { ...before, ...change };
  if (sent.title === undefined || sent.text === undefined) {
    const field = sent.title === undefined ? "title" : "text";
    throw badRequest(fieldError(field, "required", "is required for a new page"));
  }
  if (before && isSame(before, merge(before, change))) return before;
  // A page may name an account to pay to.
  if (sent.text !== "") requireFresh(ctx.author);
  const { now } = ctx.author;
  const row = { ...which, title: sent.title, text: sent.text, createdAt: now };
  const writes = [
    ...countStoredBytes(ctx, jsonBytes(row)),
    insertSelected(pageVersions, row),
    auditEntry(ctx, {
      action: "update",
      subject: "page",
      id: sql`(SELECT max(id) FROM ${pageVersions})`,
      after: { ...which, title: row.title },
    }),
  ];
  const newest = ctx.db.select().from(pageVersions).orderBy(desc(pageVersions.id)).limit(1);
  return requireFirst(await translateViolations(writeThenRead(ctx.db, writes, newest), storageRefused(now)));
}
