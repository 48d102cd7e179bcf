import { newOrderReference } from "../../../src/checkout/orders/reference.ts";
import type { Batch, Statement } from "./recording.ts";

type KnownOrder = { reference: string; user_id: number; updated_by: string; fingerprint: string };

/** The statements of an order that the shop placed, and the columns in which another order differs. */
export type RecordedOrder = { statements: Statement[]; known: KnownOrder };

const isKnown = (value: unknown): value is string => typeof value === "string" && value.startsWith('{"reference":');

const knownOf = ({ statements }: Batch) => statements.flatMap(({ values }) => values).find(isKnown);

/** True for a batch that places an order. Other batches follow an order, such as those that claim its e-mails. */
export const isOrder = (batch: Batch): boolean => knownOf(batch) !== undefined;

export function recordedOrder(batch: Batch): RecordedOrder {
  const known = knownOf(batch);
  if (!known) throw new Error("The batch placed no order");
  return { statements: batch.statements, known: JSON.parse(known) };
}

/** The same statements for another user's order. */
export function statementsOfOrder(
  database: D1Database,
  { statements, known }: RecordedOrder,
  userId: number,
): D1PreparedStatement[] {
  const reference = newOrderReference();
  const own = { ...known, reference, user_id: userId, updated_by: `user:${userId}`, fingerprint: crypto.randomUUID() };
  const changed = (value: Statement["values"][number]) => {
    if (value === known.user_id) return userId;
    if (value === known.reference) return reference;
    return isKnown(value) ? JSON.stringify(own) : value;
  };
  return statements.map(({ query, values }) => database.prepare(query).bind(...values.map(changed)));
}
