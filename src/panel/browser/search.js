// The search as a dialog over any page, with results of /admin/search while typing.

import { whileTyping } from "./panel.js";

const step = { ArrowDown: 1, ArrowUp: -1 };

/** Shows results in the dialog, below its form. */
export function searchIn(dialog) {
  const [form, results] = dialog.children;
  const input = form.elements.q;

  const cancel = whileTyping(input, "/admin/search?q=", (page) => {
    const found = page.querySelector("[data-found]");
    if (found) results.replaceChildren(found);
  });

  dialog.addEventListener("keydown", (event) => {
    const by = step[event.key];
    if (!by) return;
    event.preventDefault();
    const places = [input, ...results.querySelectorAll("li a")];
    // The focused result keeps the focus.
    if (places[1]) cancel();
    const next = places.indexOf(document.activeElement) + by;
    places[(next + places.length) % places.length].focus();
  });

  results.addEventListener("mousedown", cancel);
  // A click outside the dialog closes it.
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog || event.target.closest("a")) dialog.close();
  });
  // Text was typed before this script was loaded.
  if (input.value) input.dispatchEvent(new Event("input"));
}
