// Swaps the panel's pages instead of loading them. Every page works without this script, and unexpected responses are
// left to the browser.

export function make(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

export const button = (textContent, onclick) =>
  make("button", { type: "button", className: "button quiet", textContent, onclick });

const announcer = make("div", { className: "unseen", ariaLive: "polite" });
document.body.append(announcer);

/** Announces a change to screen readers. */
export function announce(words) {
  announcer.textContent = words;
  setTimeout(() => {
    if (announcer.textContent === words) announcer.textContent = "";
  }, 3000);
}

const main = () => document.querySelector("main");
const all = (selector) => document.querySelectorAll(selector);
const addressOf = ({ pathname, search }) => pathname + search;

/** Links and forms of the panel's own pages, unless they require normal browser navigation. */
const isOurs = (url, element) =>
  url.origin === location.origin && /^\/admin(\/|$)/.test(url.pathname) && !element.closest("[data-plain], [target]");

// Pages

let shown = addressOf(location);
let latest = 0;

async function fetchPage(url, options = {}) {
  main().ariaBusy = "true";
  const response = await fetch(url, { credentials: "same-origin", ...options });
  if (!response.headers.get("Content-Type")?.startsWith("text/html")) throw new Error("not a page");
  return { url: new URL(response.url), redirected: response.redirected, html: await response.text() };
}

/** Shows a fetched page. The URL becomes the page's, except after a refused form, which has none. */
export function show({ url, redirected, html }, { push = true, posted = false, scroll = 0, keepFocus = false } = {}) {
  const next = new DOMParser().parseFromString(html, "text/html");
  if (!next.querySelector("main")) throw new Error("not a page of ours");
  const preview = keepFocus && main().querySelector("[data-preview]");
  if (preview) {
    main().ariaBusy = null;
    return preview.replaceChildren(...next.querySelector("[data-preview]").childNodes);
  }
  const { id: focused, value } = keepFocus ? document.activeElement : {};
  const opened = keepFocus ? [...all("form details")].map(({ open }) => open) : [];
  if (push && (!posted || redirected)) {
    const how = addressOf(url) === shown ? "replaceState" : "pushState";
    if (how === "pushState") history.replaceState({ scroll: scrollY }, "");
    history[how]({}, "", url);
    shown = addressOf(url);
  }
  document.title = next.title;
  swap(next);
  all("form details").forEach((details, index) => {
    details.open ||= opened[index];
  });
  scrollTo(0, keepFocus ? scrollY : scroll);
  begin();
  const notice = main().querySelector(".notice.error") ?? main().querySelector(".notice");
  if (notice) notice.tabIndex = -1;
  const target = document.getElementById(focused) ?? notice ?? main().querySelector("[autofocus]") ?? main();
  target.focus({ preventScroll: target !== notice });
  // Typed while the page was fetched.
  if (focused && target.id === focused) target.value = value;
  if (target === main()) announce(next.title);
}

function swap(next) {
  if (next.body.className !== document.body.className) {
    document.body.className = next.body.className;
    document.body.replaceChildren(...next.body.childNodes, announcer);
    return;
  }
  // The menu is kept, but its shop name and time zone are updated.
  for (const part of ["main", ".foot .hint", ".bar .brand", ".side .brand"]) {
    document.querySelector(part)?.replaceWith(next.querySelector(part) ?? "");
  }
  for (const link of all("#menu a")) {
    link.ariaCurrent = next.querySelector(`#menu a[href="${link.getAttribute("href")}"]`)?.ariaCurrent ?? null;
  }
  const menu = document.getElementById("menu");
  if (menu?.matches(":popover-open")) menu.hidePopover();
}

/** Opens a page. Only the last of several clicks counts. */
export async function visit(url, options) {
  const turn = ++latest;
  try {
    const page = await fetchPage(url);
    if (turn !== latest) return;
    page.url.hash = url.hash;
    show(page, options);
    if (url.hash) document.getElementById(url.hash.slice(1))?.scrollIntoView();
  } catch {
    if (turn !== latest) return;
    leaving = true;
    location.assign(url);
    // A download leaves the page unchanged.
    main().ariaBusy = null;
  }
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link.hasAttribute("download")) return;
  const url = new URL(link.href);
  if (!isOurs(url, link) || (url.hash && addressOf(url) === shown)) return;
  event.preventDefault();
  if (link.hasAttribute("data-discard") || mayLeave()) visit(url);
});

