// Uploads a product's files at the field where they are chosen, and adds them to the product's files as ticked boxes.

import { announce, make } from "./panel.js";
import { announceFile, problemOf, sendAll, wordsOf } from "./upload.js";
import { Progress, Refused } from "./upload-progress.js";

/** Number of unfinished uploads, by their file input. */
const running = new WeakMap();

/** `chooser` is the file input. */
export async function uploadFiles(part, chooser) {
  const files = [...chooser.files];
  chooser.value = "";
  for (const refusal of part.querySelectorAll("[role=alert]")) refusal.remove();
  running.set(chooser, (running.get(chooser) ?? 0) + files.length);
  chooser.setCustomValidity("Wait until the files are uploaded.");
  for (const file of files) {
    await uploadFile(part, file);
    running.set(chooser, running.get(chooser) - 1);
  }
  if (running.get(chooser) === 0) chooser.setCustomValidity("");
}

async function uploadFile(part, file) {
  const place = make("div");
  part.append(place);
  const progress = new Progress(place, file);
  try {
    const problem = problemOf(file);
    if (problem) throw new Refused(problem);
    add(part, await sendAll(await begin(part, file), file, new URLSearchParams(), progress));
  } catch (error) {
    const textContent = `${file.name}: ${wordsOf(error)}`;
    part.append(make("p", { role: "alert" }, make("span", { className: "field-errors", textContent })));
  } finally {
    progress.end();
    place.remove();
  }
}

async function begin(part, file) {
  const fields = new URLSearchParams({ name: "", access: "package", published: "true" });
  const response = await announceFile(part.dataset.files, fields, file);
  if (response.headers.get("Content-Type")?.startsWith("application/json")) return response.json();
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const words = [...page.querySelectorAll(".notice.error li")].map(({ textContent }) =>
    textContent.replace(/^.*?: /, ""),
  );
  throw new Refused(words.join(", ") || "The server refused it");
}

function add(part, { id, name, file_name }) {
  const box = make("input", { type: "checkbox", name: "file_ids", value: id, checked: true, id: `uploaded-${id}` });
  const label = make("label", { htmlFor: box.id, textContent: `${name} (${file_name})` });
  part
    .closest("fieldset")
    .querySelector(".choices > div")
    .prepend(make("div", { className: "check" }, box, label));
  box.dispatchEvent(new Event("input", { bubbles: true }));
  announce(`${name} was uploaded`);
}
