// Keeps the checkout as it is filled in, and shows the total again whenever something changes it. Without this script, buttons
// of the same form do the same.

const form = document.querySelector("form.checkout");
const status = document.querySelector("#recalculated");

/** Fields that the total, or the rest of the form, depends on. */
const PRICED = /^(address\.(country|region|zip)|address_id|shipping_method|payment_method|customer\.email)$/;

let running;

/** Sends the form as it stands. `update` says what for. */
const send = (update, signal) => {
  const body = new URLSearchParams(new FormData(form));
  body.set("update", update);
  return fetch(form.action, { method: "POST", body, signal });
};

async function recalculate() {
  running?.abort();
  running = new AbortController();
  const { signal } = running;
  form.setAttribute("aria-busy", "true");
  try {
    const response = await send("live", signal);
    if (new URL(response.url).pathname !== "/checkout" || !response.ok) throw new Error("The checkout has moved");
    const text = await response.text();
    if (signal.aborted) return;
    show(new DOMParser().parseFromString(text, "text/html"));
  } catch {
    if (signal.aborted) return;
    // The form still works by its buttons.
    form.classList.remove("live");
  }
  form.removeAttribute("aria-busy");
}

/** Replaces the parts that changed. The fields of an address stay while its country does, so that nobody types into nothing. */
function show(page) {
  for (const part of document.querySelectorAll("[data-live]")) {
    const next = page.querySelector(`[data-live="${part.dataset.live}"]`);
    const isSame =
      part.dataset.country === undefined
        ? next?.innerHTML === part.innerHTML
        : next?.dataset.country === part.dataset.country;
    if (!next || isSame) continue;
    const focused = document.activeElement?.id;
    const typed = [...part.querySelectorAll("input[type=text], input[type=tel]")];
    part.replaceChildren(...next.childNodes);
    if (next.dataset.country !== undefined) part.dataset.country = next.dataset.country;
    for (const { id, value } of typed) {
      const field = document.getElementById(id);
      if (field?.matches("input")) field.value = value;
    }
    if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus();
  }
  const total = Array.from(document.querySelectorAll(".review .total > *"), ({ textContent }) => textContent).join(" ");
  if (status.textContent !== total) status.textContent = total;
}

form.classList.add("live");
// An answer that comes later would tell of an earlier state.
form.addEventListener("submit", () => running?.abort());
form.addEventListener("change", ({ target }) => {
  if (PRICED.test(target.name)) recalculate();
  else if (target.name !== "discount_code") send("keep").catch(() => undefined);
});
// A country that was chosen, or restored by the browser, before this script ran.
const fields = document.querySelector('[data-live="address"]');
if (fields && form.elements["address.country"].value !== (fields.dataset.country ?? "")) recalculate();
