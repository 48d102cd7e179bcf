import { eq, type SQL, sql } from "drizzle-orm";
import { packages } from "../../platform/db/schema.ts";
import { updateRows, versionAfter } from "../../platform/db/statements.ts";

/** Statements that revoke the packages of an erased account. Names that staff gave them may name the person. */
export const erasePackages = (id: number, now: number): SQL[] => [
  updateRows(
    packages,
    {
      revokedAt: sql`coalesce(${packages.revokedAt}, ${now})`,
      updatedAt: versionAfter(now),
      name: sql`iif(${packages.orderId} IS NULL, 'Granted package', ${packages.name})`,
    },
    eq(packages.userId, id),
  ),
];
