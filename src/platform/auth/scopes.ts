import type { Permission } from "./roles.ts";

/** Scopes that a shopper can give an app, with words for the consent page. */
export const shopperScopes = {
  profile: "See your name, e-mail address and wallet balance",
  addresses: "See your saved addresses",
  orders: "See your orders and transactions, and open your downloads",
  buy: "Fill your cart, place and cancel orders, and pay with your wallet",
  "dev.ucp.shopping.cart:manage": "Fill carts for you",
  "dev.ucp.shopping.checkout:manage": "See your saved addresses, place orders for you, and pay with your wallet",
  "dev.ucp.shopping.order:read": "See the orders that it placed for you",
} as const;
export type ShopperScope = keyof typeof shopperScopes;

/** True for a scope of the Universal Commerce Protocol, which names its capability. */
export const isUcpScope = (name: string): boolean => name.startsWith("dev.ucp.");

export const isShopperScope = (name: string): name is ShopperScope => Object.hasOwn(shopperScopes, name);

/** The scope that an app needs where an API key needs a permission. Null needs none; without an entry no app is admitted. */
export const scopeFor: { readonly [Name in Permission]?: ShopperScope | null } = {
  "products:read": null,
  "carts:read": "buy",
  "carts:write": "buy",
  "checkout:read": "orders",
  "checkout:write": "buy",
  "files:read": "orders",
};
