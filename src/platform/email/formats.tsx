import { raw } from "hono/html";
import type { Language } from "../../domain/language.ts";
import { htmlOfMarkdown } from "../../domain/markdown.ts";
import type { EmailSettings } from "../settings/email.ts";
import type { Block, EmailLine } from "./template.ts";

// Mail programs support tables and inline styles, and most support media queries. The layout works without images.

const STYLE = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (prefers-color-scheme: dark) {
    .page { background: #16181d !important; }
    .letter { background: #1f2228 !important; }
    .letter, .letter h1, .letter p, .letter td { color: #e8e9ec !important; }
    .letter .cell { border-color: #3a3f49 !important; }
    .letter .quiet { color: #a3a8b2 !important; }
  }`;

const TEXT = "margin: 0 0 16px; font-size: 16px; line-height: 24px; color: #1c1e21;";
const TITLE = "margin: 0 0 20px; font-size: 20px; line-height: 28px; color: #1c1e21;";
const QUIET = "margin: 0 0 16px; font-size: 13px; line-height: 20px; color: #5c626b;";
const FONT = "font-family: system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif;";
const CELL = "font-size: 15px; line-height: 22px; color: #1c1e21; vertical-align: top;";
const BUTTON =
  "display: inline-block; padding: 12px 20px; border-radius: 6px; font-weight: 600; text-decoration: none;";

/** Color of the text on a background: black or white, whichever has more contrast (WCAG 2.2, relative luminance). */
function textColorOn(background: string): "#000000" | "#ffffff" {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((from) => {
    const value = Number.parseInt(background.slice(from, from + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  // At this luminance both have a contrast of 4.58.
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000000" : "#ffffff";
}

/** The shop as e-mails show it. */
type ShownShop = Pick<EmailSettings, "shopName" | "shopAddress"> & { contact: string };

type HtmlEmailProps = {
  shop: ShownShop & { logo: { src: string; alt: string } | null; color: string };
  language: Language;
  subject: string;
  parts: TextPart[];
};

export const HtmlEmail = ({ shop, language, subject, parts }: HtmlEmailProps) => (
  <html lang={language}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="supported-color-schemes" content="light dark" />
      <title>{subject}</title>
      <style>{STYLE}</style>
    </head>
    <body class="page" style={`margin: 0; padding: 24px 12px; background: #f3f4f6; ${FONT}`}>
      <table role="presentation" width="100%" cellpadding="0" cellspacing="0">
        <tr>
          <td align="center">
            <main>
              <table
                class="letter"
                role="presentation"
                width="100%"
                cellpadding="0"
                cellspacing="0"
                style="max-width: 560px; background: #ffffff; border-radius: 8px; text-align: left;"
              >
                <tr>
                  <td style="padding: 32px 28px 16px;">
                    <Masthead {...shop} />
                    <h1 style={TITLE}>{subject}</h1>
                    {parts.map((part) => (
                      <Part part={part} color={shop.color} />
                    ))}
                  </td>
                </tr>
                <tr>
                  <td style="padding: 0 28px 16px;">
                    <p class="quiet" style={QUIET}>
                      {[shop.shopName, shop.shopAddress].filter(Boolean).join(", ")}
                    </p>
                    {shop.contact && (
                      <p class="quiet" style={`${QUIET} white-space: pre-line;`}>
                        {shop.contact}
                      </p>
                    )}
                  </td>
                </tr>
              </table>
            </main>
          </td>
        </tr>
      </table>
    </body>
  </html>
);

/** The shop's logo, or else its name. */
const Masthead = ({ logo, shopName }: Pick<HtmlEmailProps["shop"], "logo" | "shopName">) =>
  logo ? (
    <img
      src={logo.src}
      alt={logo.alt}
      height={48}
      style="display: block; height: 48px; max-width: 240px; margin: 0 0 24px;"
    />
  ) : (
    <p class="quiet" style={`${QUIET} font-weight: 600;`}>
      {shopName}
    </p>
  );

const Part = ({ part, color }: { part: TextPart; color: string }) => {
  if (typeof part === "string") return <p style={`${TEXT} white-space: pre-line;`}>{part}</p>;
  if ("facts" in part) return <Facts facts={part.facts} />;
  if ("lines" in part) return <Lines lines={part.lines} totals={part.totals ?? []} />;
  if ("markdown" in part) return <Page {...part} />;
  return (
    <p style={TEXT}>
      <a href={part.to} style={`${BUTTON} background: ${color}; color: ${textColorOn(color)};`}>
        {part.link}
      </a>
    </p>
  );
};

const Page = ({ title, markdown }: { title: string; markdown: string }) => (
  <div class="cell quiet" style={`${QUIET} border-top: 1px solid #e3e5e8;`}>
    <h2 style="font-size: 16px; line-height: 24px;">{title}</h2>
    {raw(htmlOfMarkdown(markdown))}
  </div>
);

const Lines = ({ lines, totals }: { lines: EmailLine[]; totals: EmailLine[] }) => (
  <table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin: 0 0 20px;">
    {lines.map((line) => (
      <Row line={line} hasImages={hasImages(lines)} style="padding: 8px 0; border-bottom: 1px solid #e3e5e8;" />
    ))}
    {totals.map((line, index) => (
      <Row
        line={line}
        hasImages={hasImages(lines)}
        style={index === totals.length - 1 ? "padding: 4px 0; font-weight: 600;" : "padding: 4px 0;"}
      />
    ))}
  </table>
);

/** True if the lines have a column of pictures. */
const hasImages = (lines: EmailLine[]): boolean => lines.some(({ image }) => image);

type RowProps = { line: EmailLine; hasImages: boolean; style: string };

const Row = ({ line: { text, detail, amount = "", image }, hasImages, style }: RowProps) => (
  <tr>
    {hasImages && (
      <td class="cell" width="64" style={style}>
        {image && <img src={image} alt="" width={48} style="display: block; width: 48px; border-radius: 4px;" />}
      </td>
    )}
    <td class="cell" style={`${CELL} ${style} word-break: break-word;`}>
      {text}
      {detail && (
        <div class="quiet" style="font-size: 13px; font-weight: 400; line-height: 20px; color: #5c626b;">
          {detail}
        </div>
      )}
    </td>
    <td class="cell" align="right" style={`${CELL} ${style} white-space: nowrap; padding-left: 16px;`}>
      {amount}
    </td>
  </tr>
);

const Facts = ({ facts }: { facts: Record<string, string> }) => (
  <table role="presentation" cellpadding="0" cellspacing="0" style="margin: 0 0 16px;">
    {Object.entries(facts).map(([name, value]) => (
      <tr>
        <td
          class="quiet"
          style="padding: 2px 16px 2px 0; font-size: 14px; line-height: 20px; color: #5c626b; vertical-align: top; white-space: nowrap;"
        >
          {name}
        </td>
        <td style="padding: 2px 0; font-size: 14px; line-height: 20px; color: #1c1e21; word-break: break-word; white-space: pre-line;">
          {value}
        </td>
      </tr>
    ))}
  </table>
);

/** An e-mail for programs without HTML. */
export function plainText({ shopName, shopAddress, contact }: ShownShop, parts: TextPart[]) {
  const foot = ["-- ", shopName, shopAddress, contact].filter(Boolean).join("\n");
  return `${[...parts.map(written), foot].join("\n\n")}\n`;
}

function written(part: TextPart): string {
  if (typeof part === "string") return part;
  if ("link" in part) return `${part.link}:\n${part.to}`;
  if ("lines" in part) return columns(part.lines, part.totals ?? []);
  if ("markdown" in part) return `${part.title}\n\n${part.markdown}`;
  return Object.entries(part.facts)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

/** Characters that most programs show in a line. In longer texts only the amount is highlighted. */
const WIDEST = 56;

function columns(lines: EmailLine[], totals: EmailLine[]): string {
  const all = [...lines, ...totals];
  const width = Math.min(WIDEST, Math.max(...all.map(({ text }) => text.length)));
  const widest = Math.max(...all.map(({ amount = "" }) => amount.length));
  const row = ({ text, detail, amount = "" }: EmailLine) =>
    [`${text.padEnd(width)}  ${amount.padStart(widest)}`.trimEnd(), detail && `  ${detail}`].filter(Boolean).join("\n");
  const rule = totals.length > 0 ? ["-".repeat(width + 2 + widest)] : [];
  return [...lines.map(row), ...rule, ...totals.map(row)].join("\n");
}

/** A block whose link has its address. */
export type TextPart = Exclude<Block, { link: string }> | { link: string; to: string };

/** A link without an address leads to the template's page. */
export function withAddress(block: Block, page: string | null): TextPart {
  if (typeof block === "string" || !("link" in block)) return block;
  const to = block.to ?? page;
  if (to === null) throw new Error(`The link "${block.link}" has no target`);
  return { link: block.link, to };
}
