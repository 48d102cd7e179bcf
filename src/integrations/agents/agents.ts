import { desc, eq, lt } from "drizzle-orm";
import { notFound } from "../../domain/errors.ts";
import { countStoredBytes, jsonBytes, storageRefused } from "../../platform/auth/author-limits.ts";
import type { Author } from "../../platform/auth/caller.ts";
import { type Database, runAll } from "../../platform/db/client.ts";
import { readPage } from "../../platform/db/page.ts";
import { type AgentAccess, agents, shop } from "../../platform/db/schema.ts";
import { translateViolations } from "../../platform/db/statements.ts";
import type { PageQuery } from "../../platform/http/pagination.ts";
import { type FetchedProfile, parseProfile } from "./profile.ts";

export type AgentRow = typeof agents.$inferSelect;

/** The agents that the shop answers. `hosts` applies to `listed`. */
export type AgentRules = { access: AgentAccess; hosts: readonly string[] };

/** Reads which agents are allowed. A shop that never saved this setting answers no agent. */
export async function readAgentRules(db: Database): Promise<AgentRules> {
  const row = await db.select({ access: shop.agentAccess, hosts: shop.agentHosts }).from(shop).get();
  return row ?? { access: "off", hosts: [] };
}

/** The rules of a shop that sells to agents. Others have no address for them. */
export async function requireOpen(db: Database): Promise<AgentRules> {
  const rules = await readAgentRules(db);
  if (rules.access === "off") throw notFound("This address");
  return rules;
}

/** True if the shop answers agents whose profile is at this host. */
export const answersHost = ({ access, hosts }: AgentRules, host: string): boolean =>
  access !== "off" && (access !== "listed" || hosts.includes(host));

/** Finds the stored profile of a previously admitted agent. */
export async function findProfile(db: Database, url: URL): Promise<FetchedProfile | undefined> {
  const row = await db.select().from(agents).where(eq(agents.profileUrl, url.href)).get();
  if (!row) return undefined;
  const { profile: text, seenAt: fetchedAt, expiresAt } = row;
  return { profile: parseProfile(url, text), text, fetchedAt, expiresAt, isNew: false };
}

/** Stores the profile of an agent that proved to own it. */
export async function saveProfile(
  { db, author }: { db: Database; author: Pick<Author, "storage" | "now"> },
  fetched: FetchedProfile,
): Promise<void> {
  const { profile, text, fetchedAt, expiresAt } = fetched;
  const seen = { profile: text, expiresAt, seenAt: fetchedAt, updatedAt: fetchedAt };
  const write = db
    .insert(agents)
    .values({ profileUrl: profile.url, createdAt: fetchedAt, ...seen })
    .onConflictDoUpdate({ target: agents.profileUrl, set: seen });
  const writes = [...countStoredBytes({ author }, jsonBytes([seen, profile.url, profile.url])), write.getSQL()];
  await translateViolations(runAll(db, writes), storageRefused(author.now));
}

/** Lists agents, most recently seen first. */
export function listAgents(db: Database, query: PageQuery) {
  const rows = db.select().from(agents).orderBy(desc(agents.seenAt), desc(agents.id));
  return readPage(db, query, rows, agents, undefined);
}

/** Time for which an agent is stored after its last request. */
const REMEMBERED_MS = 180 * 24 * 60 * 60_000;

export const forgetAgents = (db: Database, now: number) =>
  db.delete(agents).where(lt(agents.seenAt, now - REMEMBERED_MS));
