import { badRequest, type FieldError, fieldError } from "../../domain/errors.ts";

/** How many units of a line are left for a request, and the error for asking for more. */
type RemainingLines<Item> = {
  left: (item: Item) => number;
  exceeds: (field: string, available: number, item: Item) => FieldError;
};

/** Finds the lines that a request names among those of an order, each at most once. Throws if more units are named than are left. */
export function namedLines<Item extends { id: number }>(
  items: readonly Item[],
  named: readonly { id: number; quantity: number }[],
  { left, exceeds }: RemainingLines<Item>,
): { item: Item; quantity: number }[] {
  const unnamed = new Map(items.map((item) => [item.id, item]));
  return named.map(({ id, quantity }, index) => {
    const item = unnamed.get(id);
    if (!item) {
      const words = "is not a line item of this order, or is listed twice";
      throw badRequest(fieldError(`items.${index}.id`, "unknown_reference", words));
    }
    unnamed.delete(id);
    const available = left(item);
    if (quantity > available) throw badRequest(exceeds(`items.${index}.quantity`, available, item));
    return { item, quantity };
  });
}
