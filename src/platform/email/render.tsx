import type { Language } from "../../domain/language.ts";
import type { LinkedOrder } from "../auth/order-link.ts";
import type { EmailSettings } from "../settings/email.ts";
import type { ShopTexts } from "./emails.ts";
import { HtmlEmail, plainText, withAddress } from "./formats.tsx";
import { isolate, isolateTexts } from "./isolate.ts";
import { filled, translated, writerIn } from "./messages.ts";
import type { Block, EmailContent, Letter } from "./template.ts";
import { isTemplate, type TemplateName, templates } from "./templates.ts";
import type { OwnTexts } from "./texts.ts";

/** Input of a template: the recipient's name and language, whether they are staff, and the link's token. */
export type TemplateInput = {
  name: string | null;
  language: Language;
  ownTexts: OwnTexts | null;
  toStaff: boolean;
  params: unknown;
  token: string | null;
};

export type RenderedEmail = { subject: string; html: string; text: string };

type Shop = Pick<EmailSettings, "shopAddress" | "linkBase" | "staffLinkBase" | "orderUrl" | "panelUrl" | "imageBase"> &
  ShopTexts & {
    /** Makes the token of a guest's link to an order. */
    orderToken: (order: LinkedOrder) => string;
  };

const letterOf = (shop: Shop, { name, language }: Pick<TemplateInput, "name" | "language">): Letter => {
  const writer = writerIn(language);
  return {
    ...writer,
    say: (message, variables) => writer.say(message, { shop: shop.shopName, ...variables }),
    shop: shop.shopName,
    name,
    contact: shop.contact,
    orderUrl: (order) => orderUrl(shop, order),
    invoicesUrl: (order) => (order.isGuest ? guestOrderUrl(shop, order) : orderUrl(shop, order)),
    withdrawalUrl: (order) => withdrawalUrl(shop, order),
    panelUrl: (path) => shop.panelUrl && `${shop.panelUrl}${path}`,
    imageUrl: (url) => URL.parse(url, shop.imageBase ?? undefined)?.href ?? null,
  };
};

/** Guests see an order by a link with a token, on the Worker's page if the shop has none. */
function orderUrl(shop: Shop, order: Parameters<Letter["orderUrl"]>[0]): string | null {
  const { reference, isGuest } = order;
  const page = shop.orderUrl?.replaceAll("{reference}", encodeURIComponent(reference)) ?? null;
  return isGuest ? guestOrderUrl(shop, order, page ?? undefined) : page;
}

function guestOrderUrl(shop: Shop, order: LinkedOrder, page = `${shop.staffLinkBase}${ORDER_PAGE}`): string | null {
  const url = URL.parse(page);
  url?.searchParams.set("token", shop.orderToken(order));
  return url?.href ?? null;
}

/** The Worker's page. A guest's link knows the items of the order. */
function withdrawalUrl(shop: Shop, order: Parameters<Letter["withdrawalUrl"]>[0]) {
  const url = URL.parse(`${shop.staffLinkBase}/account/withdraw`);
  if (order.isGuest) url?.searchParams.set("token", shop.orderToken(order));
  else url?.searchParams.set("order", order.number);
  return url?.href ?? null;
}

/** The Worker's page of a guest's order. */
const ORDER_PAGE = "/account/order";

/** Renders an e-mail as HTML and plain text from the same blocks. */
export async function render(
  shop: Shop,
  template: TemplateName,
  { name: buyer, language, ownTexts, toStaff, params, token }: TemplateInput,
): Promise<RenderedEmail> {
  const settings = { ...shop, shopName: isolate(shop.shopName) };
  const name = buyer && isolate(buyer);
  const { page, write } = templates[template];
  const letter = letterOf(settings, { name, language });
  const { greeting, subject, blocks } = worded(letter, write(letter, isolateTexts(params)), ownTexts);
  // The shop may have pages for accounts, but has none for drafts.
  const base = toStaff || page === "draft" ? settings.staffLinkBase : settings.linkBase;
  const url = page && token !== null ? `${base}/account/${page}?token=${encodeURIComponent(token)}` : null;
  const src = settings.logo && letter.imageUrl(settings.logo.url);
  const logo = src ? { src, alt: settings.logo?.alt || settings.shopName } : null;
  const parts = [greeting, ...blocks.map((block) => withAddress(block, url))];
  const html = await (
    <HtmlEmail shop={{ ...settings, logo }} language={language} subject={subject} parts={parts} />
  ).toString();
  return { subject, html: `<!doctype html>${html}`, text: plainText(settings, parts) };
}

type EmailWording = { greeting: string; subject: string; blocks: Block[] };

/** The texts of an e-mail in the reader's language. E-mails to staff are in English. */
function worded({ shop, language, name, say }: Letter, content: EmailContent, own: OwnTexts | null): EmailWording {
  if (!("introduction" in content)) return { greeting: name === null ? "Hello," : `Hello ${name},`, ...content };
  const greeting = name === null ? say("Hello,") : say("Hello {name},", { name });
  const { subject, introduction, variables, blocks } = content;
  const fill = (text: string) => filled(text, { shop, ...variables });
  return {
    greeting,
    subject: fill(own?.subject ?? translated(subject, language)),
    blocks: [fill(own?.introduction ?? translated(introduction, language)), ...blocks],
  };
}

/** The names of all e-mails. */
export const templateNames = Object.keys(templates).filter(isTemplate);

const PREVIEWED = "sfl_only-for-the-preview";

/** An e-mail to preview: its texts, and an order's parameters instead of the sample. */
type EmailPreview = Pick<TemplateInput, "language" | "ownTexts"> & { params?: unknown };

/** Renders an e-mail for a customer of that name, with an inactive link. */
export const preview = (
  settings: EmailSettings & ShopTexts,
  name: TemplateName,
  { params = templates[name].sample, ...previewed }: EmailPreview,
): Promise<RenderedEmail> =>
  render({ ...settings, linkBase: settings.linkBase ?? "https://shop.example", orderToken: () => PREVIEWED }, name, {
    name: "Ada Lovelace",
    ...previewed,
    toStaff: false,
    params,
    token: PREVIEWED,
  });
