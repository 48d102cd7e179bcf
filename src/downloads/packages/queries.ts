import { desc, eq, getTableColumns, sql } from "drizzle-orm";
import type { Database } from "../../platform/db/client.ts";
import { json, jsonRow } from "../../platform/db/json.ts";
import { type PageOf, readPage } from "../../platform/db/page.ts";
import { packages } from "../../platform/db/schema.ts";
import { limitAndOffset, type PageQuery } from "../../platform/http/pagination.ts";
import type { PackageRow } from "./schemas.ts";

const filesOfPackage = json<PackageRow["files"]>(sql`(
  SELECT json_group_array(json_object('id', files.id, 'name', files.name) ORDER BY files.id)
  FROM package_files JOIN files ON files.id = file_id WHERE package_id = packages.id
)`);

export const selectPackages = (db: Database) =>
  db.select({ ...getTableColumns(packages), files: filesOfPackage }).from(packages);

export const packageAsJson = jsonRow<PackageRow>(getTableColumns(packages), { files: filesOfPackage });

/** A page of a user's packages, newest first, and how many there are, in one round trip. */
export function listPackages(db: Database, userId: number, query: PageQuery): Promise<PageOf<PackageRow>> {
  const mine = eq(packages.userId, userId);
  const { limit, offset } = limitAndOffset(query);
  const rows = selectPackages(db).where(mine).orderBy(desc(packages.id)).limit(limit).offset(offset);
  return readPage(db, rows, packages, mine);
}
