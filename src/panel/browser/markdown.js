// Adds buttons for formatting to a text in Markdown, with Ctrl+B and Ctrl+I.

import { button, make } from "./panel.js";

/** The mark at the start of a list item or heading. */
const MARK = /^(#{1,6}|[-*+]|\d+[.)]) +/;

export function addFormatting(text) {
  /** Replaces characters and selects new ones. The browser's own command keeps Undo working. */
  function write(from, to, written, start, end) {
    text.focus();
    text.setSelectionRange(from, to);
    document.execCommand(written ? "insertText" : "delete", false, written);
    text.setSelectionRange(start, end);
  }

  /** Formats the selection, or a sample if nothing is selected. Removes the format if the selection already has it. */
  const around = (before, after, sample) => () => {
    const { selectionStart: from, selectionEnd: to, value } = text;
    const [outer, end] = [from - before.length, to + after.length];
    if (outer >= 0 && value.slice(outer, from) === before && value.slice(to, end) === after) {
      write(outer, end, value.slice(from, to), outer, to - before.length);
    } else {
      const chosen = value.slice(from, to) || sample;
      const start = from + before.length;
      write(from, to, before + chosen + after, start, start + chosen.length);
    }
  };

  /** Puts a mark at the start of each selected line, or removes it if all have it. */
  const lines = (mark) => () => {
    const { selectionStart, selectionEnd, value } = text;
    const from = value.slice(0, selectionStart).lastIndexOf("\n") + 1;
    const rest = value.slice(selectionEnd).indexOf("\n");
    const to = rest < 0 ? value.length : selectionEnd + rest;
    const chosen = value.slice(from, to).split("\n");
    const isMarked = chosen.every((line, index) => line.startsWith(mark(index)));
    const written = chosen.map((line, index) => (isMarked ? "" : mark(index)) + line.replace(MARK, "")).join("\n");
    write(from, to, written, from, from + written.length);
  };

  const [bold, italic] = [around("**", "**", "bold text"), around("_", "_", "italic text")];
  const tools = {
    Bold: ["b", "B", bold],
    Italic: ["i", "I", italic],
    Heading: ["b", "H", lines(() => "## ")],
    List: ["span", "• –", lines(() => "- ")],
    "Numbered list": ["span", "⒈", lines((index) => `${index + 1}. `)],
    Link: ["u", "Link", around("[", "](https://)", "text")],
  };
  const buttons = Object.entries(tools).map(([title, [tag, icon, format]]) => {
    const tool = button("", format);
    tool.append(make(tag, {}, icon));
    return Object.assign(tool, { title, ariaLabel: title });
  });
  // The buttons replace the explanation of the marks.
  const hint = document.getElementById(`${text.id}-hint`);
  if (hint) hint.hidden = true;
  text.before(make("div", { className: "actions", role: "group", ariaLabel: "Formatting" }, ...buttons));

  text.addEventListener("keydown", (event) => {
    const format = { b: bold, i: italic }[event.key];
    if (!format || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    event.preventDefault();
    format();
  });
}
