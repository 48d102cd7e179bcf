import { listAddresses } from "../accounts/users/addresses.ts";
import { unauthorized } from "../domain/errors.ts";
import { limits } from "../domain/limits.ts";
import { requireScope } from "../platform/auth/caller.ts";
import { type ShopperScope, shopperScopes } from "../platform/auth/scopes.ts";
import { savedDestination } from "./fulfillment.ts";
import type { RootCapability, UcpContext } from "./protocol.ts";

// Identity linking: an agent acts for a shopper whose token it has, with the scopes of the protocol's capabilities.
// https://ucp.dev/2026-08-25/specification/common/identity-linking/

/** The scope that an operation for a shopper needs. The catalogue is the same for everybody. */
const scopes: Record<RootCapability, ShopperScope | null> = {
  "catalog.search": null,
  "catalog.lookup": null,
  cart: "dev.ucp.shopping.cart:manage",
  checkout: "dev.ucp.shopping.checkout:manage",
  order: "dev.ucp.shopping.order:read",
};

/** The scopes without which operations are refused, as the shop's profile lists them. Guests can have carts and checkouts. */
export const requiredScopes = {
  "dev.ucp.shopping.order:read": { description: { plain: shopperScopes["dev.ucp.shopping.order:read"] } },
};

/** Refuses an agent that acts for a shopper without the scope. A checkout knows the shopper's addresses. */
export async function forShopper(ctx: UcpContext, root: RootCapability): Promise<UcpContext> {
  const { db, caller } = ctx;
  if (caller.kind !== "user") return ctx;
  requireScope(caller, scopes[root]);
  if (root !== "checkout") return ctx;
  const { rows } = await listAddresses(db, caller.id, { page: 1, per_page: limits.ADDRESSES_PER_ACCOUNT });
  return { ...ctx, savedDestinations: rows.map(savedDestination) };
}

/**
 * A session that an agent created for this shopper, or for a guest. An agent that created it for a shopper must send their
 * token. Another shopper's is not found.
 */
export function sessionForShopper<Row extends { userId: number | null }>(
  { userId }: Pick<UcpContext, "userId">,
  root: RootCapability,
  row: Row | undefined,
): Row | undefined {
  if (!row || row.userId === null || row.userId === userId) return row;
  if (userId !== null) return undefined;
  throw unauthorized("unauthorized", "This belongs to a shopper. Send their access token", scopes[root] ?? undefined);
}
