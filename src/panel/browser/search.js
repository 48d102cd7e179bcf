// The search as a dialog over any page: what /admin/search finds, while one types.

import { make, whileTyping } from "./panel.js";

const form = document.querySelector('form[action="/admin/search"]').cloneNode(true);
const input = form.elements.q;
// Escape empties a field of type search, and closes the dialog from any other.
input.type = "text";
input.autocomplete = "off";
const results = make("div");
const dialog = make("dialog", { className: "dialog palette", ariaLabel: "Search" }, form, results);
document.body.append(dialog);

const cancel = whileTyping(input, "/admin/search?q=", (page) => {
  const found = page.querySelector("[data-found]");
  if (found) results.replaceChildren(found);
});

const step = { ArrowDown: 1, ArrowUp: -1 };

dialog.addEventListener("keydown", (event) => {
  const by = step[event.key];
  if (!by) return;
  event.preventDefault();
  const places = [input, ...results.querySelectorAll("li a")];
  // Where one is stays.
  if (places[1]) cancel();
  const next = places.indexOf(document.activeElement) + by;
  places[(next + places.length) % places.length].focus();
});

results.addEventListener("mousedown", cancel);
// A page of the panel takes the place of the one below, and a click beside the dialog closes it.
dialog.addEventListener("submit", () => dialog.close());
dialog.addEventListener("click", (event) => {
  if (event.target === dialog || event.target.closest("a")) dialog.close();
});

export function open() {
  if (dialog.open) return;
  dialog.showModal();
  input.focus();
  input.select();
}
