import type { Child } from "hono/jsx";
import type { ShopContext } from "../env.ts";
import { page } from "../page.tsx";
import { entries, isAt } from "./menu.ts";

/**
 * A page of the account, next to the account's menu. On a phone, only the overview shows the menu, because it links to
 * the others.
 */
export const accountPage = (c: ShopContext, title: string, content: Child): Promise<Response> => {
  const { path } = c.req;
  return page(
    c,
    title,
    <div class={path === "/account" ? "account home" : "account"}>
      <div class="account-content">
        {path !== "/account" && (
          <p class="up">
            <a href="/account">Your account</a>
          </p>
        )}
        {content}
      </div>
      <nav class="account-menu" aria-label="Account">
        <ul>
          {entries.map((entry) => (
            <li>
              <a href={entry.path} aria-current={isAt(entry.path, path) ? "page" : undefined}>
                {entry.name}
              </a>
            </li>
          ))}
        </ul>
        <form method="post" action="/sign-out">
          <button class="plain" type="submit">
            Sign out
          </button>
        </form>
      </nav>
    </div>,
  );
};