addEventListener("popstate", (event) => {
  if (addressOf(location) === shown) return;
  if (!mayLeave()) return history.pushState({}, "", shown);
  shown = addressOf(location);
  visit(new URL(location.href), { push: false, scroll: event.state?.scroll ?? 0 });
});

// Unsaved changes

let leaving = false;

const isChanged = (field) => {
  // Selecting rows does not count as an unsaved change.
  if (field.name === "ids" || field.matches("[data-select-page]")) return false;
  if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
  if (field.type === "file") return field.files.length > 0;
  if (field.tagName !== "SELECT") return "defaultValue" in field && field.value !== field.defaultValue;
  const first = [...field.options].findIndex(({ defaultSelected }) => defaultSelected);
  return field.selectedIndex !== Math.max(first, 0);
};

/** A refused form contains unsaved input from the start. */
const isUnsaved = (form) => form.hasAttribute("data-unsaved") || [...form.elements].some(isChanged);

const unsaved = () => [...main().querySelectorAll('form[method="post"]:not([data-plain])')].filter(isUnsaved);

/** Asks before unsaved changes are lost, except those of the form being submitted. */
function mayLeave(sent) {
  const lost = unsaved().filter((form) => form !== sent);
  return lost.length === 0 || confirm("What you typed was not saved. Leave it and go on?");
}

addEventListener("beforeunload", (event) => {
  if (!leaving && unsaved().length > 0) event.preventDefault();
  leaving = false;
});

// Fields while they are filled in

document.addEventListener("input", ({ target }) => {
  const { form, name, value } = target;
  if (!form) return;
  form.toggleAttribute("data-changed", isUnsaved(form));
  if (name.endsWith(".on_hand")) form.toggleAttribute("data-restocked", [...form.elements].some(isRecount));
  count(target);
  const { manage_stock: managed, stock_quantity: stock } = form.elements;
  if (managed && target === stock && value.trim()) managed.checked = true;
  if (target === managed && stock && !managed.checked) stock.value = "";
  const downloads = form.querySelector("details:has([data-files])");
  if (downloads && name === "type" && value === "digital") downloads.open = true;
});

/** Changing a count requires a reason, and so may changing several rows. */
const isRecount = ({ name, value, defaultValue }) =>
  name?.endsWith(".on_hand") && value !== defaultValue && (defaultValue || name.startsWith("set."));

/** Shows a character count once a text is close to its limit. */
function count(field) {
  const most = Number(field.dataset.maxlength);
  if (!most) return;
  const { length } = field.value.trim();
  const isOver = length > most;
  const said = field.nextElementSibling?.matches(".counter") ? field.nextElementSibling : make("span");
  said.className = `counter ${isOver ? "field-errors" : "hint"}`;
  said.textContent = `${length.toLocaleString("en")} of ${most.toLocaleString("en")} characters`;
  if (isOver && !field.ariaInvalid) announce(`At most ${most} characters`);
  if (length > most * 0.9) field.after(said);
  else said.remove();
}

// Forms

document.addEventListener("submit", (event) => {
  const form = event.target;
  const button = event.submitter;
  const attribute = (name) => button?.getAttribute(`form${name}`) ?? form.getAttribute(name) ?? "";
  const url = new URL(attribute("action"), location.href);
  if (event.defaultPrevented || !isOurs(url, form)) return;
  event.preventDefault();
  if (form.dataset.upload !== undefined) return import("./upload.js").then(({ upload }) => upload(form, button));
  const data = new FormData(form, button);
  if (attribute("method").toLowerCase() !== "post") return narrow(url, data, form);
  if (form.ariaBusy || !mayLeave(form)) return;
  form.ariaBusy = "true";
  post(url, data).catch(() => {
    form.ariaBusy = null;
    main().ariaBusy = null;
    warn(form, "No answer came. Look whether it was done before you send it again.");
  });
});

