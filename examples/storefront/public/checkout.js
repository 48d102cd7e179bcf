// Saves the checkout while it is filled in, and updates the total whenever a field affects it. Without this script,
// buttons of the form do it.

const form = document.querySelector("form.checkout");
const status = document.querySelector("#recalculated");

/** Fields on which the total, or the rest of the form, depends. */
const PRICED =
  /^((address|billing)\.(country|region|zip)|address_id|other_billing|shipping_method|payment_method|customer\.email)$/;

/** The next request: "keep" saves the form, and "live" also requests the total. */
let wanted;
let isSending = false;
/** The form of the last request. */
let sent;
let stop = new AbortController();

/**
 * Sends the form as it is, once the previous request was answered, because each response replaces the cookies of the
 * last.
 */
async function send(update) {
  wanted = wanted === "live" ? wanted : update;
  if (isSending) return;
  isSending = true;
  while (wanted) {
    const next = wanted;
    wanted = undefined;
    if (next === "live") form.setAttribute("aria-busy", "true");
    const body = new URLSearchParams(new FormData(form));
    body.set("update", next);
    sent = body;
    try {
      const response = await fetch(form.action, { method: "POST", body, signal: stop.signal });
      if (next === "live") await read(response);
    } catch {
      // The form's buttons still work.
      form.classList.remove("live");
    }
  }
  isSending = false;
  form.removeAttribute("aria-busy");
}

async function read(response) {
  const { signal } = stop;
  if (new URL(response.url).pathname !== "/checkout" || !response.ok) throw new Error("The checkout has moved");
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  await released;
  if (!signal.aborted) show(page);
}

/** A button that is replaced while it is held down gets no click. */
let released = Promise.resolve();
addEventListener("pointerdown", () => {
  released = new Promise((done) => {
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(done), { once: true });
  });
});

/**
 * Replaces the parts that changed. Address fields are kept while their country is unchanged, so that typing is not
 * interrupted, and what was typed since the request is kept.
 */
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
      if (field?.matches("input") && value !== sent.get(field.name)) field.value = value;
    }
    if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus();
  }
  const total = Array.from(document.querySelectorAll(".review .total > *"), ({ textContent }) => textContent).join(" ");
  if (status.textContent !== total) status.textContent = total;
}

form.classList.add("live");
// A response that arrives after the form was submitted would show an earlier state, and its cookies would replace those
// of the form.
form.addEventListener("submit", () => {
  wanted = undefined;
  stop.abort();
  stop = new AbortController();
});
form.addEventListener("change", ({ target }) => {
  if (PRICED.test(target.name)) send("live");
  else if (target.name !== "discount_code") send("keep");
});

// A country that was chosen, or restored by the browser, before this script ran.
for (const name of ["address", "billing"]) {
  const fields = document.querySelector(`[data-live="${name}"]`);
  if (fields && form.elements[`${name}.country`].value !== fields.dataset.country) send("live");
}
