/** Tags and the ends of comments. Neither part of it begins anew within what it has read: any text takes linear time. */
const TAG = /<!--|-->|<\/?([a-z][a-z0-9]*)(?=[\s/>])[^<>]*>/gi;

/** Elements whose text nobody is to read. */
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
    .map((line) => line.replaceAll(/[\t\r \u00a0]+/g, " ").trim())
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

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", shy: "", hellip: "…", bull: "•", middot: "·" },
  ...{ ndash: "–", mdash: "—", lsquo: "‘", rsquo: "’", sbquo: "‚", ldquo: "“", rdquo: "”", bdquo: "„" },
  ...{ laquo: "«", raquo: "»", copy: "©", reg: "®", trade: "™", deg: "°", times: "×", frac12: "½", frac14: "¼" },
  ...{ euro: "€", pound: "£", yen: "¥", cent: "¢", micro: "µ", plusmn: "±", sup2: "²", sup3: "³", eacute: "é" },
  ...{ egrave: "è", agrave: "à", ccedil: "ç", auml: "ä", ouml: "ö", uuml: "ü", szlig: "ß", ntilde: "ñ" },
  ...{ Auml: "Ä", Ouml: "Ö", Uuml: "Ü", Eacute: "É" },
};

/** Decodes entities, each once: "&amp;lt;" is the text "&lt;". One that is not known stays as it is. */
const decoded = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z][a-z0-9]{1,9}));/gi, (entity, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] ?? entity) : entity;
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    const isText = point >= 32 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
    return isText ? String.fromCodePoint(point) : "";
  });
