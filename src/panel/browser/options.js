// Shows the values of a product's option as chips that can be renamed, moved and removed. The form still contains them
// as text, which is the only control without script: with commas between them, or on separate lines if a value contains
// a comma.

import { announce, button, make } from "./panel.js";

const MOVING = "Drag it to move it, or press Alt with an arrow key";

export function editValues(text) {
  const box = make("div", { className: "actions chips" });
  const entry = make("input", { id: text.id, placeholder: "Add a value", autocomplete: "off" });
  let dragged = null;

  const fields = () => [...box.querySelectorAll(".chip input")];
  const has = (value) => fields().some((field) => field.value.trim().toLowerCase() === value.toLowerCase());

  function save() {
    const values = fields()
      .map((field) => field.value.trim())
      .filter(Boolean);
    const lines = values.some((value) => value.includes(","));
    text.value = lines ? values.map((value) => `${value}\n`).join("") : values.join(", ");
    text.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function chip(value) {
    const field = make("input", {
      value,
      defaultValue: value,
      size: Math.max(value.length, 1),
      ariaLabel: `Value ${value}`,
    });
    const away = button("×", () => remove(item));
    away.ariaLabel = `Remove ${value}`;
    const item = make("span", { className: "chip", draggable: true, title: MOVING }, field, away);
    field.oninput = () => {
      field.size = Math.max(field.value.length, 1);
      save();
    };
    field.onchange = () => field.value.trim() || remove(item);
    field.onkeydown = (event) => {
      const other = { ArrowLeft: item.previousElementSibling, ArrowRight: item.nextElementSibling }[event.key];
      if (event.key === "Enter") entry.focus();
      else if (event.altKey && other?.matches(".chip"))
        move(item, other, event.key === "ArrowLeft" ? "before" : "after", field);
      else return;
      event.preventDefault();
    };
    item.ondragstart = () => {
      dragged = item;
    };
    item.ondragend = () => {
      dragged = null;
      save();
    };
    item.ondragover = (event) => {
      if (!dragged || dragged === item) return;
      event.preventDefault();
      const { left, width } = item.getBoundingClientRect();
      item[event.clientX < left + width / 2 ? "before" : "after"](dragged);
    };
    return item;
  }

  function move(item, other, where, field) {
    other[where](item);
    field.focus();
    save();
    announce(`Value ${fields().indexOf(field) + 1} of ${fields().length}`);
  }

  function remove(item) {
    announce(`${item.querySelector("input").value} was removed`);
    item.remove();
    save();
    entry.focus();
  }

  function add(typed) {
    for (const value of typed.split(",").map((each) => each.trim())) {
      if (value && !has(value)) entry.before(chip(value));
    }
    entry.value = "";
    save();
  }

  entry.onkeydown = (event) => {
    const last = fields().at(-1);
    if (event.key === "Enter") {
      event.preventDefault();
      add(entry.value);
    } else if (event.key === "Backspace" && !entry.value && last) {
      event.preventDefault();
      remove(last.parentElement);
    }
  };
  entry.oninput = () => {
    if (entry.value.includes(",")) add(entry.value);
  };
  entry.onblur = () => entry.value.trim() && add(entry.value);
  box.onclick = ({ target }) => target === box && entry.focus();

  const shown = text.value.split(text.value.includes("\n") ? "\n" : ",").map((value) => value.trim());
  text.removeAttribute("id");
  text.hidden = true;
  box.append(...shown.filter(Boolean).map(chip), entry);
  text.before(box);
}
