// Adds a print button to a page. Without script, the page explains how to print.

const [button, hint] = document.querySelectorAll("nav :is(button, span)");
button.hidden = false;
hint.hidden = true;
button.addEventListener("click", () => print());
