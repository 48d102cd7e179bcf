import { notFound } from "../../../domain/errors.ts";
import { newRow, toColumns } from "../../../platform/administration/fields.ts";
import {
  applyChange,
  applyCreation,
  applyDeletion,
  type WriteRequest,
} from "../../../platform/administration/write-queries.ts";
import type { Database } from "../../../platform/db/client.ts";
import { merge } from "../../../platform/db/merge.ts";
import type { MethodChange, NewMethod } from "./admin-schemas.ts";
import { requireConsistent, withPriceOfKind } from "./consistent.ts";
import { type MethodRow, methodFields } from "./fields.ts";
import { auditedMethods, findMethod, newMethod } from "./queries.ts";

export function createMethod(request: Omit<WriteRequest, "ifMatch">, sent: NewMethod): Promise<MethodRow> {
  const row = newRow(methodFields, sent, { price: 0 });
  requireConsistent(row, sent);
  return applyCreation(request, auditedMethods, newMethod(withPriceOfKind(row)));
}

export async function changeMethod(request: WriteRequest, id: number, sent: MethodChange): Promise<MethodRow> {
  return applyChange(request, auditedMethods, "update", await requireMethod(request.db, id), (before) => {
    const columns = toColumns(methodFields, sent);
    const after = merge<MethodRow>(before, columns);
    requireConsistent(after, columns, before);
    const { price, brackets } = withPriceOfKind(after);
    return { columns: { ...columns, price, brackets } };
  });
}

/** Deletes a method, and answers what it was. */
export async function removeMethod(request: WriteRequest, id: number): Promise<MethodRow> {
  const method = await requireMethod(request.db, id);
  await applyDeletion(request, auditedMethods, method);
  return method;
}

export async function requireMethod(db: Database, id: number): Promise<MethodRow> {
  const method = await findMethod(db, id);
  if (!method) throw notFound(`Shipping method ${id}`);
  return method;
}
