export { dependsOnBuyer, type Inapplicable, inapplicable } from "./discounts.ts";
export { placeOf, regionMatters } from "./matching-places.ts";
export {
  remember,
  rememberedDiscount,
  rememberedExemption,
  rememberedProduct,
  rememberedRules,
} from "./memory.ts";
export { priceBasket } from "./price.ts";
export { selectDiscountsOf, selectHasOrdered, selectRules, selectUses } from "./rules.ts";
export { shippingCountries, zoneOf } from "./shipping.ts";
export { rateSum } from "./taxes.ts";
export type {
  AnyDiscount,
  Buyer,
  BuyerHistory,
  ChosenShipping,
  Discount,
  Line,
  Place,
  PricingResult,
  ProductFacts,
  Rules,
} from "./types.ts";
