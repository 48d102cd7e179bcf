import * as z from "zod";

export const CART_TOKEN_PREFIX = "sfc_";

/** What names a guest's cart; a user has one cart and needs no name for it. */
export const CartToken = z.string().regex(new RegExp(`^${CART_TOKEN_PREFIX}[\\w-]{43}$`), "is not a cart token");

/** The header in which a guest's requests carry it. */
export const CartHeaders = z.object({
  "x-cart-token": CartToken.optional().describe(
    "Token of a guest's cart. Only used with API keys, as a user has one cart",
  ),
});
export type CartHeaders = z.output<typeof CartHeaders>;
