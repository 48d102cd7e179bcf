import type { Child } from "hono/jsx";
import type { ShopContext } from "./env.ts";
import { Navigation } from "./navigation.tsx";
import { WITHDRAW } from "./orders/labels.ts";
import { pagesOf } from "./pages/kept-pages.ts";
import { SearchForm } from "./parts/search-form.tsx";
import { takeTold } from "./told.ts";

/** Renders a page: the message of the last form, then `content`. `about` is for search engines and link previews. */
export async function page(c: ShopContext, title: string, content: Child, about?: Child): Promise<Response> {
  const { SHOP_NAME } = c.env;
  const told = takeTold(c);
  const pages = await pagesOf(c);
  const document = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>
          {title} · {SHOP_NAME}
        </title>
        {about}
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/shop.css" />
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to content
        </a>
        <header class="top">
          <a class="name" href="/">
            {SHOP_NAME}
          </a>
          <SearchForm search={c.req.path === "/" ? c.req.query("search") : undefined} />
          <Navigation c={c} />
        </header>
        <main id="content">
          {told && (
            <p class={told.isRefusal ? "refusal" : "told"} role={told.isRefusal ? "alert" : "status"}>
              {told.words}
            </p>
          )}
          {content}
        </main>
        <footer>
          <p>Questions? {c.env.CONTACT}</p>
          <ul class="pages">
            <li>
              <a href="/withdraw">{WITHDRAW}</a>
            </li>
            {pages.map(({ slug, language, title: name }) => (
              <li>
                <a href={`/pages/${slug}`} lang={language}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
          An example storefront for the API at{" "}
          <a href={new URL("/docs", c.env.API_URL).href}>{new URL(c.env.API_URL).host}</a>
        </footer>
      </body>
    </html>
  );
  return c.html(`<!doctype html>${await document.toString()}`);
}
