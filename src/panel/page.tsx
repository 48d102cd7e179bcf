import type { Context } from "hono";
import type { Child, PropsWithChildren } from "hono/jsx";
import type { StatusCode } from "hono/utils/http-status";
import type { ApiError } from "../domain/errors.ts";
import { shopTimeZone, zoneName } from "../domain/time.ts";
import type { UserCaller } from "../platform/auth/caller.ts";
import type { AppEnv } from "../platform/auth/gates.ts";
import { savedOpenAlerts, savedShopName } from "../platform/db/time-zone.ts";
import { takeFlash } from "./flash.ts";
import type { Values } from "./forms/kinds.ts";
import { Allowed, ViewedBy } from "./kit/allowed.tsx";
import { ErrorSummary } from "./kit/form.tsx";
import { Flash, ThisPage } from "./kit/page-parts.tsx";
import { initialsOf } from "./kit/values.tsx";
import {
  ACCOUNT,
  HEALTH,
  isWithin,
  mainSections,
  placeAbove,
  type Section,
  sectionOf,
  settingGroups,
  settingsSection,
} from "./sections.ts";

/** A whole page: the last message and `content` in the signed-in frame. */
export async function page(c: PageContext, title: string, content: Child): Promise<Response> {
  const waiting = takeFlash(c);
  const body = (
    <>
      {waiting && <Flash {...waiting} focused={c.var.identity !== undefined} />}
      {content}
    </>
  );
  const shopName = c.var.shopName ?? savedShopName() ?? c.var.settings?.email.shopName ?? PANEL;
  const document = c.var.identity ? (
    <ViewedBy value={c.var.identity}>
      <ThisPage value={{ title, back: parentOf(c.req.path) }}>
        <Layout title={title} path={c.req.path} shopName={shopName}>
          {body}
        </Layout>
      </ThisPage>
    </ViewedBy>
  ) : (
    <Bare
      title={title}
      shopName={shopName}
      links={c.var.shopLinks}
      language={c.var.language}
      isShops={c.var.shopName !== undefined}
    >
      {body}
    </Bare>
  );
  return c.html(`<!doctype html>${await document.toString()}`);
}

const titles: Record<number, string> = {
  403: "Not allowed",
  404: "Not found",
  405: "Not allowed",
  429: "Too many requests",
  500: "Something went wrong",
  503: "Temporarily unavailable",
};

/** Shows an error as a page, with the API's message. */
export function errorPage(c: PageContext, { status, message, errors, headers }: ApiError): Promise<Response> {
  const title = titles[status] ?? "The request was refused";
  c.status(status as StatusCode);
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  return page(
    c,
    title,
    <div class="card narrow">
      <h1>{title}</h1>
      <p>{message}.</p>
      <ErrorSummary errors={errors} message={null} />
      <p class="muted">
        For support: error {status}, <code>{c.var.requestId}</code>
      </p>
      {c.req.path.startsWith("/admin") && (
        <p>
          <a href="/admin">Go to the home page</a>
        </p>
      )}
    </div>,
  );
}

const PANEL = "Storefront";

const Head = ({ title, name, isShops = false }: { title: string; name: string; isShops?: boolean }) => (
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <title>{`${title} · ${name}`}</title>
    <link rel="stylesheet" href="/admin-assets/panel.css" />
    {isShops ? (
      <link rel="icon" href="data:," />
    ) : (
      <link rel="icon" href="/admin-assets/icon.svg" type="image/svg+xml" />
    )}
    <script src="/admin-assets/panel.js" type="module" />
  </head>
);

/** The page above. Every setting leads back to their page. */
const parentOf = (path: string) =>
  settingGroups.some(({ cards }) => cards.some((card) => card.path === path)) && sectionOf(path) === settingsSection
    ? settingsSection
    : placeAbove(path);

type LayoutProps = { title: string; path: string; shopName: string };

