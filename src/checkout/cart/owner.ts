import * as z from "zod";
import type { ApiKeyCaller, UserCaller } from "../../platform/auth/caller.ts";
import { hashSecret, randomToken } from "../../platform/auth/secrets.ts";

/** Lifetime of a guest cart after its last change. */
export const GUEST_CART_MS = 30 * 24 * 60 * 60 * 1000;

/** Owner of a cart: a user, or the guest whose `X-Cart-Token` names it. A guest may not have a cart yet. */
export type CartOwner =
  | { kind: "user"; userId: number }
  | { kind: "guest"; token: string; tokenHash: string; isNew: boolean };

export function cartOwner(caller: UserCaller | ApiKeyCaller, headers: CartHeaders): CartOwner {
  if (caller.kind === "user") return { kind: "user", userId: caller.id };
  const token = headers["x-cart-token"];
  const named = token ?? randomToken(CART_TOKEN_PREFIX);
  return { kind: "guest", token: named, tokenHash: hashSecret(named), isNew: token === undefined };
}

const CART_TOKEN_PREFIX = "sfc_";

/** Identifies a guest's cart. A user has one cart and needs no token. */
export const CartToken = z.string().regex(new RegExp(`^${CART_TOKEN_PREFIX}[\\w-]{43}$`), "is not a cart token");

/** The header that identifies a guest's cart. */
export const CartHeaders = z.object({
  "x-cart-token": CartToken.optional().describe(
    "Token of a guest's cart. Only used with API keys, as a user has one cart",
  ),
});
export type CartHeaders = z.output<typeof CartHeaders>;
