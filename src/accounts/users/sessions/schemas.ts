import * as z from "zod";
import { iso, Timestamp } from "../../../domain/fields.ts";
import type { SessionRow } from "./queries.ts";

export const SessionParam = z.object({ id: z.uuid() });

export const AccountSession = z
  .object({
    id: z.string(),
    created_at: Timestamp,
    last_used_at: Timestamp.describe("When it was opened or refreshed last"),
    address: z.string().nullable().describe("The address that it was used from then"),
    user_agent: z.string().nullable().describe("The `User-Agent` of then; null where a server asks with an API key"),
    current: z.boolean().describe("Whether it is the session that asks"),
  })
  .meta({ id: "AccountSession" });

export const toAccountSession = (row: SessionRow, current: string): z.output<typeof AccountSession> => ({
  id: row.id,
  created_at: iso(row.createdAt),
  last_used_at: iso(row.lastUsedAt),
  address: row.address,
  user_agent: row.userAgent,
  current: row.id === current,
});
