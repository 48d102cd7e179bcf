import * as z from "zod";
import { Id, isoOrNull, Quantity, Timestamp } from "../../domain/fields.ts";
import { Money, Price, toDecimal } from "../../domain/money.ts";
import { OptionValues } from "../../domain/option-values.ts";
import { toRecord } from "../../domain/record.ts";
import { ShownUnitPricing, toUnitPricing } from "../../domain/unit-pricing.ts";
import type { ApiKeyCaller, UserCaller } from "../../platform/auth/caller.ts";
import { hashSecret, randomToken } from "../../platform/auth/secrets.ts";
import { type carts, type products, productTypes } from "../../platform/db/schema.ts";

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
    "Token of a guest's cart. Only used with API keys, because a user has one cart",
  ),
});
export type CartHeaders = z.output<typeof CartHeaders>;

const SeenPrice = Price.optional().describe(
  "Unit price shown to the buyer. The request is refused if the catalogue's price has changed",
);

/** Also the shape of an order line: cart lines become order lines. */
export const CartItemCreate = z
  .strictObject({ product_id: Id, quantity: Quantity.default(1), price: SeenPrice })
  .meta({ id: "CartItemCreate" });
export type CartItemCreate = z.output<typeof CartItemCreate>;

export const CartItemUpdate = z.strictObject({ quantity: Quantity, price: SeenPrice }).meta({ id: "CartItemUpdate" });
export type CartItemUpdate = z.output<typeof CartItemUpdate>;

type ProductColumns =
  | "name"
  | "sku"
  | "optionValues"
  | "options"
  | "type"
  | "status"
  | "price"
  | "unitPricing"
  | "images"
  | "stockQuantity"
  | "requiresShipping";

export type CartLine = Pick<typeof products.$inferSelect, ProductColumns> & {
  id: number;
  productId: number;
  quantity: number;
  /** The product's price when the line was last set. */
  seenPrice: number;
};

export type CartRow = typeof carts.$inferSelect;

const issues = ["not_for_sale", "choose_variant", "out_of_stock", "insufficient_stock"] as const;

const CartItem = z.object({
  id: z.int(),
  product_id: z.int(),
  name: z.string(),
  sku: z.string(),
  option_values: OptionValues,
  image_url: z.string().nullable(),
  type: z.enum(productTypes),
  requires_shipping: z.boolean().describe("True if an order of this cart needs a shipping address"),
  requires_account: z.boolean().meta({ deprecated: true }).describe("Always false: guests order downloads too"),
  quantity: z.int(),
  unit_price: Money.describe("Current unit price. The last known price if the product is no longer for sale"),
  unit_pricing: ShownUnitPricing.nullable().describe("Price per unit of measure. Null if the product is not for sale"),
  line_total: Money,
  available_quantity: z
    .int()
    .nullable()
    .describe("Number of units in stock, or 0 if the product is not for sale. Null if stock is not managed"),
  price_changed: z.boolean().describe("True if the price has changed since the item was added or last changed"),
  issues: z.array(z.enum(issues)).describe("Problems that prevent ordering this item"),
});
type CartItem = z.output<typeof CartItem>;

export const Cart = z
  .object({
    id: z.int().nullable().describe("Id of the cart. Null while the cart is empty and was never used"),
    token: z.string().nullable().describe("Token of a guest's cart. Send it as X-Cart-Token"),
    currency: z.string(),
    items: z.array(CartItem),
    item_count: z.int(),
    subtotal: Money,
    total: Money,
    expires_at: Timestamp.nullable(),
    updated_at: Timestamp.nullable(),
  })
  .meta({ id: "Cart" });

export function toCart(
  cart: CartRow | null | undefined,
  lines: CartLine[],
  { owner, currency, origin }: { owner: CartOwner; currency: string; origin: string },
): z.output<typeof Cart> {
  const items = lines.map((line) => toCartItem(line, origin));
  const subtotal = lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  return {
    id: cart?.id ?? null,
    token: cart && owner.kind === "guest" ? owner.token : null,
    currency,
    items,
    item_count: lines.reduce((sum, { quantity }) => sum + quantity, 0),
    subtotal: toDecimal(subtotal),
    total: toDecimal(subtotal),
    expires_at: isoOrNull(cart?.expiresAt ?? null),
    updated_at: isoOrNull(cart?.updatedAt ?? null),
  };
}

function toCartItem(line: CartLine, origin: string): CartItem {
  const available = availableOf(line);
  const image = line.images[0];
  return toRecord(CartItem, line, {
    image_url: image ? new URL(image.url, origin).href : null,
    requires_account: false,
    unit_price: toDecimal(line.price),
    unit_pricing: line.status === "active" ? toUnitPricing(line.price, line.unitPricing) : null,
    line_total: toDecimal(line.price * line.quantity),
    available_quantity: available,
    price_changed: line.price !== line.seenPrice,
    issues: issuesOf(line, available),
  });
}

/** Number of units available to buy. Null means no limit. */
const availableOf = ({ status, stockQuantity }: CartLine): number | null => (status === "active" ? stockQuantity : 0);

function issuesOf({ status, options, quantity }: CartLine, available: number | null): CartItem["issues"] {
  if (status !== "active") return ["not_for_sale"];
  if (options.length > 0) return ["choose_variant"];
  if (available === null || quantity <= available) return [];
  return available === 0 ? ["out_of_stock"] : ["insufficient_stock"];
}
