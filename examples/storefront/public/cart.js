// Changes quantities without leaving the cart. Without this script, the buttons of each line do it.

const lines = document.querySelector(".lines");

/** Changes of several lines are sent one after another, and shown once all have been answered. */
let waiting = 0;
let sent = Promise.resolve();

function send(form) {
  const [action, body] = [form.action, new URLSearchParams(new FormData(form))];
  waiting++;
  sent = sent.then(async () => {
    const response = await fetch(action, { method: "POST", body });
    if (!response.ok) throw new Error(`The shop answered with ${response.status}`);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    if (--waiting === 0) show(page);
  });
  sent.catch(() => location.reload());
}

/**
 * The parts of the page that a quantity changes: notes and price of each line, the total, the link to the checkout, and
 * the count in the header.
 */
const CHANGING =
  ".line > .what, .line > .money, .review > .total, .review > .wide, .review > .wrong, .menu > :first-child";

/** Updates the parts that changed. Unchanged elements are not replaced, so that a finger on one still hits it. */
function show(page) {
  const both = (selector) => [document, page].map((one) => [...one.querySelectorAll(selector)]);
  const [[before, after], [fields, nextFields]] = [both(CHANGING), both("[name=quantity]")];
  // The cart was changed in another window as well.
  if (fields.length !== nextFields.length) return location.reload();
  for (const [index, part] of before.entries()) {
    if (part.outerHTML !== after[index].outerHTML) part.replaceWith(after[index]);
  }
  for (const [index, field] of fields.entries()) {
    [field.value, field.max] = [nextFields[index].value, nextFields[index].max];
  }
  const [box, told] = [document, page].map((one) => one.querySelector("main > [role]"));
  if (!told) return;
  // A new message would move the buttons from under a finger. If there is no room it is only announced to screen
  // readers, unless it is an error.
  if (!box || box.matches(".unseen")) told.classList.toggle("unseen", told.matches(".told"));
  if (box) box.replaceWith(told);
  else document.querySelector("main").prepend(told);
}

lines?.addEventListener("change", ({ target }) => {
  if (target.reportValidity()) send(target.form);
});
lines?.addEventListener("submit", (event) => {
  const { submitter, target } = event;
  if (submitter.name === "remove") return;
  event.preventDefault();
  if (submitter.name !== "step") return;
  const field = target.elements.quantity;
  if (submitter.value === "1") field.stepUp();
  else field.stepDown();
  send(target);
});
