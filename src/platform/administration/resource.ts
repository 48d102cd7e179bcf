import { and, eq, getTableColumns, getTableName, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import type { RefusalCode } from "../../domain/error-codes.ts";
import { type ApiError, type FieldError, requireFound } from "../../domain/errors.ts";
import { changesSomething, coded, iso, Timestamp } from "../../domain/fields.ts";
import { type ColumnOf, columnOf } from "../../domain/record.ts";
import type { Entry } from "../audit/audit.ts";
import type { AuthorContext } from "../auth/caller.ts";
import type { PermissionNoun } from "../auth/roles.ts";
import type { Database } from "../db/client.ts";
import { jsonRow } from "../db/json.ts";
import { type PageOf, readFollowing, readPage, type UnlimitedQuery } from "../db/page.ts";
import { merge, type Refusals, type unchanged, type VersionedRow } from "../db/statements.ts";
import {
  type CursorQuery,
  cursorFields,
  hasCursor,
  type PageQuery,
  pageFields,
  withoutPages,
} from "../http/pagination.ts";
import type { IfMatch } from "../http/version.ts";
import {
  type AnswerOf,
  type AnyFields,
  type AuditValues,
  answersOf,
  auditedState,
  changeShape,
  type DerivedColumns,
  type FieldInput,
  type NewRow,
  type NewShape,
  newRow,
  newShape,
  toColumns,
} from "./fields.ts";
import { type AuditedTable, applyChange, applyCreation, applyDeletion } from "./write-queries.ts";

/** Names of a resource in summaries and messages. Operation ids are made from them. */
type Names = {
  one: string;
  many: string;
  /** True if shoppers have a list of the same name. */
  shared?: true;
  /** Longer name for deleting. */
  deleted?: string;
};

export const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** "tax rate" as "TaxRate", for names of schemas and operations. */
export const pascalCase = (words: string): string => words.split(" ").map(capitalized).join("");

/** A noun that administrators list, read, create, change and delete: the input of `resourceRoutes` and the panel's pages. */
export type Resource<Row extends VersionedRow, New, Change, Query extends PageQuery, Answer> = {
  path: `/${string}`;
  permission: PermissionNoun;
  names: Names;
  schemas: { new: z.ZodType<New>; change: z.ZodType<Change>; query: z.ZodType<Query>; answer: z.ZodType<Answer> };
  list: (db: Database, query: Query, now: number) => Promise<PageOf<Row>>;
  require: (db: Database, id: number) => Promise<Row>;
  create: (ctx: AuthorContext, sent: New) => Promise<Row>;
  change: (ctx: AuthorContext, input: { id: number; change: Change; ifMatch: IfMatch }) => Promise<Row>;
  remove: (ctx: AuthorContext, input: { id: number; ifMatch: IfMatch }) => Promise<Row>;
  /** Codes of violated rules when it is created or updated. */
  refuses: readonly RefusalCode[];
  /** The error for deleting a row that others refer to. */
  inUse?: (() => ApiError) | undefined;
  toAnswer: (row: Row, now: number) => Answer;
};

type ResourceTable = SQLiteTable & {
  id: SQLiteColumn;
  updatedAt: SQLiteColumn;
  _: { name: Parameters<typeof unchanged>[0] };
};

type ResourceFields = Record<string, AnyFields[string] & { answer?: z.ZodType }>;

/** Fields whose response schema does not fit the shown value. */
type FieldMismatch<Fields extends ResourceFields> = {
  [Name in keyof Fields]: AuditValues<Fields>[Name] extends z.output<AnswerOf<Fields[Name]>> ? never : Name;
}[keyof Fields];

/**
 * Response members besides the fields: a value computed from the row at a given time, or else a column, with its SQL (without
 * parameters) if the table lacks it.
 */
type ComputedMembers = Record<string, { answer: z.ZodType; sql?: SQL; of?: (row: never, now: number) => unknown }>;

type RowOf<Fields extends ResourceFields, Shown extends ComputedMembers> = VersionedRow & {
  createdAt: number;
} & NewRow<Fields> & {
    [Name in keyof Shown as Shown[Name] extends { of: unknown } ? never : ColumnOf<Name>]: z.output<
      Shown[Name]["answer"]
    >;
  };

/** Filters of a list: schema and condition. */
type Filters<Values> = {
  [Name in keyof Values]: {
    schema: z.ZodType<Values[Name]> & { type: "optional" };
    where: (value: NonNullable<Values[Name]>, now: number) => SQL | undefined;
  };
};

type Declaration<Fields extends ResourceFields, Shown extends ComputedMembers, Values> = {
  table: ResourceTable;
  path: `/${string}`;
  permission: PermissionNoun;
  names: Names;
  subject: Entry["subject"];
  fields: Fields & ([FieldMismatch<Fields>] extends [never] ? unknown : { mismatched: FieldMismatch<Fields> });
  computed?: Shown;
  filters?: Filters<Values>;
  order: SQL[];
  /** Fields that a new resource lacks because of others. They are named beside the errors of a refused shape. */
  missing?: (sent: { [Name in keyof Fields]?: unknown }) => FieldError[];
  /** Computes dependent columns. `row` is the result, which may be refused. `before` is the previous row, if any. */
  settle?: (row: NewRow<Fields>, sent: FieldInput<Fields>, before?: RowOf<Fields, Shown>) => Partial<NewRow<Fields>>;
  refusals?: (db: Database, sent: FieldInput<Fields>, before?: RowOf<Fields, Shown>) => Refusals;
  /** Codes of `refusals`. */
  refuses?: readonly RefusalCode[];
  inUse?: () => ApiError;
  folded?: NonNullable<AuditedTable<VersionedRow & NewRow<Fields>, NewRow<Fields>>["folded"]>;
  /** Further effects of a change, for the documentation. */
  changeNote?: string;
};

/**
 * Declares a resource stored in a table. Its schemas, queries and audited writes follow from its fields. Replace a verb of
 * the result to add behaviour.
 */
export function declareResource<
  const Fields extends ResourceFields,
  const Shown extends ComputedMembers = Record<never, never>,
  Values = Record<never, never>,
>(declaration: Declaration<Fields, Shown, Values>) {
  type Row = RowOf<Fields, Shown>;
  type State = NewRow<Fields>;
  type New = { [Name in keyof Fields]: z.output<NewShape<Fields>[Name]> };
  type Change = FieldInput<Fields>;
  type Query = PageQuery & CursorQuery & { [Name in keyof Values]?: Values[Name] | undefined };
  type Answer = { id: number; created_at: string; updated_at: string } & {
    [Name in keyof Fields]: z.output<AnswerOf<Fields[Name]>>;
  } & { [Name in keyof Shown]: z.output<Shown[Name]["answer"]> };

  const { table, path, permission, names, subject, fields, computed, order, settle, refusals, inUse } = declaration;
  const refuses = declaration.refuses ?? [];
  const filters: Record<string, { schema: z.ZodType; where: (value: never, now: number) => SQL | undefined }> =
    declaration.filters ?? {};
  const { folded, changeNote, missing } = declaration;
  const shown = Object.entries<ComputedMembers[string]>(computed ?? {});
  const more = Object.fromEntries(shown.flatMap(([name, each]) => (each.sql ? [[columnOf(name), each.sql]] : [])));
  const target: AuditedTable<Row, State> = {
    table,
    name: getTableName(table),
    subject,
    json: jsonRow<Row>(getTableColumns(table), more),
    audited: (state) => auditedState(fields, state),
    ...(folded && { folded }),
  };
  const select = (db: Database) => db.select({ ...getTableColumns(table), ...more }).from(table);

  async function list(db: Database, query: Query, now: number, by = order): Promise<PageOf<Row>> {
    const conditions = Object.entries(filters).map(([name, { where }]) => {
      const value: unknown = Reflect.get(query, name);
      return value === undefined ? undefined : Reflect.apply(where, undefined, [value, now]);
    });
    const where = and(...conditions);
    if (hasCursor(query)) {
      const columns = { id: table.id, changedAt: table.updatedAt, read: ({ updatedAt }: Row) => updatedAt };
      const following = (isAfter: SQL | undefined, order: SQL[]) =>
        select(db)
          .where(and(where, isAfter))
          .orderBy(...order) as unknown as UnlimitedQuery<Row>;
      return readFollowing(db, query, columns, following);
    }
    const rows = select(db)
      .where(where)
      .orderBy(...by);
    return (await readPage(db, query, rows, table, where)) as PageOf<Row>;
  }

  async function require(db: Database, id: number): Promise<Row> {
    const row = await requireFound(select(db).where(eq(table.id, id)).get(), `${capitalized(names.one)} ${id}`);
    return row as Row;
  }

  /** Inserts the sent fields and dependent columns, after the statements `ahead`. */
  const insert = (
    ctx: AuthorContext,
    { sent, derived, ahead = [] }: { sent: Change; derived: DerivedColumns<Fields>; ahead?: SQL[] },
  ): Promise<Row> => {
    const row = newRow(fields, sent, derived);
    const state = { ...row, ...settle?.(row, sent) };
    // Ids only grow, so within its batch the newest row is the one just written.
    const where = sql`id = (SELECT max(id) FROM ${table})`;
    const refusing = { ...target, refusals: refusals?.(ctx.db, sent) ?? {} };
    return applyCreation(ctx, { target: refusing, row: state, where, state, ahead });
  };

  return {
    target,
    path,
    permission,
    names,
    subject,
    fields,
    schemas: {
      new: z
        .strictObject(newShape(fields))
        .superRefine(
          (sent, context) => {
            for (const { field, message } of missing?.(Object(sent)) ?? [])
              context.addIssue({ code: "custom", path: [field], message, ...coded("required") });
          },
          // A complete shape is checked with its row.
          { when: ({ issues }) => issues.length > 0 },
        )
        .meta({ id: `${pascalCase(names.one)}Create` }) as z.ZodType<New>,
      change: z
        .strictObject(changeShape(fields))
        .partial()
        .refine(...changesSomething)
        .meta({
          id: `${pascalCase(names.one)}Update`,
          description: changeNote ? `${CHANGE}. ${changeNote}` : CHANGE,
        }) as z.ZodType<Change>,
      // The compiler cannot compare the names of generic filters with those of the query.
      query: z
        .strictObject({
          ...pageFields,
          ...cursorFields,
          ...Object.fromEntries(Object.entries(filters).map(([name, { schema }]) => [name, schema])),
        })
        .refine(...withoutPages) as unknown as z.ZodType<Query>,
      answer: z
        .object({
          id: z.int(),
          ...answersOf(fields),
          ...answersOf(computed ?? {}),
          created_at: Timestamp,
          updated_at: Timestamp,
        })
        .meta({ id: pascalCase(names.one) }) as z.ZodType<Answer>,
    },
    list,
    require,
    insert,
    create: (ctx: AuthorContext, sent: New) =>
      insert(ctx, { sent: sent as Change, derived: {} as DerivedColumns<Fields> }),
    async change(
      ctx: AuthorContext,
      { id, change, ifMatch }: { id: number; change: Change; ifMatch: IfMatch },
    ): Promise<Row> {
      const before = await require(ctx.db, id);
      const decide = () => {
        const columns = toColumns(fields, change) as object as Partial<Row>;
        const settled = settle?.(merge<Row>(before, columns), change, before);
        return { columns: { ...columns, ...settled }, refusals: refusals?.(ctx.db, change, before) ?? {} };
      };
      return applyChange(ctx, { target, action: "update", before, ifMatch, decide });
    },
    async remove(ctx: AuthorContext, { id, ifMatch }: { id: number; ifMatch: IfMatch }): Promise<Row> {
      const before = await require(ctx.db, id);
      await applyDeletion(ctx, { target, before, ifMatch, inUse });
      return before;
    },
    refuses,
    inUse,
    toAnswer(row: Row, now: number): Answer {
      const computedValues = shown.map(([name, each]) => [
        name,
        each.of ? Reflect.apply(each.of, undefined, [row, now]) : Reflect.get(row, columnOf(name)),
      ]);
      const answer: Record<string, unknown> = {
        id: row.id,
        ...target.audited(row),
        ...Object.fromEntries(computedValues),
        created_at: iso(row.createdAt),
        updated_at: iso(row.updatedAt),
      };
      return answer as Answer;
    },
  };
}

const CHANGE = "Fields that are not sent keep their values";
