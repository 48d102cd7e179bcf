import MarkdownIt, { type Token } from "markdown-it";

// Descriptions are a subset of Markdown: paragraphs, bold, italic, lists, links, line breaks and headings of two
// levels. HTML is text. markdown-it parses in linear time, and its tokens are written out here, so that no other tag is
// possible.

const parser = new MarkdownIt("zero", { maxNesting: 100 }).enable([
  "emphasis",
  "escape",
  "heading",
  "link",
  "list",
  "newline",
]);
parser.validateLink = (address) => isLinkable(address);

let latest: { markdown: string; tokens: Token[] } = { markdown: "", tokens: [] };

/** The tokens of a description. One parse serves a product, whose description is shown as HTML and as text. */
function tokensOf(markdown: string): Token[] {
  if (latest.markdown !== markdown) latest = { markdown, tokens: parser.parse(markdown, {}) };
  return latest.tokens;
}

const SCHEMES = ["http:", "https:", "mailto:"];

/** Placeholder for the site of a relative link. */
const HERE = "https://here.invalid";

/** The scheme of a link as a browser understands it, "here" if the link is relative. Null for schemes that are not allowed. */
function schemeOf(address: string): string | null {
  const url = URL.canParse(address, HERE) ? new URL(address, HERE) : null;
  if (url?.origin === HERE) return "here";
  return url && SCHEMES.includes(url.protocol) ? url.protocol : null;
}

/** True if a description may link to an address. */
export const isLinkable = (address: string): boolean => schemeOf(address) !== null;

const tags: Readonly<Record<string, string>> = {
  paragraph: "p",
  bullet_list: "ul",
  ordered_list: "ol",
  list_item: "li",
  strong: "strong",
  em: "em",
  link: "a",
};

/** The product's name is the heading above those of its description. */
const tagOf = (name: string, { tag }: Token): string | undefined =>
  name === "heading" ? (tag <= "h2" ? "h2" : "h3") : tags[name];

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

function attributesOf(token: Token): string {
  const start = Number(token.attrGet("start") ?? 1);
  if (start !== 1) return ` start="${start}"`;
  const href = token.attrGet("href");
  if (href === null) return "";
  const isElsewhere = schemeOf(String(href))?.startsWith("http");
  return ` href="${escaped(String(href))}"${isElsewhere ? ' rel="nofollow noopener"' : ""}`;
}

function htmlOfToken(token: Token): string {
  const { type, content, children, hidden, block } = token;
  if (type === "inline") return (children ?? []).map(htmlOfToken).join("");
  if (type === "softbreak" || type === "hardbreak") return "<br>\n";
  const [, name = "", end] = /^(\w+)_(open|close)$/.exec(type) ?? [];
  const tag = tagOf(name, token);
  if (tag === undefined) return escaped(content);
  if (hidden) return "";
  return end === "open" ? `<${tag}${attributesOf(token)}>` : `</${tag}>${block ? "\n" : ""}`;
}

/** A description as HTML. */
export const htmlOfMarkdown = (markdown: string): string => tokensOf(markdown).map(htmlOfToken).join("").trimEnd();

function textOfToken({ type, content, children, block }: Token): string {
  if (type === "inline") return (children ?? []).map(textOfToken).join("");
  return type.endsWith("break") || (block && type.endsWith("_close")) ? "\n" : content;
}

/** A description as one line of plain text, without its formatting. */
export const lineOfMarkdown = (markdown: string): string =>
  tokensOf(markdown).map(textOfToken).join("").replaceAll(/\s+/g, " ").trim();
