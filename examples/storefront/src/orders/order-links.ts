import { type Schema, StorefrontError } from "@storefront-worker/api/client";
import * as z from "zod";
import { readCookie, writeCookie } from "../cookies.ts";
import type { ShopContext } from "../env.ts";

export type GuestOrder = Schema["GuestOrder"];

const KEPT_SECONDS = 30 * 24 * 60 * 60;
const MAX_KEPT = 5;

const Tokens = z.array(z.string()).catch([]);

// A link in an e-mail has a token, which shows one order. It is stored in a cookie, so that the URL does not keep it.

/** The order of a link's token. Null if the API refuses the token. */
export async function openLink(c: ShopContext, token: string): Promise<GuestOrder | null> {
  try {
    return (await c.var.shop.POST("/api/v1/user/orders/link", { body: { token } })).data;
  } catch (error) {
    if (error instanceof StorefrontError && [400, 404].includes(error.status)) return null;
    throw error;
  }
}

/** The token of a link to an order that this browser has opened. */
export const linkTokenOf = (c: ShopContext, reference: string): string | undefined =>
  linkTokens(c).find((token) => token.includes(reference));

/** An order that this browser has opened by a link. */
export async function findLinkedOrder(c: ShopContext, reference: string): Promise<GuestOrder | null> {
  const token = linkTokenOf(c, reference);
  const order = token === undefined ? null : await openLink(c, token);
  return order?.reference === reference ? order : null;
}

export function rememberLink(c: ShopContext, token: string): void {
  const others = linkTokens(c).filter((other) => other !== token);
  writeCookie(c, "shop-order-links", JSON.stringify([token, ...others].slice(0, MAX_KEPT)), KEPT_SECONDS);
}

function linkTokens(c: ShopContext): string[] {
  try {
    return Tokens.parse(JSON.parse(readCookie(c, "shop-order-links") ?? "[]"));
  } catch {
    return [];
  }
}

/** An order of an account or of this browser, or the parts of one that a guest's link may show. */
export type ShownOrder = Omit<
  GuestOrder,
  "shop" | "downloads" | "invoices" | "license_keys" | "gift_cards" | "subscription"
>;
