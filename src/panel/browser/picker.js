// A field that finds records by name, as a combobox with suggestions while typing.

import { announce, make, whileTyping } from "./panel.js";

export function offer(part) {
  const input = part.querySelector("[type=search]");
  const picked = part.querySelector(".picked");
  const isMany = part.dataset.many !== undefined;
  const list = make("div", { id: `${input.id}-offers`, className: "offers", role: "listbox", ariaLabel: "Found" });
  input.after(list);
  Object.assign(input, { role: "combobox", ariaAutoComplete: "list" });
  input.setAttribute("aria-controls", list.id);

  function activate(option) {
    for (const each of list.children) each.ariaSelected = String(each === option);
    option?.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", option?.id ?? "");
  }

  function show(isOpen) {
    cancel();
    list.hidden = !isOpen;
    input.ariaExpanded = String(isOpen);
    activate(null);
  }

  const cancel = whileTyping(input, `${part.dataset.picker}&q=`, ({ body }) => {
    list.replaceChildren(...body.children);
    for (const [place, option] of [...list.children].entries()) {
      Object.assign(option, { role: "option", id: `${list.id}-${place}` });
    }
    const found = list.children.length;
    show(found > 0);
    if (input.value) announce(found === 1 ? "1 found" : `${found || "Nothing"} found`);
  });

  /** Shows a chosen entry above the field as a ticked box. */
  function choose({ dataset: { value }, childNodes }) {
    const box = make("input", { type: "checkbox", name: input.name.replace("find.", ""), value, checked: true });
    box.id = `${input.id}-${value}`;
    const chip = make("label", { className: "chip" }, box, ...childNodes);
    for (const other of picked.querySelectorAll("input")) {
      if (!isMany || other.value === value) other.parentNode.remove();
    }
    picked.append(chip);
    input.value = "";
    show(false);
    (isMany ? input : box).focus();
    announce(`${chip.textContent} chosen`);
    box.dispatchEvent(new Event("change", { bubbles: true }));
  }

  input.addEventListener("keydown", (event) => {
    // Typed text is not a choice yet.
    if (isMany && input.value && event.key === "Enter") event.preventDefault();
    if (list.hidden) return;
    const options = [...list.children];
    const at = options.findIndex(({ ariaSelected }) => ariaSelected === "true");
    const next = { ArrowDown: at + 1, ArrowUp: at < 0 ? -1 : at - 1 }[event.key];
    if (next !== undefined) activate(options.at(next % options.length));
    else if (event.key === "Enter" && at >= 0) choose(options[at]);
    else if (event.key === "Escape") show(false);
    else return;
    event.preventDefault();
  });
  input.addEventListener("blur", () => show(false));
  list.addEventListener("mousedown", (event) => {
    // Keeps the focus in the field, and the pressed entry in its place.
    event.preventDefault();
    cancel();
  });
  list.addEventListener("click", ({ target }) => {
    const option = target.closest("[role=option]");
    if (option) choose(option);
  });
  show(false);
  // Text was typed before this script was loaded.
  if (document.activeElement === input) input.dispatchEvent(new Event("input"));
}
