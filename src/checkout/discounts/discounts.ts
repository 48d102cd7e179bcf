import { desc, eq, or, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { badRequest, conflict, type FieldError, fieldError, notFound } from "../../domain/errors.ts";
import { line } from "../../domain/fields.ts";
import { fold } from "../../domain/fold.ts";
import { newRow, toColumns } from "../../platform/administration/fields.ts";
import { declareResource } from "../../platform/administration/resource.ts";
import { applyChange } from "../../platform/administration/write-queries.ts";
import { requireFresh } from "../../platform/auth/reauthentication.ts";
import type { WriteContext } from "../../platform/auth/write-context.ts";
import { comparedName, foldedByName, hasPrefix } from "../../platform/db/name-search.ts";
import { discountKinds, discounts as table } from "../../platform/db/schema.ts";
import { editedMeanwhile } from "../../platform/http/version.ts";
import { discountFields } from "./fields.ts";
import {
  findForChange,
  findMissing,
  findWrittenSinceProof,
  type MissingReferences,
  requireNoneSince,
} from "./queries.ts";
import { brokenRules, changed, ofKind, takesMoreThanHalf, withDefaults } from "./rules.ts";
import { discountStates, discountStatus } from "./state.ts";

/** The rule of state.ts as SQL. */
const statusAt = (now: number): SQL => sql`CASE
  WHEN NOT enabled THEN 'disabled'
  WHEN ends_at <= ${now} THEN 'ended'
  WHEN starts_at > ${now} THEN 'scheduled'
  WHEN uses >= max_uses THEN 'used_up'
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
    uses: {
      column: "uses",
      answer: z.int().describe("Number of orders with this discount, without cancelled and expired orders"),
    },
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
  settle: withDefaults,
  refusals: () => refusals,
  inUse: () => conflict("in_use", "The discount was used: disable it instead"),
  folded: foldedByName,
  changeNote: "Changing the kind removes the fields of the previous kind",
});

const create: typeof resource.create = async (ctx, sent) => {
  const state = withDefaults(newRow(discountFields, sent, {}));
  refuse(brokenRules(state), await findMissing(ctx.db, sent));
  const { others, statements } = await combinedWith(ctx);
  if (takesMoreThanHalf(state, others)) requireFresh(ctx.author);
  return resource.insert(ctx, { sent, derived: {}, ahead: statements });
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
    return { columns: { ...columns, ...ofKind(state) }, statements, refusals };
  };
  return applyChange(ctx, { target: resource.target, action: "update", before: row, ifMatch, decide });
};

export const discounts = { ...resource, create, change };

/**
 * Reads the discounts that count together with this one towards half the price, in a session whose identity proof is old.
 * Also returns the statement that refuses the batch if another was added since.
 */
async function combinedWith({ db, author }: Pick<WriteContext, "db" | "author">, except = 0) {
  if (author.reauthenticateAbove === undefined) return { others: [], statements: [] };
  const others = await findWrittenSinceProof(db, author, except);
  return { others, statements: [requireNoneSince(others, author, except)] };
}

function refuse(broken: FieldError[], { products, categories }: MissingReferences): void {
  const errors = [
    ...broken,
    ...products.map(([index, id]) =>
      fieldError(`product_ids.${index}`, "unknown_reference", `product ${id} does not exist`),
    ),
    ...categories.map(([index, id]) =>
      fieldError(`category_ids.${index}`, "unknown_reference", `category ${id} does not exist`),
    ),
  ];
  if (errors.length > 0) throw badRequest(errors);
}
