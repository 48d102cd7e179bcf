// Edits a text in Markdown as it will look. The form then sends its HTML, which the panel converts to Markdown.

import { button, make } from "./panel.js";

const icon = (path) =>
  `<svg viewBox="0 0 16 16" width="16" fill="none" stroke="currentColor" stroke-width="1.5"><path d="${path}"/></svg>`;

const ignore = (event) => event.preventDefault();

/** Icons and commands of the buttons. */
const TOOLS = {
  Bold: ["<b>B</b>", "bold"],
  Italic: ["<i>I</i>", "italic"],
  Heading: ["<b>H</b>", "formatBlock"],
  List: [icon("M6 4h9M6 8h9M6 12h9M1 4h2M1 8h2M1 12h2"), "insertUnorderedList"],
  "Numbered list": [icon("M7 4h8M7 8h8M7 12h8M1 3l2-1v5M1 10q3-2 2 1l-2 3h3"), "insertOrderedList"],
  Link: [icon("M6 10l4-4M6 5l2-2a3 3 0 0 1 5 5l-2 2M10 11l-2 2a3 3 0 0 1-5-5l2-2"), "createLink"],
};

export function editFormatted(text) {
  const editor = text.nextElementSibling;
  const [label] = text.labels;
  const { id } = text;
  const hint = document.getElementById(`${id}-hint`);
  text.id = "";
  editor.id = id;
  text.hidden = true;
  editor.hidden = false;
  if (hint) hint.hidden = true;
  if (text.matches(":disabled")) return;

  // The browser's own commands keep Undo working.
  function run(command, value) {
    editor.focus();
    document.execCommand(command, false, value);
    showFormats();
  }

  /** Answers for commands whose state the browser does not know: true if the selection has their format. */
  const stateOf = {
    formatBlock: () => document.queryCommandValue("formatBlock") === "h2",
    createLink: () => getSelection().anchorNode?.parentElement?.closest(".formatted a"),
  };
  const hasFormat = (command) => Boolean(stateOf[command]?.() ?? document.queryCommandState(command));

  function apply(command) {
    if (command === "formatBlock") return run(command, hasFormat(command) ? "p" : "h2");
    if (command.endsWith("List") && hasFormat("formatBlock")) run("formatBlock", "p");
    if (command !== "createLink") return run(command);
    if (hasFormat(command)) return run("unlink");
    const address = prompt("Address of the link", "https://");
    if (address) run(command, /^(https?:|mailto:|\/)/.test(address) ? address : `https://${address}`);
  }

  const tools = Object.entries(TOOLS).map(([title, [innerHTML, command]]) => {
    // A pressed button leaves the text selected.
    const tool = button("", () => apply(command));
    return Object.assign(tool, { innerHTML, title, ariaLabel: title, value: command, onmousedown: ignore });
  });

  /** Shows which formats the selection has. */
  function showFormats() {
    for (const tool of tools) tool.ariaPressed = hasFormat(tool.value);
    // List items cannot be headings, and only selected text can become a link.
    tools[2].disabled = hasFormat("insertUnorderedList") || hasFormat("insertOrderedList");
    tools[5].disabled = getSelection().isCollapsed && !hasFormat("createLink");
  }

  const toMarkdown = button("Markdown", () => {
    editor.remove();
    toolbar.remove();
    text.id = id;
    text.hidden = false;
    if (hint) hint.hidden = false;
    text.focus();
  });
  const toolbar = make(
    "div",
    { className: "actions formatting", role: "group", ariaLabel: "Formatting" },
    ...tools,
    toMarkdown,
  );
  text.before(toolbar);

  label.onclick = () => editor.focus();
  Object.assign(editor, {
    contentEditable: "true",
    role: "textbox",
    ariaMultiLine: "true",
    ariaLabel: label.textContent,
    onkeyup: showFormats,
    onmouseup: showFormats,
    onfocus: showFormats,
    oninput() {
      toMarkdown.remove();
      if (!text.name.endsWith(".html")) text.name += ".html";
      delete text.dataset.maxlength;
      text.value = editor.innerHTML;
      text.dispatchEvent(new Event("input", { bubbles: true }));
    },
    // Pastes plain text, because Markdown cannot keep other formatting.
    onpaste(event) {
      ignore(event);
      run("insertText", event.clipboardData.getData("text/plain"));
    },
    ondrop: ignore,
  });
  document.execCommand("defaultParagraphSeparator", false, "p");
  showFormats();
}
