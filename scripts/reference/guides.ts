import { html } from "hono/html";
import { document, resolve } from "../openapi/published.ts";
import { INSTALL, ORIGIN } from "./code.ts";
import { events, groups } from "./document.ts";
import { integrations } from "./integrations.ts";
import { errorsByStatus, errorWords } from "./operation.ts";
import { codeBlock, type Html, prose } from "./text.ts";

export type Page = { slug: string; title: string; body: Html };

const beside = (curl: string, client: string): Html =>
  html`<div class="beside">${codeBlock("curl", curl)}${codeBlock("TypeScript client", client)}</div>`;

const quickstart: Page = {
  slug: "index",
  title: "Quickstart",
  body: html`<h1>Quickstart</h1>
<p>The API of this shop is at <code>${ORIGIN}/api/v1</code>. Create an API key in the <a href="/admin/api-keys">API Manager</a>, or take the one that
<code>npm start</code> printed for the demo shop. Postman and Bruno import every request from <a href="/collection.json">collection.json</a>.</p>
<section>
<h2>Send the first request</h2>
${beside(
  `KEY=sfk_…
curl -H "Authorization: Bearer $KEY" \\
  "${ORIGIN}/api/v1/user/products?per_page=3"`,
  `${INSTALL}
import { createStorefront } from "@storefront-worker/api/client";

const shop = createStorefront({
  baseUrl: "${ORIGIN}",
  credential: process.env.KEY,
});
const { data } = await shop.GET("/api/v1/user/products", {
  params: { query: { per_page: 3 } },
});`,
)}
</section>
<section>
<h2>Sign somebody up</h2>
<p>Their token gives access to their own cart, orders and downloads.</p>
${beside(
  `curl -H "Authorization: Bearer $KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"name": "Ada", "email": "ada@example.com",
       "password": "a battery of horses"}' \\
  "${ORIGIN}/api/v1/user/auth/signup"
TOKEN=…   # data.token of the answer`,
  `const { data: session } = await shop.POST(
  "/api/v1/user/auth/signup",
  { body: { name: "Ada", email: "ada@example.com",
            password: "a battery of horses" } },
);
const ada = shop.as(session.token);`,
)}
</section>
<section>
<h2>Fill a cart and ask what it costs</h2>
<p>The client sends an <code>Idempotency-Key</code> by itself, so an order that is sent twice is placed once.</p>
${beside(
  `curl -H "Authorization: Bearer $TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"product_id": 1, "quantity": 2}' \\
  "${ORIGIN}/api/v1/user/cart"

curl -H "Authorization: Bearer $TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"items": [{"product_id": 1, "quantity": 2}],
       "payment_method": "wallet"}' \\
  "${ORIGIN}/api/v1/user/checkout/quote"`,
  `await ada.POST("/api/v1/user/cart", {
  body: { product_id: 1, quantity: 2 },
});

const { data: quote } = await ada.POST(
  "/api/v1/user/checkout/quote",
  { body: { items: [{ product_id: 1, quantity: 2 }],
            payment_method: "wallet" } },
);`,
)}
</section>
<section id="order">
<h2>Place an order</h2>
<p>The order names the prices that the buyer saw, so nobody pays more. It appears in the panel, waiting for payment: open it under
<a href="/admin/orders">Orders</a> and mark it as paid.</p>
${beside(
  `PRICE=…   # data.items[0].unit_price of the quote
curl -H "Authorization: Bearer $TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"items": [{"product_id": 1, "quantity": 1,
                  "price": '$PRICE'}],
       "shipping_address": {
         "name": "Ada", "address": "12 Harbour Row",
         "city": "Bristol", "zip": "BS1 5TY" },
       "payment_method": "credit_card"}' \\
  "${ORIGIN}/api/v1/user/orders"`,
  `const [line] = quote.items;
const { data: order } = await ada.POST("/api/v1/user/orders", {
  body: {
    items: [
      { product_id: 1, quantity: 1, price: line.unit_price },
    ],
    shipping_address: {
      name: "Ada", address: "12 Harbour Row",
      city: "Bristol", zip: "BS1 5TY" },
    payment_method: "credit_card",
  },
});`,
)}
<p>Continue with <a href="/docs/conventions">conventions and headers</a>.</p>
</section>
<section>
<h2>Find your way</h2>
<ul class="groups">${groups.map(
    ({ slug, area, title, description, routes }) => html`<li><a href="/docs/${slug}">${title}</a>
<span class="type">${area}, ${routes.length} ${routes.length === 1 ? "operation" : "operations"}</span><p>${prose(description)}</p></li>`,
  )}<li><a href="/docs/events">Events</a> <span class="type">Webhooks, ${events.length} types</span><p>Requests that the shop sends to your webhook endpoints.</p></li></ul>
