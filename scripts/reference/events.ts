import { html } from "hono/html";
import { resolve } from "../openapi/published.ts";
import { INSTALL } from "./code.ts";
import { events } from "./document.ts";
import { fieldsOf, type Objects, objectSections } from "./fields.ts";
import type { Page } from "./guides.ts";
import { codeBlock, type Html, prose } from "./text.ts";

const JSON_TYPE = "application/json";

const VERIFY = `${INSTALL}
import { verifyWebhook } from "@storefront-worker/api/client";

export async function receive(request: Request) {
  const event = await verifyWebhook(
    await request.text(),
    request.headers,
    process.env.WEBHOOK_SECRET ?? "",
  );
  if (event.type === "order.paid") {
    console.log(event.data.number);
  }
  return new Response(null, { status: 204 });
}`;

/** Headers of every delivery, the same for all events. */
const headers = (events[0]?.[1].parameters ?? []).map(resolve);
const answers = Object.entries(events[0]?.[1].responses ?? {});

function eventSection([type, { summary, requestBody }]: (typeof events)[number], objects: Objects): Html {
  const media = requestBody.content[JSON_TYPE];
  const data = media?.schema.properties?.data ?? {};
  return html`<section class="operation" id="${type}">
<div class="said">
<h2><a href="#${type}"><code>${type}</code></a></h2>
<p>${summary}.</p>
<details><summary>Fields of <code>data</code></summary>${fieldsOf(resolve(data), objects, true)}</details>
</div>
<div class="shown">${codeBlock("Event", JSON.stringify(media?.example, null, 2))}</div>
</section>`;
}

/** The page of webhook events. Readers receive these requests and never send them. */
export function eventsPage(): Page {
  const objects: Objects = new Set();
  const sections = events.map((event) => eventSection(event, objects));
  return {
    slug: "events",
    title: "Events",
    body: html`<h1>Events</h1>
<div class="operation">
<div class="said">
<p>The shop sends an event to each <a href="/docs/admin-webhooks">webhook endpoint</a> that subscribes to its type. The same events are in
<a href="/docs/admin-events">the feed of the last 30 days</a>.</p>
<h2 class="minor">Headers of a delivery</h2>
<dl class="fields">${headers.map(
      ({ name, description = "" }) =>
        html`<div><dt><code>${name}</code></dt><dd><p>${prose(description)}</p></dd></div>`,
    )}</dl>
<h2 class="minor">Your response</h2>
<dl class="fields">${answers.map(
      ([status, { description }]) =>
        html`<div><dt><span class="status plain">${status.toLowerCase()}</span></dt><dd><p>${prose(description)}.</p></dd></div>`,
    )}</dl>
</div>
<div class="shown">${codeBlock("Verify and read an event", VERIFY)}</div>
</div>
${sections}
${objectSections(objects)}`,
  };
}
