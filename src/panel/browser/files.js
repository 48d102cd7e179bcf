// Uploads a product's file where it is chosen, and adds it to the product's files as a ticked box.

import { announce, make } from "./panel.js";
import { announceFile, problemOf, sendAll, wordsOf } from "./upload.js";
import { Progress, Refused } from "./upload-progress.js";

export function offerUpload(part) {
  const group = part.closest("fieldset");
  const chooser = make("input", { type: "file", multiple: true, ariaLabel: "Upload files" });
  const refusals = make("div", { role: "alert" });
  let running = 0;

  async function upload(file) {
    const place = make("div");
    part.append(place);
    const progress = new Progress(place, file);
    try {
      const problem = problemOf(file);
      if (problem) throw new Refused(problem);
      add(await sendAll(await begin(file), file, new URLSearchParams(), progress));
    } catch (error) {
      const textContent = `${file.name}: ${wordsOf(error)}`;
      refusals.append(make("p", {}, make("span", { className: "field-errors", textContent })));
    } finally {
      progress.end();
      place.remove();
    }
  }

  async function begin(file) {
    const fields = new URLSearchParams({ name: "", access: "package", published: "true" });
    const response = await announceFile(part.dataset.files, fields, file);
    if (response.headers.get("Content-Type")?.startsWith("application/json")) return response.json();
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const words = [...page.querySelectorAll(".notice.error li")].map(({ textContent }) =>
      textContent.replace(/^.*?: /, ""),
    );
    throw new Refused(words.join(", ") || "The server refused it");
  }

  function add({ id, name, file_name }) {
    const box = make("input", { type: "checkbox", name: "file_ids", value: id, checked: true, id: `uploaded-${id}` });
    const label = make("label", { htmlFor: box.id, textContent: `${name} (${file_name})` });
    group.querySelector(".choices").prepend(make("div", { className: "check" }, box, label));
    box.dispatchEvent(new Event("input", { bubbles: true }));
    announce(`${name} was uploaded`);
  }

  chooser.onchange = async () => {
    const files = [...chooser.files];
    chooser.value = "";
    refusals.replaceChildren();
    running += files.length;
    chooser.setCustomValidity("Wait until the files are uploaded.");
    for (const file of files) {
      await upload(file);
      running--;
    }
    if (running === 0) chooser.setCustomValidity("");
  };

  const hint = make("p", { className: "hint", textContent: "Uploads a file and adds it to the product." });
  part.replaceChildren(chooser, hint, refusals);
}
