// Changes quantities without leaving the cart. Without this script, the buttons of each line do the same.

const lines = document.querySelector(".lines");

/** Changes of several lines are sent one after another, and shown once all are answered. */
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

/** Shows what has changed. Fields and buttons stay, so that a finger on one of them still hits it. */
function show(page) {
  const both = (selector) => [document, page].map((one) => [...one.querySelectorAll(selector)]);
  const [before, after] = both(".line");
  // Somebody else has changed the cart in another window.
  if (before.length !== after.length) return location.reload();
  for (const [index, line] of before.entries()) {
    for (const part of [".what", ".line > .money"]) {
      line.querySelector(part).replaceWith(after[index].querySelector(part));
    }
    const [field, next] = [line, after[index]].map((one) => one.querySelector("[name=quantity]"));
    [field.value, field.max] = [next.value, next.max];
  }
  for (const part of [".review", ".menu"]) document.querySelector(part).replaceWith(page.querySelector(part));
  const told = page.querySelector("main > [role]");
  document.querySelector("main > [role]")?.remove();
  if (told) document.querySelector("main").prepend(told);
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
