import { DERIVED_PREFIX } from "../../downloads/files/public.ts";
import { cursorOf, type Runner, type Slice, type Work } from "../../platform/jobs/run-slice.ts";
import { readSettings } from "../../platform/settings/settings.ts";
import { deleteUnkept, requireBackupBucket, storeManifest } from "./backups.ts";
import { type BackedUpTable, divide, folderOf, inTurns, type Manifest, type Part, storePart } from "./manifest.ts";
import { FIRST, findGrowing, forgetChanges, readNext, recordChanges, settle, survey } from "./read-database.ts";
import { DERIVED } from "./stored-tables.ts";

/** A table that is read in slices. */
type TableWalk = { name: string; after: number; upTo: number; parts: Part[] };

type Cursor =
  | { stage: "begin" }
  | { stage: "walk"; id: string; startedAt: number; erased: number; walked: TableWalk[] }
  | { stage: "objects"; manifest: Omit<Manifest, "finishedAt">; after: string };

const NEEDS =
  "LINK_SECRET of the deployment, which opens sealed columns: second factors, webhook secrets, stored responses and links in e-mails.";

/** Writes a backup: slices of a large database, the rest in one transaction, the list of objects, and last the manifest. */
export const backUp: Runner = {
  limit: 1,
  async slice(work) {
    const cursor = cursorOf<Cursor>(work.job, (value) => value as Cursor, { stage: "begin" });
    if (cursor.stage === "begin") return begin(work);
    if (cursor.stage === "objects") return listObjects(work, cursor);
    const table = cursor.walked.find(({ after, upTo }) => after < upTo);
    return table ? walk(work, cursor, table) : settleTables(work, cursor);
  },
};

const step = (cursor: Cursor, more: Partial<Slice> = {}): Slice => ({
  writes: [],
  cursor,
  done: 0,
  failed: 0,
  failures: [],
  ...more,
});

/** A small database is read in one transaction. */
async function begin({ env, db, job, author: { now } }: Work): Promise<Slice> {
  const { bytes, tables, erased } = await survey(db);
  const isLarge = bytes > readSettings(env).backups.atOnceBytes;
  const walked = isLarge ? await findGrowing(db, tables) : [];
  const cursor = {
    stage: "walk" as const,
    id: `${new Date(now).toISOString().replace(/\D/g, "").slice(0, 17)}-${job.id}`,
    startedAt: now,
    erased,
    walked: walked.map((table) => ({ ...table, after: FIRST, parts: [] })),
  };
  return step(cursor, { writes: isLarge ? [recordChanges(job.id)] : [] });
}

type Walk = Extract<Cursor, { stage: "walk" }>;

async function walk({ env, db }: Work, cursor: Walk, table: TableWalk): Promise<Slice> {
  const stored = (await survey(db)).tables.find(({ name }) => name === table.name);
  const lines = stored ? await readNext(db, stored, table) : [];
  const last = lines.at(-1);
  const next: TableWalk = last
    ? {
        ...table,
        after: last.id,
        parts: [
          ...table.parts,
          await storePart(
            requireBackupBucket(env),
            `${folderOf(cursor.id)}${table.name}-${table.parts.length}`,
            lines.map(({ line }) => line),
          ),
        ],
      }
    : { ...table, after: table.upTo };
  const walked = cursor.walked.map((each) => (each === table ? next : each));
  return step({ ...cursor, walked }, { done: lines.length });
}