/** URL of a GET form, without its empty fields. */
function narrow(url, data, form) {
  const asked = [...data].filter(([, value]) => value !== "");
  url.search = new URLSearchParams(asked).toString();
  visit(url, { keepFocus: form.contains(document.activeElement) });
}

async function post(url, data, keepFocus) {
  const turn = ++latest;
  const page = await fetchPage(url, { method: "POST", body: new URLSearchParams(data) });
  if (turn === latest) show(page, { posted: true, keepFocus });
}

export function warn(form, words) {
  form.querySelector(".notice.error")?.remove();
  form.prepend(make("div", { className: "notice error", role: "alert", textContent: words }));
}

document.addEventListener("change", ({ target }) => {
  const part = target.closest?.("[data-files]");
  if (part) import("./files.js").then(({ uploadFiles }) => uploadFiles(part, target));
});

document.addEventListener("change", ({ target }) => {
  // A date changes with each digit of its year.
  if (target.type === "date" && target.value && target.value < "1970") return;
  target.closest?.("form[data-auto]")?.requestSubmit();
});

/** Calculates an order, or previews a form, again soon after a change. */
document.addEventListener("change", async ({ target: { form, name } }) => {
  const button = form?.querySelector("[data-calculates]");
  if (!button || name.startsWith("find.")) return;
  const turn = ++latest;
  // A pressed button sends the form itself.
  await new Promise((soon) => setTimeout(soon, 300));
  if (turn !== latest) return;
  await post(form.action, new FormData(form, button), true).catch(() => {
    main().ariaBusy = null;
  });
});

/** The first checkbox of a group stands for all of them. */
document.addEventListener("change", ({ target }) => {
  for (let group = target.closest?.("[data-ticks]"); group; group = group.parentElement.closest("[data-ticks]")) {
    const [whole, ...parts] = group.querySelectorAll("input");
    if (target === whole) for (const part of parts) part.checked = whole.checked;
    else if (!target.checked) whole.checked = false;
  }
});

// Preview of a refund's amount

let previews = 0;

document.addEventListener("input", async ({ target: { form } }) => {
  const sum = form?.querySelector("[data-refund]");
  if (!sum) return;
  const turn = ++previews;
  const button = form.querySelector(".actions .danger");
  button.textContent = "Refund now";
  await new Promise((soon) => setTimeout(soon, 150));
  if (turn !== previews) return;
  const body = new URLSearchParams(new FormData(form));
  body.set("preview", "true");
  const headers = { Accept: "application/json" };
  const response = await fetch(form.action, { method: "POST", headers, body }).catch(() => {});
  // A signed-out user notices on the next page.
  if (turn !== previews || !response || response.status === 401) return;
  const told = response.ok ? await response.json() : {};
  sum.hidden = false;
  sum.textContent = told.sum ?? "This amount cannot be refunded. Check your entries";
  button.textContent = told.action ?? button.textContent;
});

/**
 * Requests a URL that ends with the typed text, after a pause, and returns a function to cancel it. Only the last
 * response is used.
 */
export function whileTyping(input, address, show) {
  let turn = 0;
  let timer;
  function cancel() {
    clearTimeout(timer);
    return ++turn;
  }
  input.addEventListener("input", () => {
    const mine = cancel();
    timer = setTimeout(async () => {
      // The next letter requests again.
      const response = await fetch(address + encodeURIComponent(input.value)).catch(() => {});
      if (!response?.ok || response.redirected) return;
      const html = await response.text();
      if (mine === turn) show(new DOMParser().parseFromString(html, "text/html"));
    }, 150);
  });
  return cancel;
}

// The search, as a dialog

document.addEventListener("keydown", (event) => {
  const isSlash = event.key === "/" && !event.target.closest?.("input, textarea, select, [contenteditable]");
  const isShortcut = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey;
  const form = document.querySelector('form[action="/admin/search"]');
  if (!(isSlash || isShortcut) || !form) return;
  event.preventDefault();
  openSearch(document.querySelector(".palette") ?? paletteWith(form.cloneNode(true)));
});

/** The field gets the focus at once, so that letters typed while its script loads are kept. */
function openSearch(dialog) {
  if (dialog.open) return;
  dialog.showModal();
  dialog.querySelector("input").select();
}

