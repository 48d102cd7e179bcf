import type { EmailSettings } from "../settings/email.ts";
import { HtmlEmail } from "./html.tsx";
import { plainText, withAddress } from "./plain-text.ts";
import { isTemplate, type TemplateName, templates } from "./templates/index.ts";
import type { Letter } from "./templates/template.ts";

/** Input of a template: the recipient's name, whether they are staff, and the link's token. */
export type Filling = { name: string | null; toStaff: boolean; params: unknown; token: string | null };

export type Rendered = { subject: string; html: string; text: string };

type Shop = Pick<EmailSettings, "shopName" | "shopAddress" | "linkBase" | "staffLinkBase" | "orderUrl" | "panelUrl">;

const letterOf = ({ shopName, orderUrl, panelUrl }: Shop, name: string | null): Letter => ({
  shop: shopName,
  name,
  orderUrl: (number) => orderUrl?.replaceAll("{number}", encodeURIComponent(number)) ?? null,
  panelUrl: (path) => panelUrl && `${panelUrl}${path}`,
});

/** Renders an e-mail as HTML and plain text from the same blocks. */
export async function render(
  settings: Shop,
  template: TemplateName,
  { name, toStaff, params, token }: Filling,
): Promise<Rendered> {
  const { page, write } = templates[template];
  const { subject, blocks } = write(letterOf(settings, name), params);
  const base = toStaff ? settings.staffLinkBase : settings.linkBase;
  const url = page && token !== null ? `${base}/account/${page}?token=${encodeURIComponent(token)}` : null;
  const parts = [name === null ? "Hello," : `Hello ${name},`, ...blocks.map((block) => withAddress(block, url))];
  const html = await (<HtmlEmail settings={settings} subject={subject} parts={parts} />).toString();
  return { subject, html: `<!doctype html>${html}`, text: plainText(settings, parts) };
}

/** The names of all e-mails. */
export const templateNames = Object.keys(templates).filter(isTemplate);

/** Renders an e-mail for a customer of that name, with an inactive link. */
export const preview = (settings: EmailSettings, name: TemplateName): Promise<Rendered> =>
  render({ ...settings, linkBase: settings.linkBase ?? "https://shop.example" }, name, {
    name: "Ada Lovelace",
    toStaff: false,
    params: templates[name].sample,
    token: "sfl_only-for-the-preview",
  });
