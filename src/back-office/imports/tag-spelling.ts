import { sql } from "drizzle-orm";
import { fold } from "../../domain/fold.ts";
import { distinctTags } from "../../domain/tags.ts";
import type { Database } from "../../platform/db/client.ts";
import { spelledTags } from "../../platform/db/tags.ts";

type Sent = Record<string, unknown>;

/** Returns a record's tags, in the spelling of those that exist or that an earlier record has. */
export type TagSpelling = (tags: string[]) => string[];

/** The tags of a record, before its fields are validated. */
const tagsIn = ({ tags }: Sent): string[] => (Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : []);

/** Selects the tags of a slice of records, in the spelling of those that exist. */
export const selectSpelling = (db: Database, records: readonly { sent: Sent }[]) =>
  db.select({ tags: spelledTags(distinctTags(records.flatMap(({ sent }) => tagsIn(sent)))) }).from(sql`(SELECT 1)`);

export function tagSpelling(known: string[]): TagSpelling {
  const spelling = new Map(known.map((tag) => [fold(tag), tag]));
  return (tags) => distinctTags(tags).map((tag) => spelling.get(fold(tag)) ?? tag);
}

/** A record with its tags as the shop spells them. Tags that are no texts stay for validation to refuse. */
export const withSpelledTags = <Fields extends Sent>(sent: Fields, spelled: TagSpelling): Fields =>
  Array.isArray(sent.tags) && tagsIn(sent).length === sent.tags.length
    ? { ...sent, tags: spelled(tagsIn(sent)) }
    : sent;
