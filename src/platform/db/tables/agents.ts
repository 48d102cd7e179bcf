import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, id, updatedAt } from "./columns.ts";

/** Which shopping agents the shop answers: none, those of listed hosts, any that sign, or everybody. */
export const agentAccesses = ["off", "listed", "signed", "open"] as const;
export type AgentAccess = (typeof agentAccesses)[number];

/** Shopping agents that proved who they are, with the profile that was fetched last. */
export const agents = sqliteTable(
  "agents",
  {
    id: id(),
    profileUrl: text("profile_url").notNull().unique(),
    /** The profile's JSON as it was read; see agents/profile.ts. */
    profile: text().notNull(),
    /** The profile is fetched again from this time on. */
    expiresAt: integer("expires_at").notNull(),
    /** Time of the last fetch, which is at most an hour before the agent's last request. */
    seenAt: integer("seen_at").notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index("agents_by_seen").on(table.seenAt)],
);