/** The frame of every page with a session. The menu is a popover that wide screens always show. */
const Layout = ({ title, path, shopName, children }: PropsWithChildren<LayoutProps>) => (
  <html lang="en">
    <Head title={title} name={shopName} />
    <body>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="bar">
        <a class="brand" href="/admin">
          <span>{shopName}</span>
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
          <span>{shopName}</span>
        </a>
        <search>
          <form action="/admin/search">
            <input
              type="search"
              name="q"
              aria-label="Search everything"
              placeholder="Search"
              aria-keyshortcuts="Control+K /"
            />
          </form>
        </search>
        <div class="sections">
          {mainSections.map((section) => (
            <Entry section={section} path={path} />
          ))}
        </div>
        <div class="foot">
          <Entry section={settingsSection} path={path} />
          <a href={ACCOUNT} aria-current={currentAt(path, ACCOUNT, false)}>
            <Icon path={PERSON} />
            Your account
          </a>
          <form method="post" action="/admin/sign-out" data-plain>
            <button type="submit" class="button quiet">
              Sign out
            </button>
            <span class="hint">Times in {zoneName(shopTimeZone())}</span>
          </form>
        </div>
      </nav>
      <main id="main" tabindex={-1}>
        {children}
      </main>
    </body>
  </html>
);

/** `aria-current` of a link to a page: the page itself, or a page that `isInside` its target. */
const currentAt = (path: string, place: string, isInside: boolean) =>
  path === place ? "page" : isInside ? "true" : undefined;

/** A section of the menu, and the pages below it. */
const Entry = ({ section, path }: { section: Section; path: string }) => (
  <Allowed to={section.needs}>
    {section.heading && <div class="heading">{section.heading}</div>}
    <a href={section.path} aria-current={currentAt(path, section.path, sectionOf(path) === section)}>
      <Icon path={section.icon} />
      {section.name}
      {section.path === HEALTH && savedOpenAlerts() > 0 && (
        <span class="badge bad" title="Open alerts">
          {savedOpenAlerts()}
        </span>
      )}
    </a>
    {section.pages && (
      <div class="pages">
        {section.pages.map((place) => (
          <Allowed to={place.needs}>
            <a href={place.path} aria-current={currentAt(path, place.path, isWithin(path, place.path))}>
              {place.name}
            </a>
          </Allowed>
        ))}
      </div>
    )}
  </Allowed>
);

const PERSON = "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm-8 8a8 8 0 0 1 16 0";

export const Icon = ({ path }: { path: string }) => (
  <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
    <path d={path} />
  </svg>
);

type BareProps = {
  title: string;
  shopName: string;
  isShops: boolean;
  links: AppEnv["Variables"]["shopLinks"];
  language: AppEnv["Variables"]["language"];
};

/** The layout of pages without a session: the panel's, or the shop's for customers. */
const Bare = ({ title, shopName, isShops, links = [], language = "en", children }: PropsWithChildren<BareProps>) => (
  <html lang={language}>
    <Head title={title} name={shopName} isShops={isShops} />
    <body class="bare">
      <header class="brand">
        <span class="thumbnail" aria-hidden="true">
          {initialsOf(shopName)}
        </span>
        {shopName}
      </header>
      <main id="main" tabindex={-1}>
        {children}
      </main>
      {links.length > 0 && (
        <footer class="actions">
          {links.map(({ href, title: name }) => (
            <a href={href}>{name}</a>
          ))}
        </footer>
      )}
    </body>
  </html>
);

/** Context of the panel's pages: a member of staff is signed in. */
export type PanelEnv = AppEnv & {
  Variables: {
    caller: UserCaller;
    /** Key of a form that takes effect once, however often its button is clicked. */
    idempotencyKey: string | undefined;
    /** Values of a form sent after the session ended, once its sender signed in again. */
    savedForm: Values | null;
  };
};

/** Context of a page shown with or without a session. */
export type PageContext = Context<AppEnv> | Context<PanelEnv>;

/** True if the request comes from the panel's script, which gets JSON, including errors. */
export const asksForJson = (c: PageContext): boolean => c.req.header("Accept") === "application/json";
