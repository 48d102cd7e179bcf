import { decodeHTML } from "entities";

/** An element of a page, with its attributes decoded and its children in order. */
export type Element = {
  tag: string;
  attributes: Record<string, string>;
  children: (Element | string)[];
  parent: Element | null;
};

const VOID = new Set("area base br col embed hr img input link meta source track wbr".split(" "));

const TOKEN =
  /<!--.*?-->|<!doctype[^>]*>|<\/(?<closed>[a-z][\w-]*)\s*>|<(?<raw>script|style)(?<rawAttributes>[^>]*)>(?<code>.*?)<\/\k<raw>\s*>|<(?<tag>[a-z][\w-]*)(?<attributes>(?:\s+[^\s=>/]+(?:="[^"]*")?)*)\s*(?<closes>\/?)>|(?<text>[^<]+)|(?<stray><)/gis;

const ATTRIBUTE = /([^\s=>/]+)(?:="([^"]*)")?/g;

/**
 * Parses HTML as the shop writes it: elements closed in order, attributes in double quotes. Throws on anything else.
 */
export function parseHtml(html: string): Element {
  const document = element("#document", "", null);
  let open = document;
  for (const { groups = {} } of html.matchAll(TOKEN)) {
    const { closed, raw, rawAttributes = "", code = "", tag, attributes = "", closes, text, stray } = groups;
    if (stray !== undefined) throw new Error("A < of the page begins no tag");
    if (text !== undefined) open.children.push(decodeHTML(text));
    if (raw !== undefined) element(raw, rawAttributes, open).children.push(code);
    if (tag !== undefined) {
      const opened = element(tag, attributes, open);
      if (!closes && !VOID.has(opened.tag)) open = opened;
    }
    if (closed !== undefined) {
      if (closed.toLowerCase() !== open.tag) throw new Error(`</${closed}> closes <${open.tag}>`);
      open = open.parent ?? document;
    }
  }
  if (open !== document) throw new Error(`<${open.tag}> is not closed`);
  return document;
}

function element(tag: string, attributes: string, parent: Element | null): Element {
  const pairs = [...attributes.matchAll(ATTRIBUTE)].map(([, name = "", value = ""]) => [
    name.toLowerCase(),
    decodeHTML(value),
  ]);
  const made = { tag: tag.toLowerCase(), attributes: Object.fromEntries(pairs), children: [], parent };
  parent?.children.push(made);
  return made;
}

/** Every element below this one, in document order. */
export const elementsIn = ({ children }: Element): Element[] =>
  children.flatMap((child) => (typeof child === "string" ? [] : [child, ...elementsIn(child)]));

export function closest(of: Element | null, tag: string): Element | null {
  return of === null || of.tag === tag ? of : closest(of.parent, tag);
}

const UNREAD = new Set(["script", "style", "select"]);
const BLOCK = new Set("p div li ul ol section article dt dd dl h1 h2 h3 table tr td th form fieldset br".split(" "));

/** Text of an element with whitespace collapsed, excluding the options of lists. */
export const textOf = (of: Element): string => rawText(of).replaceAll(/\s+/g, " ").trim();

function rawText({ tag, children }: Element): string {
  if (UNREAD.has(tag)) return "";
  const text = children.map((child) => (typeof child === "string" ? child : rawText(child))).join("");
  return BLOCK.has(tag) ? ` ${text} ` : text;
}

/** Elements that match one of the selectors, which may name tags, classes, ids, attributes, ancestors (by a space) and parents (by >). */
export function select(within: Element, selectors: string): Element[] {
  const chains = selectors.split(",").map((selector) => selector.trim().split(/\s+(?![^[]*\])/));
  return elementsIn(within).filter((one) => chains.some((chain) => matchesChain(one, chain)));
}

function matchesChain(one: Element, chain: string[]): boolean {
  const [last = "", before] = [chain.at(-1), chain.at(-2)];
  if (!matches(one, last)) return false;
  if (before === undefined) return true;
  if (before === ">") return one.parent !== null && matchesChain(one.parent, chain.slice(0, -2));
  for (let above = one.parent; above; above = above.parent) if (matchesChain(above, chain.slice(0, -1))) return true;
  return false;
}

function matches({ tag, attributes }: Element, simple: string): boolean {
  const parts = simple.match(/\[[^\]]*\]|[.#]?[\w-]+/g) ?? [];
  return parts.every((part) => {
    if (part.startsWith(".")) return (attributes.class ?? "").split(/\s+/).includes(part.slice(1));
    if (part.startsWith("#")) return attributes.id === part.slice(1);
    if (!part.startsWith("[")) return tag === part;
    const [, name = "", value] = /^\[([\w-]+)(?:="?([^"\]]*)"?)?\]$/.exec(part) ?? [];
    return name in attributes && (value === undefined || attributes[name] === value);
  });
}