async function settleTables(work: Work, cursor: Walk): Promise<Slice> {
  const { env, db, job } = work;
  const bucket = requireBackupBucket(env);
  const { tables } = await survey(db);
  const read = new Map(cursor.walked.map(({ name, after }) => [name, after]));
  const { isOutdated, ...settled } = await settle(db, { jobId: job.id, erased: cursor.erased, tables, read });
  if (isOutdated) return step({ stage: "begin" }, { done: -job.done });
  const folder = folderOf(cursor.id);
  const store = (name: string, lines: string[]) =>
    inTurns([...divide(lines).entries()], ([n, part]) => storePart(bucket, `${folder}${name}-${n}`, part));
  const stored = await inTurns(settled.tables, async ({ name, columns, lines, present }): Promise<BackedUpTable> => {
    if (present === null)
      return { name, columns, rows: lines.length, parts: await store(name, lines), changes: [], present };
    const rows = present.reduce((sum, [first, last]) => sum + last - first + 1, 0);
    const { parts = [] } = cursor.walked.find((walked) => walked.name === name) ?? {};
    const changes = await store(`${name}-changes`, lines);
    return {
      name,
      columns,
      rows,
      parts,
      changes,
      present: await store(
        `${name}-present`,
        present.map((run) => JSON.stringify(run)),
      ),
    };
  });
  const rows = stored.reduce((sum, table) => sum + table.rows, 0);
  const manifest = {
    format: 1 as const,
    id: cursor.id,
    moment: settled.moment,
    startedAt: cursor.startedAt,
    job: { id: job.id, done: rows },
    migrations: settled.migrations,
    schema: settled.schema,
    tables: stored,
    sequences: settled.sequences,
    derived: DERIVED,
    rows,
    bytes: stored.flatMap(partsOf).reduce((sum, { bytes }) => sum + bytes, 0),
    objects: { count: 0, bytes: 0, parts: [] },
    needs: NEEDS,
  };
  // Writing the parts took as many subrequests as many slices of other jobs.
  const writes = [forgetChanges()];
  return step({ stage: "objects", manifest, after: "" }, { writes, done: rows - job.done, total: rows, weight: 5 });
}

const partsOf = ({ parts, changes, present }: BackedUpTable): Part[] => [...parts, ...changes, ...(present ?? [])];

/** Lists and copies a page of objects, or ends the backup. */
async function listObjects(
  { env, author: { now } }: Work,
  { manifest, after }: Extract<Cursor, { stage: "objects" }>,
): Promise<Slice> {
  const bucket = requireBackupBucket(env);
  const page = await copyObjects({ from: env.FILES, to: bucket, after });
  const { objects } = manifest;
  if (page.lines.length > 0) {
    const part = await storePart(bucket, `${folderOf(manifest.id)}objects-${objects.parts.length}`, page.lines);
    objects.parts.push(part);
    objects.count += page.lines.length;
    objects.bytes += page.bytes;
  }
  if (page.after !== null) return step({ stage: "objects", manifest, after: page.after }, { weight: 5 });
  const { linkSecrets, backups } = readSettings(env);
  await storeManifest(bucket, { ...manifest, finishedAt: now }, linkSecrets);
  await deleteUnkept(bucket, backups.keep);
  return { ...step({ stage: "begin" }), cursor: null };
}

/** Objects listed in one slice. */
const LISTED = 500;

/** Objects and bytes copied in one slice. One larger object is copied alone. */
const COPIED = 20;
const COPIED_BYTES = 100_000_000;

const COPIES = "objects/";

type Page = { lines: string[]; bytes: number; after: string | null };

/**
 * Lists the objects after a key, and copies those that the other bucket lacks. The content of a key never changes, so an
 * object is copied once.
 */
async function copyObjects({ from, to, after }: { from: R2Bucket; to: R2Bucket; after: string }): Promise<Page> {
  const listed = await from.list({ limit: LISTED, ...(after && { startAfter: after }) });
  const there = await to.list({ prefix: COPIES, startAfter: `${COPIES}${after}` });
  const copied = new Set(there.objects.map(({ key }) => key.slice(COPIES.length)));
  // After a full page, the later keys are unknown.
  const known = there.truncated ? there.objects.at(-1)?.key.slice(COPIES.length) : undefined;
  const page: Page = { lines: [], bytes: 0, after: null };
  let [count, bytes] = [0, 0];
  for (const { key, size, etag, uploaded } of listed.objects) {
    if (known !== undefined && key > known) return { ...page, after: page.after ?? known };
    if (key.startsWith(DERIVED_PREFIX)) {
      page.after = key;
      continue;
    }
    if (!copied.has(key)) {
      if (count === COPIED || (count > 0 && bytes + size > COPIED_BYTES)) return page;
      await copy(from, to, key);
      count++;
      bytes += size;
    }
    page.lines.push(JSON.stringify([key, size, etag, uploaded.getTime()]));
    page.bytes += size;
    page.after = key;
  }
  return listed.truncated ? page : { ...page, after: null };
}

async function copy(from: R2Bucket, to: R2Bucket, key: string): Promise<void> {
  const object = await from.get(key);
  // The object was deleted after it was listed.
  if (!object) return;
  await to.put(`${COPIES}${key}`, object.body, { ...(object.httpMetadata && { httpMetadata: object.httpMetadata }) });
}
