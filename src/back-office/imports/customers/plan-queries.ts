import { inArray, sql } from "drizzle-orm";
import type { Database } from "../../../platform/db/client.ts";
import { users } from "../../../platform/db/schema.ts";
import type { CustomerRecord } from "./shape.ts";

const { id, role, updatedAt, name, email, phone, company, acceptsMarketing, metadata, taxExemptReason } = users;
const state = { name, email, phone, company, acceptsMarketing, metadata, taxExemptReason };

export type CustomerState = Pick<typeof users.$inferSelect, keyof typeof state>;

type Account = CustomerState & Pick<typeof users.$inferSelect, "id" | "role" | "updatedAt">;

/** `ids` holds the ids of earlier records: the second of two records with one id gets another id. */
export type Known = { accounts: Map<string, Account>; ids: Set<number> };

const listed = (values: unknown[]) => sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;

/** Looks up the accounts named by a slice of records. */
export async function findKnown(db: Database, records: CustomerRecord[]): Promise<Known> {
  const accounts = await db
    .select({ id, role, updatedAt, ...state })
    .from(users)
    .where(inArray(email, listed(records.map((record) => record.email))));
  return { accounts: new Map(accounts.map((account) => [account.email, account])), ids: new Set() };
}