</section>`,
};

const operations: Page = {
  slug: "operations",
  title: "All operations",
  body: html`<h1>All operations</h1>
<p>The whole API as one OpenAPI document, for code generators and other tools: <a href="/openapi.json">openapi.json</a></p>
${groups.map(
  ({ slug, area, title, routes }) => html`<section><h2>${area === "Administration" ? `${area}: ${title}` : title}</h2>
<ul class="operations">${routes.map(
    ({ method, path, summary, operationId, description }) =>
      html`<li><a href="/docs/${slug}#${operationId}">${summary}</a> <span><span class="method ${method}">${method}</span> <code>${path}</code></span>${
        description ? html`<p>${prose(description)}</p>` : ""
      }</li>`,
  )}</ul></section>`,
)}`,
};

/** Response headers by name, each explained once. */
const headers = new Map(
  groups
    .flatMap(({ routes }) => routes.flatMap(({ responses }) => Object.values(responses)))
    .flatMap((response) => Object.entries(resolve(response).headers ?? {}))
    .map(([name, header]) => [name, resolve(header).description ?? ""]),
);

const conventions: Page = {
  slug: "conventions",
  title: "Conventions and headers",
  body: html`<h1>Conventions and headers</h1>
${document.info.description.split("\n\n").map((text) => html`<p>${prose(text)}</p>`)}
<section id="headers">
<h2>Response headers</h2>
<p>Each operation names the headers of its responses. They mean the same everywhere.</p>
<dl class="fields">${Array.from(
    headers,
    ([name, words]) => html`<div><dt><code>${name}</code></dt><dd><p>${prose(words)}</p></dd></div>`,
  )}</dl>
</section>`,
};

/** The parts of a description that ends with a list of codes. */
function codesOf(schema: string): { words: string; codes: [code: string, meaning: string][] } {
  const [words = "", list = ""] = (document.components.schemas[schema]?.description ?? "").split("\n\n");
  const codes = Array.from(list.matchAll(/^- `(\w+)`: (.*)$/gm), ([, code = "", meaning = ""]): [string, string] => [
    code,
    meaning,
  ]);
  return { words, codes };
}

function codeList(schema: string): Html {
  const { words, codes } = codesOf(schema);
  return html`<p>${prose(words)}</p>
<dl class="fields">${codes.map(
    ([code, meaning]) => html`<div><dt><code>${code}</code></dt><dd><p>${prose(meaning)}</p></dd></div>`,
  )}</dl>`;
}

const errors: Page = {
  slug: "errors",
  title: "Errors",
  body: html`<h1>Errors</h1>
<p>Every error has the same shape. <code>message</code> and <code>errors</code> are written for people, <code>code</code> and <code>details</code> for
programs.</p>
<section><h2>By status</h2><div class="cards">${Array.from(
    [...errorsByStatus].toSorted(([one], [other]) => one.localeCompare(other)),
    ([status, response]) => html`<div class="card" id="${status}">${errorWords(status, response)}</div>`,
  )}</div></section>
<section id="codes"><h2>Codes</h2>${codeList("ErrorCode")}</section>
<section><h2>Codes of fields</h2>${codeList("ErrorDetailCode")}</section>`,
};

/** Pages that explain the API as a whole. */
export const guides: Page[] = [quickstart, integrations, conventions, errors, operations];
