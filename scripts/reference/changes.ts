import { html } from "hono/html";
import { type Addition, additionsSince } from "../openapi/additions.ts";
import { document } from "../openapi/published.ts";
import { fixtureVersions, readReleasedApi } from "../release/fixtures.ts";
import { groups } from "./document.ts";
import type { Page } from "./guides.ts";
import type { Html } from "./text.ts";

/** Operations named for each new field. The pages of the others show it as well. */
const MOST_NAMED = 4;

const operations = new Map(
  groups.flatMap(({ slug, routes }) =>
    routes.map(({ method, path, operationId, summary }) => [
      `${method.toUpperCase()} ${path}`,
      { summary, operationId, href: `/docs/${slug}#${operationId}` },
    ]),
  ),
);

const linkTo = (place: string): Html => {
  const operation = operations.get(place);
  return operation ? html`<a href="${operation.href}">${operation.operationId}</a>` : html`<code>${place}</code>`;
};

const section = (title: string, found: Addition[], line: (addition: Addition) => Html): Html =>
  found.length === 0
    ? html``
    : html`<h3>${title}</h3><ul>${found.map(
        (each) => html`<li>${line(each)}</li>
`,
      )}</ul>`;

const fieldLine = ({ name, places }: Addition): Html =>
  html`<code>${name}</code>: ${places.slice(0, MOST_NAMED).map((place, index) => html`${index > 0 ? ", " : ""}${linkTo(place)}`)}${
    places.length > MOST_NAMED ? ` and ${places.length - MOST_NAMED} more` : ""
  }`;

function release(version: string, additions: Addition[]): Html {
  const of = (kind: Addition["kind"]) => additions.filter((addition) => addition.kind === kind);
  return html`<section><h2>Since ${version}</h2>
${section("Operations", of("operation"), ({ name }) => html`${linkTo(name)}: ${operations.get(name)?.summary ?? name}`)}
${section("Events", of("event"), ({ name }) => html`<a href="/docs/events#${name}">${name}</a>`)}
${section("Fields and values in requests", of("input"), fieldLine)}
${section("Fields in responses", of("output"), fieldLine)}
</section>`;
}

/** Additions of each release, from the documents of the releases. Nothing that a client uses was removed. */
export function changesPage(): Page {
  const released = fixtureVersions().flatMap((version) => {
    const api = readReleasedApi(version);
    return api ? [{ version, api }] : [];
  });
  const sections = released
    .map(({ version, api }, place) => release(version, additionsSince(api, released[place + 1]?.api ?? document)))
    .toReversed();
  return {
    slug: "changes",
    title: "Changes",
    body: html`<h1>Changes</h1>
<p>Additions to the API since each release. Clients ignore what they do not know, so nothing here breaks one. Incompatible changes get a new
<a href="/docs/conventions">version</a>.</p>
${sections}`,
  };
}
