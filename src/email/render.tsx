import type { EmailSettings } from "../settings/email.ts";
import { HtmlEmail } from "./html.tsx";
import { type TemplateName, templates } from "./templates/index.ts";
import type { Block } from "./templates/template.ts";

/** What is written into a template: for whom, and the token of its link. */
export type Filling = { name: string | null; params: unknown; token: string | null };

export type Rendered = { subject: string; html: string; text: string };

/** Writes an e-mail as HTML and as plain text, both from the same blocks. */
export async function render(
  settings: Pick<EmailSettings, "shopName" | "shopAddress" | "linkBase">,
  template: TemplateName,
  { name, params, token }: Filling,
): Promise<Rendered> {
  const { page, write } = templates[template];
  const { subject, blocks } = write({ shop: settings.shopName, name }, params);
  const url = page && token !== null ? `${settings.linkBase}/account/${page}?token=${encodeURIComponent(token)}` : null;
  const parts = [name === null ? "Hello," : `Hello ${name},`, ...blocks];
  const html = await (<HtmlEmail settings={settings} subject={subject} parts={parts} url={url} />).toString();
  return { subject, html: `<!doctype html>${html}`, text: plainText(settings, parts, url) };
}

function plainText(
  { shopName, shopAddress }: Pick<EmailSettings, "shopName" | "shopAddress">,
  parts: Block[],
  url: string | null,
) {
  const paragraphs = parts.map((part) => {
    if (typeof part === "string") return part;
    if ("link" in part) return `${part.link}:\n${url}`;
    return Object.entries(part.facts)
      .map(([name, value]) => `${name}: ${value}`)
      .join("\n");
  });
  const foot = ["-- ", shopName, shopAddress].filter(Boolean).join("\n");
  return `${[...paragraphs, foot].join("\n\n")}\n`;
}
