// Gives a page for printing its button. Without it, the page says how browsers print.

const [button, hint] = document.querySelectorAll("nav :is(button, span)");
button.hidden = false;
hint.hidden = true;
button.addEventListener("click", () => print());
