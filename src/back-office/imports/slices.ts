import { sql } from "drizzle-orm";
import * as z from "zod";
import type { Statement } from "../../platform/db/client.ts";
import {
  cursorOf,
  type RowFailure,
  type Runner,
  type Slice,
  touchJob,
  type Work,
} from "../../platform/jobs/run-slice.ts";
import { addPlanned, requireImport, saveHeader, saveRecords } from "./imports.ts";
import type { PlannedImport } from "./planned.ts";
import { convert } from "./reading/convert.ts";
import { ImportRecord, Offset, readSlice, UnreadableFile } from "./reading/record.ts";

/** Plans records without writing them. `pictures` are the records' picture URLs. */
export type PlanRecords<Plan extends PlannedImport> = (
  work: Work,
  records: ImportRecord[],
  pictures: string[],
) => Promise<Plan>;

/** An image takes as many subrequests as a slice: it is resolved, fetched, stored and recorded. */
const PICTURES_OF_A_SLICE = 15;

/** The slices that plan some records of an import and write the statements that `write` makes from the plan. */
export const slicesOf =
  <Plan extends PlannedImport>(
    planRecords: PlanRecords<Plan>,
    write: (work: Work, planned: { plan: Plan; importId: number }) => Statement[],
    mostPictures = PICTURES_OF_A_SLICE,
  ): Runner["slice"] =>
  async (work): Promise<Slice> => {
    const { id, records, pictures, next, columns } = await readRecords(work, mostPictures);
    const plan = await planRecords(work, records, pictures);
    const { failed } = plan;
    const failures = reported(plan.failures, records, columns);
    const [first] = records;
    const writes = [...write(work, { plan, importId: id }), ...(next === null ? [keepSkus(work.job.id)] : [])];
    return {
      writes,
      cursor: next,
      done: records.length - failed,
      failed,
      failures,
      weight: 1 + Math.min(pictures.length, mostPictures),
      ...(first && { row: { line: first.line } }),
    };
  };

/** Records of a request, in the parameters of the job that writes them. */
export const SentRecords = z.object({ records: z.array(ImportRecord) });

/** Keeps only what names the result of each sent record. A shop may send its whole catalogue every night. */
const keepSkus = (jobId: number): Statement => sql`
  UPDATE jobs SET parameters = json_set(parameters, '$.records', (
    SELECT json_group_array(json_object('line', value -> 'line',
      'fields', json_object('id', value -> '$.fields.id', 'sku', value ->> '$.fields.sku')))
    FROM json_each(parameters, '$.records')))
  WHERE id = ${jobId} AND json_type(parameters, '$.records') = 'array'`;

/** Reads the records of the next slice, from the upload or from the job itself. */
async function readRecords({ env, db, job, limit }: Work, mostPictures: number) {
  const from = cursorOf(job, (value) => Offset.parse(value), { offset: 0 });
  const sent = SentRecords.safeParse(job.parameters).data?.records;
  if (sent) {
    const end = from.offset + limit;
    const next = end < sent.length ? { offset: end } : null;
    return { id: 0, records: sent.slice(from.offset, end), pictures: [], next, columns: {} };
  }
  const { id, recordsKey, columns } = await requireImport(db, job.parameters);
  if (recordsKey === null) throw new Error(`The import ${id} has no records`);
  const most = { records: limit, pictures: mostPictures };
  return { id, columns, ...(await readSlice(env.FILES, recordsKey, from, most)) };
}

/** Reports errors and warnings under the file's own column names. */
function reported(failures: RowFailure[], records: ImportRecord[], columns: Record<string, string>): RowFailure[] {
  const byLine = new Map(records.map((record) => [record.line, record]));
  const failed = new Set(failures.flatMap(({ isWarning, line }) => (isWarning ? [] : [line])));
  const named = failures.map((failure) => {
    const [name = ""] = failure.field?.split(".") ?? [];
    const names = { ...columns, ...byLine.get(failure.line ?? 0)?.columns };
    return { ...failure, ...(Object.hasOwn(names, name) && { field: names[name] }) };
  });
  return [...named, ...records.flatMap(({ warnings = [] }) => warnings)]
    .filter(({ isWarning, line }) => !isWarning || !failed.has(line))
    .map((failure) => ({ ...failure, ...productNames(byLine.get(failure.line ?? 0)) }))
    .sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

/**
 * Name and SKU of a product. Customers are identified only by line, because failures must not contain personal data.
 */
function productNames({ fields: { sku, name } = {} }: Partial<ImportRecord> = {}): Pick<RowFailure, "sku" | "name"> {
  if (sku === undefined) return {};
  return { ...(typeof sku === "string" && { sku }), ...(typeof name === "string" && { name }) };
}

/** A dry run fetches no pictures. */
const NO_LIMIT = Number.POSITIVE_INFINITY;

/** Reads an upload and plans its rows. Changes nothing but the import's own data. */
export function dryRun<Plan extends PlannedImport>(planRecords: PlanRecords<Plan>): Runner {
  const planSlice = slicesOf(planRecords, ({ db }, planned) => [addPlanned(db, planned)], NO_LIMIT);
  return { limit: 1_000, slice: (work) => (work.job.cursor === null ? readUpload(work) : planSlice(work)) };
}

async function readUpload({ env, db, job, author }: Work): Promise<Slice> {
  const upload = await requireImport(db, job.parameters);
  const nothing = { writes: [], cursor: null, done: 0, failed: 0, failures: [] };
  try {
    const read = await convert({ env, db }, upload, () => touchJob(db, job.id, Date.now()));
    const first: Offset = { offset: 0 };
    return {
      ...nothing,
      writes: saveRecords({ db, author }, { id: upload.id, read }),
      cursor: read.rows > 0 ? first : null,
      total: read.rows,
    };
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    const writes = [saveHeader(db, { id: upload.id, header: error.header })];
    return { ...nothing, writes, failed: 1, failures: [error.failure], total: 1 };
  }
}