function paletteWith(form) {
  const dialog = make("dialog", { className: "dialog palette", ariaLabel: "Search" }, form, make("div"));
  // Escape clears a search field, and closes the dialog from any other field.
  Object.assign(form.elements.q, { type: "text", autocomplete: "off" });
  // A page of the panel replaces the one below.
  dialog.addEventListener("submit", () => dialog.close());
  document.body.append(dialog);
  import("./search.js").then(({ searchIn }) => searchIn(dialog));
  return dialog;
}

/** Keeps the focus in an open dialog: after its last button comes its first field. */
document.addEventListener("focusin", ({ target }) => {
  const dialog = document.querySelector(".dialog:popover-open");
  if (dialog && !dialog.contains(target)) {
    dialog.querySelector("input:not([type=hidden]), select, textarea, [tabindex], button").focus();
  }
});

// Selected rows

let lastBox = null;

/** Selects the rows between two, and shows the number of selected rows. */
document.addEventListener("click", (event) => {
  const form = event.target.closest?.(".selection");
  if (!form || event.target.type !== "checkbox") return;
  const boxes = [...form.querySelectorAll("[name=ids]")];
  const { checked } = event.target;
  if (event.target.matches("[data-select-page]")) for (const box of boxes) box.checked = checked;
  const [from, to] = [boxes.indexOf(lastBox), boxes.indexOf(event.target)].toSorted((a, b) => a - b);
  if (event.shiftKey && from >= 0) for (const box of boxes.slice(from, to + 1)) box.checked = checked;
  if (event.target.name === "ids") lastBox = event.target;
  const count = boxes.filter((box) => box.checked).length;
  form.querySelector("[data-selected]").textContent = `${form.elements?.all?.checked ? "All" : count} selected`;
  const page = form.querySelector("[data-select-page]");
  page.checked = count === boxes.length;
  page.indeterminate = count > 0 && count < boxes.length;
});

// Copy buttons

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-copy]");
  const source = button && document.getElementById(button.dataset.copy);
  if (!source) return;
  const words = button.textContent;
  try {
    await navigator.clipboard.writeText(source.value ?? source.textContent);
    button.textContent = "Copied";
  } catch {
    source.select?.();
    button.textContent = "Press Ctrl+C";
  }
  announce(button.textContent);
  setTimeout(() => {
    button.textContent = words;
  }, 2500);
});

// Parts that refresh themselves

async function refresh(part) {
  if (!part.isConnected) return;
  if (!document.hidden && !part.contains(document.activeElement)) {
    try {
      const response = await fetch(part.dataset.src, { credentials: "same-origin" });
      // A signed-out user notices on the next page.
      if (response.redirected) return;
      if (response.ok) replace(part, await response.text());
    } catch {
      // The next attempt may succeed.
    }
  }
  setTimeout(refresh, part.dataset.refresh * 1000, part);
}

function replace(part, html) {
  const opened = [...part.querySelectorAll("details")].map(({ open }) => open);
  const next = new DOMParser().parseFromString(html, "text/html");
  part.replaceChildren(...next.body.childNodes);
  // The message is outdated, because the page now shows the current state.
  if (part.querySelector("[data-over]")) location.reload();
  part.querySelectorAll("details").forEach((details, index) => {
    details.open = opened[index] ?? false;
  });
}

/** Prepares a page after it is shown. */
function begin() {
  for (const part of all("[data-files][hidden], [data-copy][hidden], [data-open][hidden]")) part.hidden = false;
  for (const part of all("[data-images]:has(textarea:enabled:not([hidden]))")) {
    import("./images.js").then(({ editImages }) => editImages(part));
  }
  for (const text of all("[data-option] textarea:enabled:not([hidden])")) {
    import("./options.js").then(({ editValues }) => editValues(text));
  }
  for (const text of all("[data-markdown]")) {
    import("./markdown.js").then(({ editFormatted }) => editFormatted(text));
  }
  for (const part of all("[data-picker]:not(.read-only *)")) {
    import("./picker.js").then(({ offer }) => offer(part));
  }
  for (const part of all("[data-refresh]")) setTimeout(refresh, part.dataset.refresh * 1000, part);
}

begin();
