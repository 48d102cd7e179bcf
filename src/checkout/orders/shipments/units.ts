import { fieldError } from "../../../domain/errors.ts";
import { namedLines } from "../named-lines.ts";
import { type ItemRow, unshippedUnits } from "../schemas.ts";
import type { ShipmentCreate, ShipmentLine } from "./schemas.ts";

export const unsentLines = (items: readonly ItemRow[]): ShipmentLine[] =>
  items.map((item) => ({ itemId: item.id, quantity: unshippedUnits(item) })).filter(({ quantity }) => quantity > 0);

/** Returns the lines of a requested shipment. Throws if it exceeds the unshipped units. */
export function requestedLines(
  items: readonly ItemRow[],
  { items: named }: Pick<ShipmentCreate, "items">,
): ShipmentLine[] {
  if (!named) return unsentLines(items);
  const asked = named.map(({ itemId, quantity }) => ({ id: itemId, quantity }));
  const exceeds = (field: string, available: number) =>
    fieldError(field, "exceeds_unsent", `must be at most ${available}, the number of unshipped units`, { available });
  const lines = namedLines(items, asked, { left: unshippedUnits, exceeds });
  return lines.map(({ item, quantity }) => ({ itemId: item.id, quantity }));
}

export const afterShipment = (items: readonly ItemRow[], sent: readonly ShipmentLine[]): ItemRow[] =>
  items.map((item) => ({
    ...item,
    shippedQuantity: item.shippedQuantity + (sent.find(({ itemId }) => itemId === item.id)?.quantity ?? 0),
  }));
