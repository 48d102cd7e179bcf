import { decodeHTMLStrict } from "entities/decode";
import { isLinkable } from "./markdown.ts";

/**
 * Tags and ends of comments. No part of the pattern restarts within text it has read, so any text takes linear time.
 */
const TAG = /<!--|-->|<\/?([a-z][a-z0-9]*)(?=[\s/>])[^<>]*>/gi;

/** Elements whose text is not meant to be read. */
const HIDDEN = new Set(["script", "style", "template", "iframe", "noscript"]);

const PARAGRAPHS = /^(p|div|section|article|header|footer|ul|ol|table|blockquote|pre|h[1-6]|figure|hr)$/;
const LINES = /^(br|li|tr|dt|dd)$/;

// Private-use characters represent formatting until entities are decoded and spaces are collapsed.
const MARKS = /[\ue000-\ue007]/g;
const [ITEM, HEADING] = ["\ue000", "\ue001"];
const inline: Readonly<Record<string, { on: string; off: string }>> = {
  strong: { on: "\ue002", off: "\ue003" },
  em: { on: "\ue004", off: "\ue005" },
  a: { on: "\ue006", off: "\ue007" },
};
const SAME: Readonly<Record<string, string>> = { b: "strong", i: "em" };

/** Decoded text between tags, with the characters that represent formatting removed. */
const unmarked = (html: string): string => decodedText(html).replaceAll(MARKS, "");

/** Deeper lists are shown at this depth. */
const MAX_DEPTH = 4;

/** The text of HTML as Markdown: paragraphs, lists, headings, links, bold and italic. */
export function markdownOfHtml(html: string): string {
  const lists: { isOrdered: boolean; items: number }[] = [];
  const addresses: string[] = [];
  let text = "";
  let from = 0;
  let hidden: string | null = null;
  for (const { 0: tag, 1: matched, index } of html.matchAll(TAG)) {
    const written = matched?.toLowerCase() ?? tag;
    const name = SAME[written] ?? written;
    const isEnd = tag.startsWith("</") || tag === "-->";
    if (hidden === null) text += unmarked(html.slice(from, index));
    from = index + tag.length;
    if (hidden !== null) {
      if (isEnd && name === hidden) hidden = null;
    } else if (name === "<!--") hidden = "-->";
    else if (HIDDEN.has(name)) hidden = isEnd ? null : name;
    else {
      if (name === "a" && !isEnd) addresses.push(addressIn(tag));
      if (name === "ul" || name === "ol") {
        if (isEnd) lists.pop();
        else lists.push({ isOrdered: name === "ol", items: 0 });
      }
      text += marksOf(name, isEnd, lists);
    }
  }
  if (hidden === null) text += unmarked(html.slice(from));
  return linesOf(text, addresses);
}

function marksOf(name: string, isEnd: boolean, lists: { isOrdered: boolean; items: number }[]): string {
  const mark = inline[name];
  if (mark) return isEnd ? mark.off : mark.on;
  const list = lists.at(-1);
  if (name === "li" && !isEnd) {
    const depth = Math.max(1, Math.min(lists.length, MAX_DEPTH));
    return `\n${ITEM.repeat(depth)}${list?.isOrdered ? `${++list.items}.` : "-"} `;
  }
  if (/^h[1-6]$/.test(name) && !isEnd) return `\n\n${HEADING}${name <= "h2" ? "##" : "###"} `;
  if (PARAGRAPHS.test(name)) return "\n\n";
  if (LINES.test(name)) return isEnd && name !== "tr" ? "" : "\n";
  return name === "td" || name === "th" ? " " : "";
}

