import type { PropsWithChildren } from "hono/jsx";
import { Allowed } from "./kit/allowed.tsx";
import { ACCOUNT, type Section, sections } from "./sections.ts";

const Head = ({ title }: { title: string }) => (
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <title>{`${title} · Storefront`}</title>
    <link rel="stylesheet" href="/admin-assets/panel.css" />
    <link rel="icon" href="/admin-assets/icon.svg" type="image/svg+xml" />
    <script src="/admin-assets/panel.js" type="module" />
  </head>
);

/** The frame of every page with a session. The menu is a popover that wide screens always show. */
export const Layout = ({
  title,
  path,
  currency,
  children,
}: PropsWithChildren<{ title: string; path: string; currency: string }>) => (
  <html lang="en">
    <Head title={title} />
    <body>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="bar">
        <a class="brand" href="/admin">
          Storefront
        </a>
        <a class="button quiet" href="/admin/search">
          Search
        </a>
        <button type="button" class="button quiet" popovertarget="menu">
          Menu
        </button>
      </header>
      <nav class="side" id="menu" aria-label="Sections" popover="auto">
        <a class="brand" href="/admin">
          Storefront
        </a>
        <search>
          <form action="/admin/search">
            <input
              type="search"
              name="q"
              maxlength={254}
              aria-label="Search everything"
              placeholder="Search"
              aria-keyshortcuts="Control+K /"
            />
          </form>
        </search>
        <div class="sections">
          {sections.map((section) => (
            <Allowed to={section.needs}>
              {section.heading && <div class="heading">{section.heading}</div>}
              <Entry {...section} current={isCurrent(section.path, path)} />
            </Allowed>
          ))}
        </div>
        <div class="foot">
          <span class="muted">Prices in {currency}</span>
          <a href="/docs/">API reference</a>
          <a href={ACCOUNT} aria-current={path === ACCOUNT ? "page" : undefined}>
            Your account
          </a>
          <form method="post" action="/admin/sign-out" data-plain>
            <button type="submit" class="button quiet">
              Sign out
            </button>
          </form>
        </div>
      </nav>
      <main id="main" tabindex={-1}>
        {children}
      </main>
    </body>
  </html>
);

const isCurrent = (section: string, path: string): boolean =>
  path === section || (section !== "/admin" && path.startsWith(`${section}/`));

const Entry = ({ path, name, icon, current }: Section & { current: boolean }) => (
  <a href={path} aria-current={current ? "page" : undefined}>
    <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
      <path d={icon} />
    </svg>
    {name}
  </a>
);

/** The layout of pages without a session. */
export const Bare = ({ title, children }: PropsWithChildren<{ title: string }>) => (
  <html lang="en">
    <Head title={title} />
    <body class="bare">
      <header class="brand">Storefront</header>
      <main id="main" tabindex={-1}>
        {children}
      </main>
    </body>
  </html>
);
