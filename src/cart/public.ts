export { CartHeaders, CartToken } from "./cart-token.ts";
export { CartMerge, mergeGuestCart } from "./merge.ts";
