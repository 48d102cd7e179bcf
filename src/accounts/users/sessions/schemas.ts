import * as z from "zod";
import { iso, Timestamp } from "../../../domain/fields.ts";
import type { SessionRow } from "./sessions.ts";

export const SessionParam = z.object({ id: z.uuid() });

export const AccountSession = z
  .object({
    id: z.string(),
    created_at: Timestamp,
    last_used_at: Timestamp.describe("Time at which the session was last opened or refreshed"),
    address: z.string().nullable().describe("IP address of the last use"),
    user_agent: z
      .string()
      .nullable()
      .describe("`User-Agent` of the last use. Null if a server signed in with an API key"),
    current: z.boolean().describe("True for the session that made this request"),
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
