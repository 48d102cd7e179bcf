export { cartProductIds, chooseVariant, priceChanged, selectLines as selectCartLines } from "./cart.ts";
export { CartMerge, mergeGuestCart } from "./merge.ts";
export { CartHeaders, type CartOwner, CartToken, cartOwner } from "./schemas.ts";
