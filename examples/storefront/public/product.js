// Shows the chosen variant without leaving the page. Without this script, a button of the form does it.

const product = document.querySelector(".product");
const status = document.querySelector("#chosen");
let latest;

async function show(form) {
  const query = new URLSearchParams([...new FormData(form)].filter(([name]) => name.startsWith("option-")));
  const address = `${location.pathname}?${query}`;
  latest = address;
  try {
    const response = await fetch(address);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const next = page.querySelector(".product");
    if (latest !== address) return;
    replaceParts([...next.children]);
    history.replaceState(null, "", response.url);
    status.textContent = Array.from(product.querySelectorAll(".price.large, .stock"), (part) => part.textContent).join(
      ", ",
    );
  } catch {
    location.assign(address);
  }
}

/** Replaces the parts that differ. The focus and a typed quantity are kept. */
function replaceParts(parts) {
  const [focused, quantity] = [document.activeElement?.id, product.querySelector("[name=quantity]")?.value];
  for (const [index, part] of [...product.children].entries()) {
    if (part.outerHTML !== parts[index].outerHTML) part.replaceWith(parts[index]);
  }
  const field = product.querySelector("[name=quantity]");
  if (field && quantity) field.value = Math.min(quantity, field.max);
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

product.addEventListener("change", ({ target }) => {
  if (target.type === "radio") show(target.form);
});
