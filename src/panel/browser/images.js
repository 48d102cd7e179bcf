// Shows the images of a product as a list that uploads, describes and sorts them. The form still contains them as lines
// of text, which are the only control without script: each has a URL, a space and a description.

import { announce, button, make } from "./panel.js";

const MAX_BYTES = 10_000_000;
const TYPES = "image/png,image/jpeg,image/webp,image/avif,image/gif";

/** A small version of an uploaded image. */
const small = (url) => url.replace(/\/images\/[0-9a-f]{64}\.\w+$/, "$&?width=160");

export function editImages(part) {
  const text = part.querySelector("textarea");
  const list = make("ol", { className: "images" });
  const refusals = make("div", { role: "alert" });
  const chooser = make("input", { type: "file", multiple: true, accept: TYPES, id: text.id });
  const address = make("input", {
    type: "url",
    placeholder: "https://… an image elsewhere",
    ariaLabel: "Address of an image",
  });
  let dragged = null;

  const add = (url, alt) => list.append(row(url, alt));

  function row(url, alt = "") {
    const picture = make("img", {
      className: "thumbnail",
      src: small(url),
      alt: "",
      width: 64,
      height: 64,
      draggable: true,
    });
    const words = make("input", { defaultValue: alt, placeholder: "What it shows", oninput: save });
    words.dataset.maxlength = 300;
    const up = button("↑", () => move(item, item.previousElementSibling, "before", up));
    const down = button("↓", () => move(item, item.nextElementSibling, "after", down));
    const away = button("×", () => {
      (item.nextElementSibling ?? item.previousElementSibling ?? part).querySelector("input").focus();
      item.remove();
      save();
      announce("Removed");
    });
    const controls = make("div", { className: "actions" }, words, up, down, away);
    const item = make("li", { url, words, up, down, away }, picture, controls);
    picture.ondragstart = ({ dataTransfer }) => {
      dragged = item;
      dataTransfer.setDragImage(item, 30, 30);
    };
    picture.ondragend = () => {
      dragged = null;
      save();
    };
    item.ondragover = (event) => {
      if (!dragged || dragged === item) return;
      event.preventDefault();
      const { top, height } = item.getBoundingClientRect();
      item[event.clientY < top + height / 2 ? "before" : "after"](dragged);
    };
    return item;
  }

  function move(item, other, where, pressed) {
    if (!other) return;
    other[where](item);
    save();
    pressed.focus();
    announce(`Image ${[...list.children].indexOf(item) + 1} of ${list.children.length}`);
  }

  /** Writes the list into its lines, and names its parts by position. */
  function save() {
    const rows = [...list.children].filter(({ url }) => url);
    rows.forEach(({ words, up, down, away }, index) => {
      const name = `image ${index + 1}`;
      words.ariaLabel = `What ${name} shows`;
      up.ariaLabel = `Move ${name} up`;
      down.ariaLabel = `Move ${name} down`;
      away.ariaLabel = `Remove ${name}`;
    });
    text.value = rows.map(({ url, words }) => `${url} ${words.value}`.trim()).join("\n");
    chooser.setCustomValidity(list.querySelector("progress") ? "Wait until the images are uploaded." : "");
    text.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function upload(file) {
    const bar = make("progress", { max: file.size, value: 0, ariaLabel: `Upload of ${file.name}` });
    const item = make("li", {}, bar);
    list.append(item);
    const refuse = (words) => {
      item.remove();
      refusals.append(
        make("p", {}, make("span", { className: "field-errors", textContent: `${file.name}: ${words}` })),
      );
      save();
    };
    if (file.size > MAX_BYTES) return refuse("an image may have up to 10 MB");
    const request = new XMLHttpRequest();
    request.responseType = "json";
    request.upload.onprogress = ({ loaded }) => {
      bar.value = loaded;
    };
    request.onload = () => {
      const { status, response } = request;
      if (status !== 201) return refuse(response?.errors?.file?.join(", ") ?? response?.message ?? "no answer came");
      item.replaceWith(row(response.path));
      save();
      announce(`${file.name} was uploaded`);
    };
    request.onerror = () => refuse("no answer came");
    request.open("POST", part.dataset.images);
    request.setRequestHeader("Accept", "application/json");
    const form = new FormData();
    form.set("file", file);
    request.send(form);
  }

  function uploadAll(files) {
    refusals.replaceChildren();
    for (const file of files) upload(file);
    save();
  }

  chooser.onchange = () => {
    uploadAll(chooser.files);
    chooser.value = "";
  };
  const addAddress = () => {
    if (address.value.trim() && address.reportValidity()) {
      add(address.value.trim());
      address.value = "";
      save();
    }
    address.focus();
  };
  address.onkeydown = (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    addAddress();
  };
  const drop = make(
    "div",
    { className: "drop" },
    chooser,
    make("p", { className: "hint", textContent: "Or drop them here: PNG, JPEG, WebP, AVIF or GIF of up to 10 MB." }),
  );
  const over = (event) => {
    if (![...event.dataTransfer.types].includes("Files")) return;
    event.preventDefault();
    part.classList.toggle("dropping", event.type === "dragover");
    if (event.type === "drop") uploadAll(event.dataTransfer.files);
  };
  part.ondragover = part.ondragleave = part.ondrop = over;

  text.removeAttribute("id");
  text.hidden = true;
  part.querySelector(".thumbnails").remove();
  for (const [, url, alt] of text.value.matchAll(/^\s*(\S+)[^\S\n]*(.*)$/gm)) add(url, alt.trim());
  text.before(list, refusals, drop, make("div", { className: "copy" }, address, button("Add", addAddress)));
  save();
}
