// Script of the reference: search, copy buttons, the saved language, code colours, and sending calls.

import { addressOf, headersOf, languages, ORIGIN } from "../code.ts";

const byId = (id) => document.getElementById(id);
const all = (selector, from = document) => from.querySelectorAll(selector);

function make(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

const button = (textContent, onclick, className = "") =>
  make("button", { type: "button", textContent, onclick, className });

// The key, stored until this tab is closed

const CREDENTIAL = "credential";
const key = byId("key");
key.closest("label").hidden = false;
key.value = sessionStorage.getItem(CREDENTIAL) ?? "";
key.addEventListener("input", () => {
  if (key.value.trim()) sessionStorage.setItem(CREDENTIAL, key.value.trim());
  else sessionStorage.removeItem(CREDENTIAL);
});

// The menu

const menu = byId("menu");
const search = byId("search");
search.hidden = false;

const entries = Array.from(all("details li:not(.whole)", menu), (item) => {
  const link = item.querySelector("a");
  const id = link.hash.slice(1);
  return { item, link, id, said: `${link.textContent} ${link.title} ${id}`.toLowerCase() };
});
const branches = Array.from(all("details", menu), (branch) => ({ branch, wasOpen: branch.open }));

function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const { item, said } of entries) item.hidden = !words.every((word) => said.includes(word));
  for (const { branch, wasOpen } of branches) {
    branch.hidden = words.length > 0 && !branch.querySelector("li:not(.whole, [hidden])");
    branch.open = words.length > 0 ? !branch.hidden : wasOpen;
  }
  menu.classList.toggle("searching", words.length > 0);
  const found = entries.filter(({ item }) => !item.hidden).length;
  byId("found").textContent = words.length === 0 ? "" : `${found} of ${entries.length} operations`;
}
search.addEventListener("input", filter);
search.addEventListener("keydown", (event) => {
  if (event.key === "Enter") entries.find(({ item }) => !item.hidden)?.link.click();
});
addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.closest("input, textarea, select")) return;
  event.preventDefault();
  if (getComputedStyle(menu).display === "none") menu.showPopover();
  search.focus();
});

menu.addEventListener("toggle", ({ newState }) => {
  if (newState === "open") search.focus();
});

/** Opens the page of an operation that another page was asked for, such as /docs#createOrder. */
function openPlace() {
  const wanted = decodeURIComponent(location.hash.slice(1));
  const found = wanted && !byId(wanted) && entries.find(({ id }) => id === wanted);
  if (found) location.replace(found.link.href);
}

function markPlace() {
  for (const { link, id } of entries) {
    const isHere = link.pathname === location.pathname && id === decodeURIComponent(location.hash.slice(1));
    if (isHere) link.setAttribute("aria-current", "location");
    else link.removeAttribute("aria-current");
  }
  if (menu.matches(":popover-open")) menu.hidePopover();
}
addEventListener("hashchange", markPlace);
addEventListener("hashchange", openPlace);
markPlace();
openPlace();
menu.querySelector("[aria-current=location], [aria-current]")?.scrollIntoView({ block: "nearest" });

// The saved language

const LANGUAGE = "language";
function choose(language) {
  for (const input of all(`.tabs input[value="${CSS.escape(language)}"]`)) input.checked = true;
}
choose(localStorage.getItem(LANGUAGE) ?? "curl");
addEventListener("change", ({ target }) => {
  if (!target.matches(".tabs input[type=radio]")) return;
  const top = target.getBoundingClientRect().top;
  localStorage.setItem(LANGUAGE, target.value);
  choose(target.value);
  // The code above may now be shorter or longer, so the chosen tab is scrolled back to its place.
  scrollBy(0, target.getBoundingClientRect().top - top);
});

// Copy buttons

async function copy({ currentTarget }) {
  const blocks = Array.from(all("pre", currentTarget.closest(".code, .tabs")));
  const shown = blocks.find((block) => block.checkVisibility());
  await navigator.clipboard.writeText(shown.textContent);
  currentTarget.textContent = "Copied";
  setTimeout(() => {
    currentTarget.textContent = "Copy";
  }, 2000);
}

const copies = (head) => head.append(button("Copy", copy, "copy"));
for (const head of all(".tabs > fieldset, figure.code > figcaption")) copies(head);

// Code colours

const TOKENS =
  /(?<string>"(?:[^"\\\n]|\\.)*"|'[^']*'|`[^`]*`)(?<key>\s*:)?|(?<comment>\/\/.*| # .*)|(?<number>\b\d[\d.]*\b)|(?<word>\b(?:async|await|const|export|from|function|if|import|new|null|return|true|false|curl|None|True|False)\b)/g;
const colours = Object.fromEntries(
  ["string", "key", "comment", "number", "word"].map((name) => [name, new Highlight()]),
);
for (const [name, colour] of Object.entries(colours)) CSS.highlights.set(name, colour);

