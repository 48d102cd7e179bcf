import { html } from "hono/html";
import { events, groups } from "./document.ts";
import { guides, type Page } from "./guides.ts";
import type { Html } from "./text.ts";

const hrefOf = (slug: string): string => (slug === "index" ? "/docs/" : `/docs/${slug}`);

/** A link of the menu to another page, or to the current one. */
const pageLink = (slug: string, title: string, current: string): Html =>
  html`<a href="${hrefOf(slug)}"${slug === current ? html` aria-current="page"` : ""}>${title}</a>`;

/** A page with links to its parts, open if it is the current one. */
const branch = (slug: string, title: string, current: string, parts: Html[]): Html =>
  html`<details${slug === current ? " open" : ""}><summary>${title}</summary><ul>
<li class="whole">${pageLink(slug, "Overview", current)}</li>
${parts}</ul></details>`;

function menu(current: string): Html {
  const areas = Map.groupBy(groups, ({ area }) => area);
  return html`<nav id="menu" aria-label="Operations" popover>
<label for="search">Search the operations</label>
<input id="search" type="search" autocomplete="off" placeholder="refund order, webhook, …" hidden>
<p id="found" role="status"></p>
<h2>Guides</h2>
<ul>${guides.map(({ slug, title }) => html`<li>${pageLink(slug, title, current)}</li>`)}<li>${pageLink("changes", "Changes", current)}</li></ul>
${Array.from(
  areas,
  ([area, pages]) =>
    html`<h2>${area} API</h2>${pages.map(({ slug, title, routes }) =>
      branch(
        slug,
        title,
        current,
        routes.map(
          ({ operationId, method, path, summary }) =>
            html`<li><a href="/docs/${slug}#${operationId}" title="${method.toUpperCase()} ${path}"><span class="method ${method}">${method}</span> ${summary}</a></li>
`,
        ),
      ),
    )}`,
)}
<h2>Webhooks</h2>
${branch(
  "events",
  "Events",
  current,
  events.map(
    ([type, { summary }]) => html`<li><a href="/docs/events#${type}" title="${summary}">${type}</a></li>
`,
  ),
)}
</nav>`;
}

/** A whole page of the reference. */
export const layout = ({ slug, title, body }: Page): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · API reference</title>
<link rel="stylesheet" href="/docs-assets/reference.css">
<link rel="icon" href="/admin-assets/icon.svg" type="image/svg+xml">
<script src="/docs-assets/reference.js" type="module"></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="bar">
<button class="open" type="button" popovertarget="menu">Search operations</button>
<a class="brand" href="/docs/">API reference</a>
</header>
<section class="tools" aria-label="Access">
<label class="key" hidden><span>API key or token</span>
<input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="sfk_…"></label>
<span class="elsewhere"><a href="/openapi.json">openapi.json</a> <a href="/admin">Panel</a></span>
</section>
${menu(slug)}
<main id="main" tabindex="-1">
${body}
</main>
</body>
</html>
`;
