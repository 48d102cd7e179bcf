import { badRequest, fieldError } from "../../../domain/errors.ts";
import type { ItemRow } from "../schemas.ts";
import type { NewShipment, ShipmentLine } from "./schemas.ts";

/** Units of a line that wait to be sent: of those that were refunded, as many as there were waited. */
const unsentUnits = ({ requiresShipping, quantity, refundedQuantity, shippedQuantity }: ItemRow): number =>
  requiresShipping ? Math.max(0, quantity - refundedQuantity - shippedQuantity) : 0;

/** All that waits to be sent. */
export const unsentLines = (items: readonly ItemRow[]): ShipmentLine[] =>
  items.map((item) => ({ itemId: item.id, quantity: unsentUnits(item) })).filter(({ quantity }) => quantity > 0);

/** The lines of a shipment that is asked for; more than waits is refused. */
export function requestedLines(
  items: readonly ItemRow[],
  { items: named }: Pick<NewShipment, "items">,
): ShipmentLine[] {
  if (!named) return unsentLines(items);
  const left = new Map(items.map((item) => [item.id, item]));
  return named.map(({ item_id, quantity }, index) => {
    const item = left.get(item_id);
    if (!item) {
      throw badRequest(
        fieldError(
          `items.${index}.item_id`,
          "unknown_reference",
          "is not a line item of this order, or is listed twice",
        ),
      );
    }
    left.delete(item_id);
    const available = unsentUnits(item);
    if (quantity > available) {
      throw badRequest(
        fieldError(
          `items.${index}.quantity`,
          "exceeds_unsent",
          `must be at most ${available}, the number of unsent units`,
          { available },
        ),
      );
    }
    return { itemId: item_id, quantity };
  });
}

/** The lines of an order once a shipment has left. */
export const afterShipment = (items: readonly ItemRow[], sent: readonly ShipmentLine[]): ItemRow[] =>
  items.map((item) => ({
    ...item,
    shippedQuantity: item.shippedQuantity + (sent.find(({ itemId }) => itemId === item.id)?.quantity ?? 0),
  }));
