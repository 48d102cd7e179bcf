import type { EmailSettings } from "../settings/email.ts";
import type { ShopTexts } from "./emails.ts";
import { HtmlEmail, plainText, withAddress } from "./formats.tsx";
import { isolate, isolateTexts } from "./isolate.ts";
import type { Letter } from "./template.ts";
import { isTemplate, type TemplateName, templates } from "./templates.ts";

/** Input of a template: the recipient's name, whether they are staff, and the link's token. */
export type Filling = { name: string | null; toStaff: boolean; params: unknown; token: string | null };

export type Rendered = { subject: string; html: string; text: string };

type Shop = Pick<EmailSettings, "shopAddress" | "linkBase" | "staffLinkBase" | "orderUrl" | "panelUrl"> &
  ShopTexts & {
    /** Makes the token of a guest's link to an order. */
    orderToken: (reference: string) => string;
  };

const letterOf = (shop: Shop, name: string | null): Letter => ({
  shop: shop.shopName,
  name,
  contact: shop.contact,
  orderUrl: (order) => orderUrl(shop, order),
  panelUrl: (path) => shop.panelUrl && `${shop.panelUrl}${path}`,
});

/** Guests see an order by a link with a token, on the Worker's page if the shop has none. */
function orderUrl(shop: Shop, { reference, isGuest }: { reference: string; isGuest: boolean }): string | null {
  const page = shop.orderUrl?.replaceAll("{reference}", encodeURIComponent(reference)) ?? null;
  if (!isGuest) return page;
  const url = URL.parse(page ?? `${shop.staffLinkBase}${ORDER_PAGE}`);
  url?.searchParams.set("token", shop.orderToken(reference));
  return url?.href ?? null;
}

/** The Worker's page of a guest's order. */
const ORDER_PAGE = "/account/order";

/** Renders an e-mail as HTML and plain text from the same blocks. */
export async function render(
  shop: Shop,
  template: TemplateName,
  { name: buyer, toStaff, params, token }: Filling,
): Promise<Rendered> {
  const settings = { ...shop, shopName: isolate(shop.shopName) };
  const name = buyer && isolate(buyer);
  const { page, write } = templates[template];
  const { subject, blocks } = write(letterOf(settings, name), isolateTexts(params));
  // The shop may have pages for accounts, but has none for drafts.
  const base = toStaff || page === "draft" ? settings.staffLinkBase : settings.linkBase;
  const url = page && token !== null ? `${base}/account/${page}?token=${encodeURIComponent(token)}` : null;
  const parts = [name === null ? "Hello," : `Hello ${name},`, ...blocks.map((block) => withAddress(block, url))];
  const html = await (<HtmlEmail settings={settings} subject={subject} parts={parts} />).toString();
  return { subject, html: `<!doctype html>${html}`, text: plainText(settings, parts) };
}

/** The names of all e-mails. */
export const templateNames = Object.keys(templates).filter(isTemplate);

const PREVIEWED = "sfl_only-for-the-preview";

/** Renders an e-mail for a customer of that name, with an inactive link. */
export const preview = (settings: EmailSettings & ShopTexts, name: TemplateName): Promise<Rendered> =>
  render({ ...settings, linkBase: settings.linkBase ?? "https://shop.example", orderToken: () => PREVIEWED }, name, {
    name: "Ada Lovelace",
    toStaff: false,
    params: templates[name].sample,
    token: PREVIEWED,
  });
