import { type FieldError, fieldError } from "../../domain/errors.ts";
import { discountKinds } from "../../platform/db/schema.ts";
import { merge } from "../../platform/db/statements.ts";
import type { DiscountState } from "./fields.ts";

// Rules for the fields of each kind of discount.

const WHOLE = 1_000_000;

const columns = {
  percent: "percent",
  amount: "amount",
  buy_quantity: "buyQuantity",
  get_quantity: "getQuantity",
} as const;
type KindField = keyof typeof columns;
type KindColumns = Pick<DiscountState, (typeof columns)[KindField]>;

const needed: Record<(typeof discountKinds)[number], readonly KindField[]> = {
  percentage: ["percent"],
  amount: ["amount"],
  free_shipping: [],
  buy_x_get_y: ["buy_quantity", "get_quantity", "percent"],
};

/** Returns true if discounts of a kind have the field. Fields not tied to a kind apply to all. */
export const hasField = (kind: string, field: string): boolean =>
  !(field in columns) ||
  Object.entries(needed).some(([name, fields]) => name === kind && fields.some((one) => one === field));

const none: KindColumns = { percent: null, amount: null, buyQuantity: null, getQuantity: null };

/** Returns the greatest share that the discount takes off the items it covers, in millionths. */
function greatestReduction({
  kind,
  percent,
  amount,
  buyQuantity,
  getQuantity,
  minimumSubtotal,
}: DiscountState): number {
  const off: Record<typeof kind, () => number> = {
    percentage: () => percent ?? 0,
    amount: () => Math.min(WHOLE, ((amount ?? 0) * WHOLE) / (minimumSubtotal || 1)),
    free_shipping: () => 0,
    buy_x_get_y: () => ((percent ?? 0) * (getQuantity ?? 0)) / ((buyQuantity ?? 0) + (getQuantity ?? 0) || 1),
  };
  return off[kind]();
}

/**
 * Returns true if a discount may take more than half off an order, together with `others` if it is combinable. A disabled
 * discount takes nothing off.
 */
export const takesMoreThanHalf = (state: DiscountState, others: readonly DiscountState[]): boolean =>
  state.enabled &&
  [state, ...(state.combinable ? others : [])].reduce((sum, each) => sum + greatestReduction(each), 0) > WHOLE / 2;

const coversAny = ({ productIds, categoryIds }: DiscountState): boolean => productIds.length + categoryIds.length > 0;

/**
 * Makes the items of a buy-x-get-y discount free if no percentage is given. A discount that names products or categories
 * covers these only, unless `appliesTo` was sent.
 */
export const withDefaults = <State extends DiscountState>(
  state: State,
  appliesTo?: DiscountState["appliesTo"],
): State => ({
  ...state,
  percent: state.kind === "buy_x_get_y" ? (state.percent ?? WHOLE) : state.percent,
  appliesTo: appliesTo ?? (coversAny(state) ? "selected_products" : state.appliesTo),
});

/**
 * Applies a change to a discount. A change of kind resets the columns of the previous kind, and a change to all products those
 * that name some.
 */
export const changed = (
  before: DiscountState,
  change: { [Name in keyof DiscountState]?: DiscountState[Name] | undefined },
) =>
  withDefaults(
    merge(
      {
        ...before,
        ...(change.kind !== undefined && change.kind !== before.kind && none),
        ...(change.appliesTo === "all_products" && { productIds: [], categoryIds: [] }),
      },
      change,
    ),
    change.appliesTo,
  );

/** Picks the columns that depend on others of the discount. */
export const dependentColumns = (state: DiscountState) => {
  const { percent, amount, buyQuantity, getQuantity, appliesTo, productIds, categoryIds } = state;
  return { percent, amount, buyQuantity, getQuantity, appliesTo, productIds, categoryIds };
};

const isRequired = (field: string): FieldError =>
  fieldError(field, "required", "is required for a discount of this kind");

/** Returns the errors of fields that a new discount lacks. */
export function missingFields(sent: { kind?: unknown } & { [Field in KindField]?: unknown }): FieldError[] {
  const kind = discountKinds.find((name) => name === sent.kind);
  if (!kind) return [];
  const given = { ...sent, percent: sent.percent ?? (kind === "buy_x_get_y" ? WHOLE : null) };
  return needed[kind].filter((field) => (given[field] ?? null) === null).map(isRequired);
}

/** Returns the errors of a discount as a whole. */
export function brokenRules(state: DiscountState): FieldError[] {
  const { kind, appliesTo, enabled, startsAt, endsAt } = state;
  const errors = Object.entries(columns).flatMap(([field, column]) => {
    const isGiven = state[column] !== null;
    if (isGiven === hasField(kind, field)) return [];
    return isGiven ? fieldError(field, "not_applicable", "is not for a discount of this kind") : isRequired(field);
  });
  if (appliesTo === "all_products" && coversAny(state)) {
    errors.push(
      fieldError(
        "applies_to",
        "not_applicable",
        "must be the selected products (selected_products) if products or categories are chosen",
      ),
    );
  }
  if (appliesTo === "selected_products" && enabled && !coversAny(state)) {
    const remedy = "choose a product or a category, or let it apply to all products (all_products)";
    errors.push(
      fieldError("product_ids", "required", `is required for an enabled discount on selected products: ${remedy}`),
    );
  }
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt) {
    errors.push(fieldError("ends_at", "invalid", "must be after the start"));
  }
  return errors;
}
