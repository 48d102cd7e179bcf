import type { Child } from "hono/jsx";
import { readCookie } from "./cookies.ts";
import type { ShopContext } from "./env.ts";

export const Navigation = ({ c }: { c: ShopContext }) => {
  const { shopper, cartCount } = c.var;
  const { path } = c.req;
  const hasOrders = shopper || readCookie(c, "shop-orders") !== undefined;
  return (
    <nav aria-label="Shop">
      <To href="/cart" path={path}>
        Cart {cartCount > 0 && <span class="count">{cartCount}</span>}
      </To>
      {hasOrders && (
        <To href="/orders" path={path}>
          Orders
        </To>
      )}
      {shopper ? (
        <>
          <To href="/downloads" path={path}>
            Downloads
          </To>
          <form method="post" action="/sign-out">
            <button class="plain" type="submit">
              Sign out
            </button>
          </form>
        </>
      ) : (
        <To href="/sign-in" path={path}>
          Sign in
        </To>
      )}
    </nav>
  );
};

const To = ({ href, path, children }: { href: string; path: string; children: Child }) => (
  <a href={href} aria-current={href === path ? "page" : undefined}>
    {children}
  </a>
);
