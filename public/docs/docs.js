// The reference: a menu of all operations beside the one that is shown. Swagger UI draws that one alone, from the part of the
// document that it needs, so that it is there at once.

const METHODS = ["get", "post", "put", "delete"];
const WEBHOOKS = "Events";
const STORED = "credential";
const byId = (id) => document.getElementById(id);

const dark = matchMedia("(prefers-color-scheme: dark)");
const paint = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", paint);
paint();

// The key, for as long as this tab is open

const key = byId("key");
key.value = sessionStorage.getItem(STORED) ?? "";
key.addEventListener("input", () => {
  if (key.value.trim()) sessionStorage.setItem(STORED, key.value.trim());
  else sessionStorage.removeItem(STORED);
});

function withKey(request) {
  const credential = key.value.trim();
  if (credential && new URL(request.url, location.href).origin === location.origin) {
    request.headers.Authorization = `Bearer ${credential}`;
  }
  return request;
}

// The document

const whole = await (await fetch("/openapi.json")).json();

const operationsOf = (paths, tagOf) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.filter((method) => methods[method]).map((method) => {
      const operation = methods[method];
      return { path, method, id: operation.operationId, summary: operation.summary, tag: tagOf(operation), operation };
    }),
  );

const operations = [
  ...operationsOf(whole.paths, ({ tags }) => tags[0]),
  ...operationsOf(whole.webhooks, () => WEBHOOKS),
].map((operation) => ({ ...operation, href: `#/${encodeURIComponent(operation.tag)}/${operation.id}` }));
const tags = [...whole.tags, { name: WEBHOOKS, description: "What is sent to the endpoints of webhooks." }];

// The menu

function make(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

const wordsIn = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);

/** An operation is found by words of its name, address and description. */
const entries = operations.map((operation) => {
  const { path, method, id, summary, tag, href } = operation;
  const badge = make("span", { className: `method ${method}`, textContent: tag === WEBHOOKS ? "event" : method });
  const link = make("a", { href }, badge, make("span", { textContent: summary }));
  const said = [path, method, id, summary, tag, operation.operation.description].join(" ").toLowerCase();
  return { tag, said, link, item: make("li", {}, link) };
});
const groups = tags.map(({ name }) => {
  const items = entries.filter(({ tag }) => tag === name);
  const heading = make("a", { href: `#/${encodeURIComponent(name)}`, textContent: name });
  const list = make("ul", {}, ...items.map(({ item }) => item));
  return { items, group: make("section", {}, make("h2", {}, heading), list) };
});
byId("index").append(...groups.map(({ group }) => group));

const search = byId("search");
function filter() {
  const words = wordsIn(search.value);
  for (const { said, item } of entries) item.hidden = !words.every((word) => said.includes(word));
  for (const { items, group } of groups) group.hidden = items.every(({ item }) => item.hidden);
  const found = entries.filter(({ item }) => !item.hidden).length;
  byId("found").textContent = words.length === 0 ? "" : `${found} of ${entries.length} operations`;
}
search.addEventListener("input", filter);
// The document may come after the first words were typed.
filter();
search.addEventListener("keydown", (event) => {
  if (event.key === "Enter") entries.find(({ item }) => !item.hidden)?.link.click();
});

// Conventions, and each header once

const inline = (text) =>
  text.split(/(\*\*.+?\*\*|`.+?`)/s).map((part) => {
    if (part.startsWith("**")) return make("strong", {}, ...inline(part.slice(2, -2)));
    return part.startsWith("`") ? make("code", { textContent: part.slice(1, -1) }) : part;
  });
byId("description").append(...whole.info.description.split("\n\n").map((text) => make("p", {}, ...inline(text))));

const resolve = (part) => (part.$ref ? part.$ref.split("/").slice(1).reduce((at, name) => at[name], whole) : part);
const headers = new Map(
  operations
    .flatMap(({ operation }) => Object.values(operation.responses))
    .flatMap((response) => Object.entries(resolve(response).headers ?? {}))
    .map(([name, header]) => [name, resolve(header).description]),
);
for (const [name, words] of headers) {
  byId("headers").append(make("dt", {}, make("code", { textContent: name })), make("dd", {}, ...inline(words)));
}

