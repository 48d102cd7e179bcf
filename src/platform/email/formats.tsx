import type { Language } from "../../domain/language.ts";
import type { EmailSettings } from "../settings/email.ts";
import type { Block, EmailLine } from "./template.ts";

// Mail programs support tables and inline styles, and most support media queries. The layout needs no images.

const STYLE = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (prefers-color-scheme: dark) {
    .page { background: #16181d !important; }
    .letter { background: #1f2228 !important; }
    .letter, .letter h1, .letter p, .letter td { color: #e8e9ec !important; }
    .letter .cell { border-color: #3a3f49 !important; }
    .letter .quiet { color: #a3a8b2 !important; }
    .letter a.button { background: #8ab4ff !important; color: #10131a !important; }
    .letter a.plain { color: #8ab4ff !important; }
  }`;

const TEXT = "margin: 0 0 16px; font-size: 16px; line-height: 24px; color: #1c1e21;";
const TITLE = "margin: 0 0 20px; font-size: 20px; line-height: 28px; color: #1c1e21;";
const QUIET = "margin: 0 0 16px; font-size: 13px; line-height: 20px; color: #5c626b;";
const FONT = "font-family: system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif;";
const CELL = "font-size: 15px; line-height: 22px; color: #1c1e21; vertical-align: top;";
const BUTTON =
  "display: inline-block; padding: 12px 20px; border-radius: 6px; background: #1a56db; color: #ffffff; font-weight: 600; text-decoration: none;";

type HtmlEmailProps = {
  settings: Pick<EmailSettings, "shopName" | "shopAddress"> & { contact: string };
  language: Language;
  subject: string;
  parts: TextPart[];
};

export const HtmlEmail = ({
  settings: { shopName, shopAddress, contact },
  language,
  subject,
  parts,
}: HtmlEmailProps) => (
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
                    <h1 style={TITLE}>{subject}</h1>
                    {parts.map((part) => (
                      <Part part={part} />
                    ))}
                  </td>
                </tr>
                <tr>
                  <td style="padding: 0 28px 16px;">
                    <p class="quiet" style={QUIET}>
                      {[shopName, shopAddress].filter(Boolean).join(", ")}
                    </p>
                    {contact && (
                      <p class="quiet" style={`${QUIET} white-space: pre-line;`}>
                        {contact}
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

const Part = ({ part }: { part: TextPart }) => {
  if (typeof part === "string") return <p style={TEXT}>{part}</p>;
  if ("facts" in part) return <Facts facts={part.facts} />;
  if ("lines" in part) return <Lines lines={part.lines} totals={part.totals ?? []} />;
  return (
    <>
      <p style={TEXT}>
        <a class="button" href={part.to} style={BUTTON}>
          {part.link}
        </a>
      </p>
      <p class="quiet" style={`${QUIET} word-break: break-all;`}>
        Or open this address:{" "}
        <a class="plain" href={part.to} style="color: #1a56db;">
          {part.to}
        </a>
      </p>
    </>
  );
};

const Lines = ({ lines, totals }: { lines: EmailLine[]; totals: EmailLine[] }) => (
  <table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin: 0 0 20px;">
    {lines.map((line) => (
      <Row line={line} style="padding: 8px 0; border-bottom: 1px solid #e3e5e8;" />
    ))}
    {totals.map((line, index) => (
      <Row line={line} style={index === totals.length - 1 ? "padding: 4px 0; font-weight: 600;" : "padding: 4px 0;"} />
    ))}
  </table>
);

const Row = ({ line: { text, detail, amount = "" }, style }: { line: EmailLine; style: string }) => (
  <tr>
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
export function plainText(
  { shopName, shopAddress, contact }: Pick<EmailSettings, "shopName" | "shopAddress"> & { contact: string },
  parts: TextPart[],
) {
  const foot = ["-- ", shopName, shopAddress, contact].filter(Boolean).join("\n");
  return `${[...parts.map(written), foot].join("\n\n")}\n`;
}

function written(part: TextPart): string {
  if (typeof part === "string") return part;
  if ("link" in part) return `${part.link}:\n${part.to}`;
  if ("lines" in part) return columns(part.lines, part.totals ?? []);
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
