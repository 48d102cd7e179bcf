import * as z from "zod";

export const CART_TOKEN_PREFIX = "sfc_";

/** What a guest's requests carry to name their cart; a user has one cart and needs no name for it. */
export const CartHeaders = z.object({
  "x-cart-token": z
    .string()
    .regex(new RegExp(`^${CART_TOKEN_PREFIX}[\\w-]{43}$`), "is not a cart token")
    .optional(),
});
export type CartHeaders = z.output<typeof CartHeaders>;