/** The address of a link, with characters that would end it in Markdown encoded. Empty if no description may link to it. */
function addressIn(tag: string): string {
  const [, double, single, plain] = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(tag) ?? [];
  const address = decodedText(double ?? single ?? plain ?? "").trim();
  if (address === "" || address.startsWith("#") || !isLinkable(address)) return "";
  return address.replaceAll(/[\s()<>\\]/g, (letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

/** Start of a line: depth and number of a list item, or a heading. */
const BEGINNING = /^(\ue000+|\ue001)(\S+) ?/;

/** Collapses spaces and writes the formatting of each line. List items follow one another without an empty line. */
function linesOf(text: string, addresses: readonly string[]): string {
  const formatter = new LineFormatter(addresses);
  const lines: { text: string; isItem: boolean }[] = [];
  let waiting = "";
  for (const line of text.split("\n")) {
    const [begins = "", marks = "", sign = ""] = BEGINNING.exec(line.trimStart()) ?? [];
    const content = formatter.format(collapsed(line.trimStart().slice(begins.length)), marks === HEADING);
    if (begins) waiting = `${"    ".repeat(marks.length - 1)}${sign} `;
    // An item or a heading may begin with a paragraph.
    if (content === "" && waiting !== "") continue;
    const isItem = waiting !== "" && !waiting.startsWith("#");
    const last = lines.findLastIndex((one) => one.text !== "");
    if (isItem && lines[last]?.isItem) lines.length = last + 1;
    lines.push({ text: waiting + content, isItem });
    waiting = "";
  }
  return lines
    .map((line) => line.text)
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

type Run = { text: string; mark: string; address: string };

/** Writes bold, italic and links line by line, because an element may begin in one line and end in another. */
class LineFormatter {
  readonly #addresses: readonly string[];
  readonly #open = { strong: 0, em: 0 };
  #links = 0;
  #address = "";

  constructor(addresses: readonly string[]) {
    this.#addresses = addresses;
  }

  format(line: string, isHeading: boolean): string {
    const runs: Run[] = [];
    for (const part of line.split(/([\ue002-\ue007])/)) {
      if (!this.#turns(part) && part !== "") {
        const strong = this.#open.strong > 0 && !isHeading ? "**" : "";
        const mark = strong + (this.#open.em > 0 ? "*" : "");
        const last = runs.at(-1);
        if (last && last.mark === mark && last.address === this.#address) last.text += part;
        else runs.push({ text: part, mark, address: this.#address });
      }
    }
    return joined(runs);
  }

  /** True for a character that turns formatting on or off. */
  #turns(part: string): boolean {
    const { strong, em, a } = inline;
    if (part === strong?.on) this.#open.strong += 1;
    else if (part === strong?.off) this.#open.strong = Math.max(0, this.#open.strong - 1);
    else if (part === em?.on) this.#open.em += 1;
    else if (part === em?.off) this.#open.em = Math.max(0, this.#open.em - 1);
    else if (part === a?.on) this.#address = this.#addresses[this.#links++] ?? "";
    else if (part === a?.off) this.#address = "";
    else return false;
    return true;
  }
}

/** Joins runs. A Markdown mark between a letter and punctuation has no effect, so a space separates them. */
function joined(runs: readonly Run[]): string {
  let line = "";
  for (const [at, { text, mark, address }] of runs.entries()) {
    const core = text.trim();
    if (core === "") {
      line += text;
      continue;
    }
    const isLinked = address !== "";
    const formatted = `${mark}${escaped(core, line === "")}${[...mark].reverse().join("")}`;
    const [lead, trail] = [text.slice(0, text.indexOf(core)), text.slice(text.indexOf(core) + core.length)];
    const next = runs[at + 1]?.text ?? "";
    const opens = mark !== "" && lead === "" && /\w$/u.test(line) && /^\W/u.test(core) ? " " : "";
    const closes = mark !== "" && trail === "" && /\W$/u.test(core) && /^[\p{L}\p{N}]/u.test(next) ? " " : "";
    line += `${lead}${opens}${isLinked ? `[${formatted}](${address})` : formatted}${closes}${trail}`;
  }
  return line;
}

/** Escapes characters that Markdown would treat as formatting. */
const escaped = (text: string, isFirst: boolean): string =>
  text
    .replaceAll(/\\(?=[!-/:-@[-`{-~])/g, "\\\\")
    .replaceAll(/(?<! )\*|\*(?! )/g, "\\*")
    .replaceAll(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
    .replaceAll("](", "]\\(")
    .replace(/^#/, isFirst ? "\\#" : "#");

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
const BLANKS = /[\x00-\x09\x0b-\x20\x7f-\xa0]+/g;

/** Collapses spaces and control characters of a line to one space each, and trims its ends. */
const collapsed = (line: string): string => line.replaceAll(BLANKS, " ").trim();

/** A line of text from another program: entities are decoded once, and control characters become spaces. */
export const lineOfText = (cell: string): string => collapsed(decodedText(cell).replaceAll("\n", " "));

/** Text without entities. Soft hyphens are removed, because only browsers use them. */
const decodedText = (html: string): string => decodeHTMLStrict(html).replaceAll("\u00ad", "");