function paint(code) {
  const text = code.firstChild;
  if (!text) return;
  for (const { index, groups, 0: match } of code.textContent.matchAll(TOKENS)) {
    const kind = groups.key ? "key" : Object.keys(colours).find((name) => groups[name] !== undefined);
    const range = new StaticRange({
      startContainer: text,
      startOffset: index,
      endContainer: text,
      endOffset: index + match.length,
    });
    colours[kind].add(range);
  }
}
const seen = new IntersectionObserver(
  (changes) => {
    for (const { target, isIntersecting } of changes) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      paint(target.querySelector("code"));
    }
  },
  { rootMargin: "400px" },
);
for (const block of all("pre")) seen.observe(block);

function write(block, text) {
  block.querySelector("code").textContent = text;
  paint(block.querySelector("code"));
}

// Sending a call

for (const section of all("[data-call]")) {
  const tabs = section.querySelector(".tabs");
  const open = button("Try it", () => tryOut(section, open), "try");
  tabs.querySelector("fieldset").append(open);
}

function tryOut(section, open) {
  const call = JSON.parse(section.dataset.call);
  const tabs = section.querySelector(".tabs");
  const id = (name) => `${section.id}-${name}`;
  const field = (name, label, control) =>
    make("p", {}, make("label", { htmlFor: id(name), textContent: label }), Object.assign(control, { id: id(name) }));

  const inputs = call.inputs.map((input) => {
    const control = input.choices ? make("select", {}) : make("input", { type: input.isFile ? "file" : "text" });
    if (input.choices) control.append(...["", ...input.choices].map((choice) => new Option(choice)));
    if (!input.isFile) control.value = input.value ?? "";
    control.required = input.required;
    control.autocomplete = "off";
    control.oninput = () => {
      if (!input.isFile) input.value = control.value === "" ? undefined : control.value;
      update();
    };
    return { input, control, row: field(input.name, input.name, control) };
  });
  const body = call.body === null ? null : make("textarea", { rows: 8, spellcheck: false });
  if (body) {
    body.value = JSON.stringify(JSON.parse(call.body), null, 2);
    body.oninput = () => {
      call.body = body.value;
      update();
    };
  }
  const file = call.sendsFile ? make("input", { type: "file", required: true }) : null;

  function update() {
    for (const [language, { write: codeOf }] of Object.entries(languages)) {
      write(tabs.querySelector(`[data-language=${language}]`), codeOf(call).replaceAll(ORIGIN, location.origin));
    }
  }

  const result = make("div", { className: "result", role: "status" });
  const send = make("button", { textContent: "Send", className: "primary" });
  const close = button("Close", () => {
    form.remove();
    open.hidden = false;
    open.focus();
  });
  const form = make(
    "form",
    { className: "trying", ariaLabel: "Try it" },
    ...inputs.map(({ row }) => row),
    ...(body ? [field("body", "Body", body)] : []),
    ...(file ? [field("file", "File", file)] : []),
    make("p", { className: "buttons" }, send, close),
    make("p", {
      className: "type",
      textContent: call.method === "get" ? "" : "This changes the real data of this shop.",
    }),
    result,
  );
  form.onsubmit = async (event) => {
    event.preventDefault();
    send.disabled = true;
    result.replaceChildren("Sending…");
    const chosen = inputs.filter(({ input }) => input.in === "form");
    await answer(result, call, content(chosen, body, file));
    send.disabled = false;
  };
  open.hidden = true;
  tabs.after(form);
  form.querySelector("input, textarea, button").focus();
}

/** Content of a call: a form, a file or JSON. */
function content(fields, body, file) {
  if (body) return body.value;
  if (file) return file.files[0];
  if (fields.length === 0) return undefined;
  const form = new FormData();
  for (const { input, control } of fields) {
    if (input.isFile && control.files[0]) form.append(input.name, control.files[0]);
    else if (!input.isFile && input.value !== undefined) form.append(input.name, input.value);
  }
  return form;
}

async function answer(result, call, body) {
  const credential = key.value.trim();
  const headers = {
    ...(credential && { Authorization: `Bearer ${credential}` }),
    ...(call.body !== null && { "Content-Type": "application/json" }),
    ...(call.sendsFile && { "Content-Type": "application/octet-stream" }),
    ...(call.idempotent && { "Idempotency-Key": crypto.randomUUID() }),
    ...headersOf(call),
  };
  const started = performance.now();
  try {
    const response = await fetch(addressOf(call), { method: call.method.toUpperCase(), headers, body });
    const blob = await response.blob();
    const took = `${Math.round(performance.now() - started)} ms`;
    const isText = /json|text|csv/.test(blob.type);
    const text = isText ? pretty(await blob.text()) : `${blob.size} bytes of ${blob.type || "no content"}`;
    const status = make("span", { className: response.ok ? "status" : "status bad", textContent: response.status });
    const caption = make("figcaption", {}, make("span", {}, status, ` ${response.statusText} in ${took}`));
    const block = make("pre", { tabIndex: 0 }, make("code", { textContent: text }));
    copies(caption);
    const lines = Array.from(response.headers, ([name, value]) => `${name}: ${value}`).join("\n");
    const details = make(
      "details",
      {},
      make("summary", { textContent: "Headers" }),
      make("pre", { tabIndex: 0, textContent: lines }),
    );
    result.replaceChildren(make("figure", { className: "code" }, caption, block), details);
    paint(block.querySelector("code"));
  } catch (error) {
    result.replaceChildren(`The request failed: ${error.message}`);
  }
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
