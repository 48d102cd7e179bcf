import { badRequest, type FieldError, fieldError } from "../../domain/errors.ts";
import type { shippingMethods } from "../../platform/db/schema.ts";

export type MethodState = Omit<typeof shippingMethods.$inferSelect, "id" | "createdAt" | "updatedAt">;

/** The price fields sent for a method. */
type SentPrice = { [Name in "price" | "brackets"]?: MethodState[Name] | undefined };

/** Removes the price that a method's kind does not use. */
export const withPriceOfKind = <Method extends MethodState>(method: Method): Method =>
  method.kind === "weight" ? { ...method, price: 0 } : { ...method, brackets: [] };

/**
 * Throws for fields that do not go together, a price sent for another kind of method, and a missing flat rate. `before` is
 * the method before the change, if it existed.
 */
export function requireConsistent(method: MethodState, sent: SentPrice, before?: MethodState): void {
  const errors = [...brokenPrice(method, sent, before), ...brokenBrackets(method, sent), ...brokenDays(method)];
  if (errors.length > 0) throw badRequest(errors);
}

function brokenPrice({ kind }: MethodState, sent: SentPrice, before: MethodState | undefined): FieldError[] {
  if (kind === "weight" && sent.price)
    return [fieldError("price", "not_applicable", "is in the brackets, where a price goes by weight")];
  const isNew = before?.kind !== kind;
  return kind === "flat_rate" && isNew && sent.price === undefined
    ? [fieldError("price", "required", "is required of a flat rate")]
    : [];
}

function brokenBrackets({ kind, brackets }: MethodState, sent: SentPrice): FieldError[] {
  if (kind !== "weight") {
    return sent.brackets?.length ? [fieldError("brackets", "not_applicable", "are of a price by weight alone")] : [];
  }
  if (brackets.length === 0) return [fieldError("brackets", "required", "are required of a price by weight")];
  return brackets.flatMap(({ upToGrams }, index) =>
    upToGrams > (brackets[index - 1]?.upToGrams ?? 0)
      ? []
      : [fieldError(`brackets.${index}.up_to_grams`, "invalid", "must be more than in the bracket before")],
  );
}

const brokenDays = ({ minDays, maxDays }: MethodState): FieldError[] =>
  minDays !== null && maxDays !== null && minDays > maxDays
    ? [fieldError("max_days", "invalid", "must not be less than min_days")]
    : [];
