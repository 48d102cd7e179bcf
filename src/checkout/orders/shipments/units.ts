import { badRequest, fieldError } from "../../../domain/errors.ts";
import type { ItemRow } from "../schemas.ts";
import type { ShipmentCreate, ShipmentLine } from "./schemas.ts";

/** Unshipped units of a line. Refunds count against unshipped units first. */
const unsentUnits = ({ requiresShipping, quantity, refundedQuantity, shippedQuantity }: ItemRow): number =>
  requiresShipping ? Math.max(0, quantity - refundedQuantity - shippedQuantity) : 0;

export const unsentLines = (items: readonly ItemRow[]): ShipmentLine[] =>
  items.map((item) => ({ itemId: item.id, quantity: unsentUnits(item) })).filter(({ quantity }) => quantity > 0);

/** Returns the lines of a requested shipment. Throws if it exceeds the unshipped units. */
export function requestedLines(
  items: readonly ItemRow[],
  { items: named }: Pick<ShipmentCreate, "items">,
): ShipmentLine[] {
  if (!named) return unsentLines(items);
  const left = new Map(items.map((item) => [item.id, item]));
  return named.map(({ itemId, quantity }, index) => {
    const item = left.get(itemId);
    if (!item) {
      throw badRequest(
        fieldError(`items.${index}.id`, "unknown_reference", "is not a line item of this order, or is listed twice"),
      );
    }
    left.delete(itemId);
    const available = unsentUnits(item);
    if (quantity > available) {
      throw badRequest(
        fieldError(
          `items.${index}.quantity`,
          "exceeds_unsent",
          `must be at most ${available}, the number of unshipped units`,
          { available },
        ),
      );
    }
    return { itemId, quantity };
  });
}

export const afterShipment = (items: readonly ItemRow[], sent: readonly ShipmentLine[]): ItemRow[] =>
  items.map((item) => ({
    ...item,
    shippedQuantity: item.shippedQuantity + (sent.find(({ itemId }) => itemId === item.id)?.quantity ?? 0),
  }));
