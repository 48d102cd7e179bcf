import { type SQL, sql } from "drizzle-orm";
import { accountScopeOf } from "../../platform/auth/account-scope.ts";
import type { ApiKeyCaller, UserCaller } from "../../platform/auth/caller.ts";
import { webhookEndpoints } from "../../platform/db/schema.ts";
import { readableTypes } from "../events/public.ts";
import { typePatterns, typesOf } from "./types.ts";

/**
 * The endpoints that a caller may see and change: those that are sent only events which the caller may read. An endpoint of
 * an administrator is sent events about staff too, so it is for administrators.
 */
export function accessibleTo(caller: UserCaller | ApiKeyCaller): SQL {
  const readable = new Set(readableTypes(caller));
  const patterns = typePatterns.filter((pattern) => typesOf([pattern]).every((type) => readable.has(type)));
  const { types, accountScope } = webhookEndpoints;
  return sql`(${accountScope} = 'customers' OR ${accountScopeOf(caller) === "everybody"})
    AND NOT EXISTS (SELECT 1 FROM json_each(${types})
      WHERE value NOT IN (SELECT value FROM json_each(${JSON.stringify(patterns)})))`;
}
