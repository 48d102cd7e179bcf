export { CartHeaders, CartToken } from "./cart-token.ts";
export { CartMerge, mergeGuestCart } from "./merge.ts";
export { type CartOwner, cartOwner } from "./owner.ts";
export { cartProductIds, selectLines as selectCartLines } from "./queries.ts";
