import { and, desc, eq, gte, ne, or, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { badRequest, conflict, type FieldError, fieldError, notFound } from "../../domain/errors.ts";
import { line, Timestamp } from "../../domain/fields.ts";
import { Money } from "../../domain/money.ts";
import { toRecord } from "../../domain/record.ts";
import { fold } from "../../domain/text.ts";
import { newRow, toColumns } from "../../platform/administration/fields.ts";
import { declareResource } from "../../platform/administration/resource.ts";
import { applyChange } from "../../platform/administration/write-queries.ts";
import {
  type AccountScope,
  type Author,
  type AuthorContext,
  inScope,
  requireFresh,
} from "../../platform/auth/caller.ts";
import { type Database, requireFirst } from "../../platform/db/client.ts";
import { json } from "../../platform/db/json.ts";
import { readPage } from "../../platform/db/page.ts";
import {
  auditLog,
  categories,
  discountKinds,
  discountRedemptions,
  orders,
  products,
  discounts as table,
} from "../../platform/db/schema.ts";
import { comparedName, foldedByName, hasPrefix } from "../../platform/db/search-words.ts";
import { precondition } from "../../platform/db/statements.ts";
import type { PageQuery } from "../../platform/http/pagination.ts";
import { editedMeanwhile } from "../../platform/http/version.ts";
import { discountFields, discountStates, discountStatus } from "./fields.ts";
import { brokenRules, changed, dependentColumns, missingFields, takesMoreThanHalf, withDefaults } from "./rules.ts";

/** The rule of `discountStatus` as SQL. */
const statusAt = (now: number): SQL => sql`CASE
  WHEN NOT ${table.enabled} THEN 'disabled'
  WHEN ${table.endsAt} <= ${now} THEN 'ended'
  WHEN ${table.startsAt} > ${now} THEN 'scheduled'
  WHEN ${table.uses} >= ${table.maxUses} THEN 'used_up'
  ELSE 'active'
END`;

const refusals = {
  ...editedMeanwhile,
  "discounts.code": () => badRequest(fieldError("code", "discount_code_taken", "belongs to another discount")),
};

const resource = declareResource({
  table,
  path: "/discounts",
  permission: "discounts",
  names: { one: "discount", many: "discounts" },
  subject: "discount",
  fields: discountFields,
  computed: {
    uses: { answer: z.int().describe("Number of orders with this discount, excluding cancelled and expired orders") },
    state: {
      answer: z.enum(discountStates).describe("State of the discount. `active` discounts apply now"),
      of: discountStatus,
    },
  },
  filters: {
    state: { schema: z.enum(discountStates).optional(), where: (state, now) => sql`${statusAt(now)} = ${state}` },
    kind: { schema: z.enum(discountKinds).optional(), where: (kind) => eq(table.kind, kind) },
    search: {
      schema: line(100).optional().describe("First characters of the code or the name"),
      where: (search) => or(hasPrefix(sql`code`, search.toUpperCase()), hasPrefix(comparedName, fold(search))),
    },
  },
  order: [desc(table.id)],
  missing: missingFields,
  settle: (state, sent) => withDefaults(state, sent.applies_to),
  refuses: ["discount_code_taken"],
  refusals: () => refusals,
  inUse: () => conflict("in_use", "The discount has been used. Disable it instead"),
  folded: foldedByName,
  changeNote: "Changing the kind removes the fields of the previous kind",
});

const NEW = { appliesTo: "all_products" } as const;

const create: typeof resource.create = async (ctx, sent) => {
  const state = withDefaults(newRow(discountFields, sent, NEW), sent.applies_to);
  refuse(brokenRules(state), await findMissing(ctx.db, sent));
  const { others, statements } = await combinedWith(ctx);
  if (takesMoreThanHalf(state, others)) requireFresh(ctx.author);
  return resource.insert(ctx, { sent, derived: NEW, ahead: statements });
};

const change: typeof resource.change = async (ctx, { id, change: sent, ifMatch }) => {
  const { row, missing } = await findForChange(ctx.db, id, sent);
  const { others, statements } = await combinedWith(ctx, id);
  if (!row) throw notFound(`Discount ${id}`);
  const decide = () => {
    const columns = toColumns(discountFields, sent);
    const state = changed(row, columns);
    refuse(brokenRules(state), missing);
    if (takesMoreThanHalf(state, others)) requireFresh(ctx.author);
    return { columns: { ...columns, ...dependentColumns(state) }, statements, refusals };
  };
  return applyChange(ctx, { target: resource.target, action: "update", before: row, ifMatch, decide });
};

export const discountResource = { ...resource, create, change };

/**
 * Reads the discounts that count together with this one towards half the price, in a session whose identity proof is old.
 * Also returns the statement that refuses the batch if another was added since.
 */
async function combinedWith({ db, author }: AuthorContext, except = 0) {
  if (author.reauthenticateAbove === undefined) return { others: [], statements: [] };
  const where = writtenSinceProof(author, except);
  const others = await db.select().from(table).where(where);
  return { others, statements: [precondition(sql`(SELECT count(*) = ${others.length} FROM ${table} WHERE ${where})`)] };
}

function refuse(broken: FieldError[], missing: MissingReferences): void {
  const errors = [
    ...broken,
    ...missing.products.map(([index, id]) =>
      fieldError(`product_ids.${index}`, "unknown_reference", `product ${id} does not exist`),
    ),
    ...missing.categories.map(([index, id]) =>
      fieldError(`category_ids.${index}`, "unknown_reference", `category ${id} does not exist`),
    ),
  ];
  if (errors.length > 0) throw badRequest(errors);
}

/**
 * Enabled, combinable discounts that `author` has created or changed since the last identity proof of their session, except
 * one.
 */
const writtenSinceProof = ({ actor, session }: Author, except: number): SQL | undefined => {
  const since = session?.authenticatedAt ?? 0;
  return and(
    table.enabled,
    table.combinable,
    ne(table.id, except),
    gte(table.updatedAt, since),
    sql`EXISTS (SELECT 1 FROM ${auditLog} WHERE ${auditLog.subject} = 'discount' AND ${auditLog.subjectId} = ${table.id}
      AND ${auditLog.actor} = ${actor} AND ${auditLog.at} >= ${since})`,
  );
};

/** The ids of a discount in the form of requests. */
type SentReferences = { product_ids?: number[] | undefined; category_ids?: number[] | undefined };

type MissingReference = [index: number, id: number][];

const missingOf = (referred: typeof products | typeof categories, ids: readonly number[] = []): SQL<MissingReference> =>
  json<MissingReference>(sql`(
    SELECT json_group_array(json_array(key, value)) FROM json_each(${JSON.stringify(ids)})
    WHERE value NOT IN (SELECT ${referred.id} FROM ${referred})
  )`);

const references = (db: Database, { product_ids, category_ids }: SentReferences) =>
  db
    .select({ products: missingOf(products, product_ids), categories: missingOf(categories, category_ids) })
    .from(sql`(SELECT 1)`);

/** Unknown products and categories, by their index in the request. */
type MissingReferences = { products: MissingReference; categories: MissingReference };

const findMissing = async (db: Database, sent: SentReferences): Promise<MissingReferences> =>
  requireFirst(await references(db, sent));

/** Reads a discount and the missing references of a change to it, in one round trip. */
async function findForChange(db: Database, id: number, sent: SentReferences) {
  const [[row], missing] = await db.batch([db.select().from(table).where(eq(table.id, id)), references(db, sent)]);
  return { row, missing: requireFirst(missing) };
}

const buyer = sql`(SELECT ${orders.userId} FROM ${orders} WHERE ${orders.id} = ${discountRedemptions.orderId})`;

/** Returns a page of the orders that used a discount, newest first. */
export function listDiscountRedemptions(db: Database, discountId: number, query: PageQuery, scope: AccountScope) {
  const where = and(eq(discountRedemptions.discountId, discountId), inScope(scope, buyer));
  const rows = db
    .select({
      orderId: discountRedemptions.orderId,
      orderNumber: orders.number,
      userId: orders.userId,
      customerEmail: orders.customerEmail,
      customerName: orders.customerName,
      amount: discountRedemptions.amount,
      createdAt: discountRedemptions.createdAt,
      releasedAt: discountRedemptions.releasedAt,
    })
    .from(discountRedemptions)
    .innerJoin(orders, eq(orders.id, discountRedemptions.orderId))
    .where(where)
    .orderBy(desc(discountRedemptions.id));
  return readPage(db, query, rows, discountRedemptions, where);
}

export type RedemptionRow = Awaited<ReturnType<typeof listDiscountRedemptions>>["rows"][number];

export const Redemption = z
  .object({
    order_id: z.int(),
    order_number: z.string(),
    customer: z.object({
      id: z.int().nullable().describe("Id of the account. Null for a guest"),
      email: z.string().nullable(),
      name: z.string().nullable(),
    }),
    amount: Money.describe("Amount taken off the order"),
    created_at: Timestamp,
    released_at: Timestamp.nullable().describe(
      "Time at which the order was cancelled or expired, so that the use no longer counts. Null if it counts",
    ),
  })
  .meta({ id: "Redemption" });

export const toRedemption = (row: RedemptionRow): z.output<typeof Redemption> =>
  toRecord(Redemption, row, {
    customer: { id: row.userId, email: row.customerEmail, name: row.customerName },
  });