// What is shown

/** Names an answer's headers: what they say stands in one place. */
const namesOfHeaders = () => ({
  wrapComponents: {
    headers:
      (_, { React }) =>
      ({ headers }) => {
        const names = headers?.keySeq().toArray() ?? [];
        if (names.length === 0) return null;
        const link = React.createElement("a", { href: "#/conventions" }, "Headers");
        return React.createElement("p", { className: "header-names" }, link, `: ${names.join(", ")}`);
      },
  },
});

/** The part of a document's paths that has these operations. */
function pathsOf(paths, shown) {
  const part = {};
  for (const { path, method, operation } of shown) {
    if (paths[path]?.[method] === operation) part[path] = { ...part[path], [method]: operation };
  }
  return part;
}

/** The components that a part of the document refers to, and those that these refer to in turn. */
function componentsOf(part, components = { securitySchemes: whole.components.securitySchemes }) {
  for (const [, kind, name] of JSON.stringify(part).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
    if (components[kind]?.[name]) continue;
    components[kind] = { ...components[kind], [name]: whole.components[kind][name] };
    componentsOf(whole.components[kind][name], components);
  }
  return components;
}

function draw(shown, isOne) {
  const domNode = make("div", { className: isOne ? "one" : "" });
  byId("viewer").replaceChildren(domNode);
  const names = new Set(shown.map(({ tag }) => tag));
  const paths = pathsOf(whole.paths, shown);
  const webhooks = pathsOf(whole.webhooks, shown);
  SwaggerUIBundle({
    domNode,
    spec: {
      ...whole,
      tags: whole.tags.filter(({ name }) => names.has(name)),
      paths,
      webhooks,
      components: componentsOf([paths, webhooks]),
    },
    plugins: [namesOfHeaders],
    docExpansion: isOne ? "full" : "list",
    defaultModelsExpandDepth: -1,
    defaultModelRendering: "example",
    displayRequestDuration: true,
    syntaxHighlight: { theme: "tomorrow-night" },
    requestInterceptor: withKey,
    // Nothing is asked of another host.
    validatorUrl: null,
  });
}

function show() {
  const [place = "", id] = location.hash.slice(2).split("/").map(decodeURIComponent);
  const chosen = operations.filter(({ tag, id: name }) => tag === place && (id === undefined || name === id));
  const isReference = chosen.length > 0;
  byId("quickstart").hidden = isReference || place === "conventions";
  byId("conventions").hidden = place !== "conventions";
  byId("reference").hidden = !isReference;
  if (isReference) draw(chosen, id !== undefined);
  const current = `#/${location.hash.slice(2)}`;
  for (const link of byId("menu").querySelectorAll("a")) {
    if (link.getAttribute("href") === current) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const [title] = id === undefined ? [place] : chosen.map(({ summary }) => summary);
  byId("title").textContent = title ?? "";
  byId("about").textContent = (id === undefined && tags.find(({ name }) => name === place)?.description) || "";
  document.title = `${isReference ? title : "API reference"} · Storefront`;
  byId("menu").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  scrollTo(0, 0);
}

// What scrolls is reached by the keyboard too, and what is typed or chosen has a name.
new MutationObserver(() => {
  for (const code of byId("viewer").querySelectorAll("pre:not([tabindex])")) code.tabIndex = 0;
  for (const field of byId("viewer").querySelectorAll("tr[data-param-name] :is(input, select):not([aria-label])")) {
    field.ariaLabel = field.closest("tr").dataset.paramName;
  }
}).observe(byId("viewer"), { childList: true, subtree: true });

addEventListener("hashchange", () => {
  if (byId("menu").matches(":popover-open")) byId("menu").hidePopover();
  show();
});
show();

for (const code of document.querySelectorAll("#quickstart code")) {
  code.textContent = code.textContent.replaceAll("{origin}", location.origin);
}
