import { badRequest, conflict, type FieldError, fieldError, notFound } from "../../domain/errors.ts";
import { newRow, toColumns } from "../../platform/administration/fields.ts";
import {
  applyChange,
  applyCreation,
  applyDeletion,
  type WriteRequest,
} from "../../platform/administration/write-queries.ts";
import { requireFresh } from "../../platform/auth/reauthentication.ts";
import type { Database } from "../../platform/db/client.ts";
import type { DiscountChange, NewDiscount } from "./admin-schemas.ts";
import { type DiscountRow, discountFields } from "./fields.ts";
import {
  auditedDiscounts,
  findDiscount,
  findForChange,
  findMissing,
  findWrittenSinceProof,
  type MissingReferences,
  newDiscount,
  requireNoneSince,
} from "./queries.ts";
import { brokenRules, changed, ofKind, takesMoreThanHalf, withDefaults } from "./rules.ts";

export async function createDiscount(request: Omit<WriteRequest, "ifMatch">, sent: NewDiscount): Promise<DiscountRow> {
  const state = withDefaults(newRow(discountFields, sent, {}));
  refuse(brokenRules(state), await findMissing(request.db, sent));
  const { others, statements } = await combinedWith(request);
  if (takesMoreThanHalf(state, others)) requireFresh(request.author);
  return applyCreation(request, auditedDiscounts, { ...newDiscount(state), ahead: statements });
}

export async function changeDiscount(request: WriteRequest, id: number, sent: DiscountChange): Promise<DiscountRow> {
  const { row, missing } = await findForChange(request.db, id, sent);
  const { others, statements } = await combinedWith(request, id);
  if (!row) throw notFound(`Discount ${id}`);
  return applyChange(request, auditedDiscounts, "update", row, () => {
    const columns = toColumns(discountFields, sent);
    const state = changed(row, columns);
    refuse(brokenRules(state), missing);
    if (takesMoreThanHalf(state, others)) requireFresh(request.author);
    return { columns: { ...columns, ...ofKind(state) }, statements };
  });
}

/**
 * The discounts that count together with this one towards half the price, in a session whose proof is old, and the statement
 * that refuses the batch if there is another by then.
 */
async function combinedWith({ db, author }: Omit<WriteRequest, "ifMatch">, except = 0) {
  if (author.reauthenticateAbove === undefined) return { others: [], statements: [] };
  const others = await findWrittenSinceProof(db, author, except);
  return { others, statements: [requireNoneSince(others, author, except)] };
}

/** Deletes a discount that no order has, nor had. */
export async function removeDiscount(request: WriteRequest, id: number): Promise<void> {
  await applyDeletion(request, auditedDiscounts, await requireDiscount(request.db, id), () =>
    conflict("in_use", "The discount was used: disable it instead"),
  );
}

export async function requireDiscount(db: Database, id: number): Promise<DiscountRow> {
  const discount = await findDiscount(db, id);
  if (!discount) throw notFound(`Discount ${id}`);
  return discount;
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
