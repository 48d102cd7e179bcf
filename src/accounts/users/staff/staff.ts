import { desc, inArray, type SQL, sql } from "drizzle-orm";
import { isStaff } from "../../../platform/auth/roles.ts";
import type { Database } from "../../../platform/db/client.ts";
import { type PageOf, readPage } from "../../../platform/db/page.ts";
import { roles, users } from "../../../platform/db/schema.ts";
import { limitAndOffset, type PageQuery } from "../../../platform/http/pagination.ts";
import type { StaffRow } from "./schemas.ts";

const { id, name, email, role, lastSeenAt, disabledAt, createdAt } = users;

const hasTwoFactor: SQL<boolean> =
  sql`EXISTS (SELECT 1 FROM totp_secrets WHERE user_id = users.id AND confirmed_at IS NOT NULL)`.mapWith(Boolean);

/** A condition that the index of roles serves, so that no customer is read. */
const ofStaff = inArray(role, roles.filter(isStaff));

/** Lists staff: active people first, by name. */
export function listStaff(db: Database, query: PageQuery): Promise<PageOf<StaffRow>> {
  const { limit, offset } = limitAndOffset(query);
  const rows = db
    .select({
      id,
      name,
      email,
      role,
      lastSeenAt,
      disabledAt,
      createdAt,
      hasTwoFactor: hasTwoFactor.as("has_two_factor"),
    })
    .from(users)
    .where(ofStaff)
    .orderBy(desc(sql`${disabledAt} IS NULL`), sql`${name} COLLATE NOCASE`, id)
    .limit(limit)
    .offset(offset);
  return readPage(db, rows, users, ofStaff);
}
