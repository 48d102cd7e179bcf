import type { EmailSettings } from "../settings/email.ts";
import type { Block, EmailLine } from "./templates/template.ts";

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
  if (to === null) throw new Error(`The link "${block.link}" leads nowhere`);
  return { link: block.link, to };
}
