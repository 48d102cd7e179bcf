import { decodeHTMLStrict } from "entities/decode";

/** Tags and ends of comments. No part of the pattern restarts within text it has read, so any text takes linear time. */
const TAG = /<!--|-->|<\/?([a-z][a-z0-9]*)(?=[\s/>])[^<>]*>/gi;

/** Elements whose text is not meant to be read. */
const HIDDEN = new Set(["script", "style", "template", "iframe", "noscript"]);

const PARAGRAPHS = /^(p|div|section|article|header|footer|ul|ol|table|blockquote|pre|h[1-6]|figure|hr)$/;
const LINES = /^(br|li|tr|dt|dd)$/;

/** The text of HTML: paragraphs and lists as lines. A description is plain text, which no page takes for HTML. */
export function textOfHtml(html: string): string {
  let text = "";
  let from = 0;
  let hidden: string | null = null;
  for (const { 0: tag, 1: matched, index } of html.matchAll(TAG)) {
    const name = matched?.toLowerCase() ?? tag;
    const isEnd = tag.startsWith("</") || tag === "-->";
    if (hidden === null) text += html.slice(from, index);
    from = index + tag.length;
    if (hidden !== null) {
      if (isEnd && name === hidden) hidden = null;
    } else if (name === "<!--") hidden = "-->";
    else if (HIDDEN.has(name)) hidden = isEnd ? null : name;
    else text += separatorOf(name, isEnd);
  }
  if (hidden === null) text += html.slice(from);
  return decoded(text)
    .split("\n")
    .map((line) => line.replaceAll(SPACES, " ").trim())
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

function separatorOf(name: string, isEnd: boolean): string {
  if (PARAGRAPHS.test(name)) return "\n\n";
  if (name === "li") return isEnd ? "" : "\n- ";
  if (LINES.test(name)) return isEnd && name !== "tr" ? "" : "\n";
  return name === "td" || name === "th" ? " " : "";
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
const SPACES = /[\x00-\x09\x0b-\x20\x7f-\xa0]+/g;

/**
 * A line of text as another program writes it: entities are decoded, each once, control characters become spaces, and letters
 * with marks are composed.
 */
export const lineOfText = (cell: string): string =>
  decoded(cell).replaceAll("\n", " ").replaceAll(SPACES, " ").trim().normalize();

/** Soft hyphens are of use to browsers alone. */
const decoded = (text: string): string => decodeHTMLStrict(text).replaceAll("\u00ad", "");
