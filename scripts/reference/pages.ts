import { html } from "hono/html";
import { changesPage } from "./changes.ts";
import { type Group, groups } from "./document.ts";
import { eventsPage } from "./events.ts";
import { type Objects, objectSections } from "./fields.ts";
import { guides, type Page } from "./guides.ts";
import { layout } from "./layout.ts";
import { errorPopovers, operationSection } from "./operation.ts";
import { prose } from "./text.ts";

function groupPage({ slug, area, title, description, routes }: Group): Page {
  const objects: Objects = new Set();
  const sections = routes.map((route) => operationSection(route, objects));
  return {
    slug,
    title,
    body: html`<p class="area">${area} API</p>
<h1>${title}</h1>
<p>${prose(description)}</p>
${sections}
${objects.size > 0 ? html`<h2 class="part">Objects</h2>` : ""}
${objectSections(objects)}
${errorPopovers(routes)}`,
  };
}

/** Every page of the reference as [name of its file, HTML]. */
export const pages = (): Promise<[name: string, text: string][]> =>
  Promise.all(
    [...guides, ...groups.map(groupPage), eventsPage(), changesPage()].map(
      async (page): Promise<[string, string]> => [`${page.slug}.html`, String(await layout(page))],
    ),
  );
