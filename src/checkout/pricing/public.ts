export { dependsOnBuyer, type Inapplicable, inapplicable } from "./discounts.ts";
export {
  remember,
  rememberedDiscount,
  rememberedExemption,
  rememberedProduct,
  rememberedRules,
} from "./memory.ts";
export { placeOf, regionMatters } from "./places.ts";
export { priceBasket } from "./price.ts";
export { scaled } from "./rounding.ts";
export { selectDiscountsOf, selectHasOrdered, selectRules, selectUses } from "./rules.ts";
export { zoneOf } from "./shipping.ts";
export type { Buyer, BuyerHistory, Discount, Line, Place, Pricing, ProductFacts, Rules } from "./types.ts";
