import type { Child } from "hono/jsx";
import { isInAccount } from "./account/menu.ts";
import { readCookie } from "./cookies.ts";
import type { ShopContext } from "./env.ts";

export const Navigation = ({ c }: { c: ShopContext }) => {
  const { shopper, cartCount } = c.var;
  const { path } = c.req;
  const hasGuestOrders = readCookie(c, "shop-orders") !== undefined;
  return (
    <nav class="menu" aria-label="Shop">
      <To href="/cart" path={path}>
        Cart {cartCount > 0 && <span class="count">{cartCount}</span>}
      </To>
      {shopper ? (
        <To href="/account" path={isInAccount(path) ? "/account" : path}>
          Account
        </To>
      ) : (
        <>
          {hasGuestOrders && (
            <To href="/orders" path={path}>
              Orders
            </To>
          )}
          <To href="/sign-in" path={path}>
            Sign in
          </To>
        </>
      )}
    </nav>
  );
};

const To = ({ href, path, children }: { href: string; path: string; children: Child }) => (
  <a href={href} aria-current={href === path ? "page" : undefined}>
    {children}
  </a>
);
