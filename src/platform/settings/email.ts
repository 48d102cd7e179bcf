import * as z from "zod";

/** An account that sends e-mails by HTTP instead of the binding. */
export type ResendAccount = { apiKey: string; apiUrl: string };

export type EmailSettings = {
  /** Sender address of e-mails. E-mails wait while it is null. */
  from: string | null;
  shopName: string;
  /** Postal address of the shop. Empty if e-mails show none. */
  shopAddress: string;
  /** Base of links in e-mails: the storefront or the Worker itself, never the host named by a request. */
  linkBase: string | null;
  /** Base of links in e-mails to staff, whose passwords a storefront's API key cannot reset. */
  staffLinkBase: string | null;
  /** Address of the storefront. Null if not set. */
  shopUrl: string | null;
  /** The shop's page of an order, with {reference} as a placeholder. Null if not set. */
  orderUrl: string | null;
  /** Base of the addresses of uploaded images. Null until the Worker's own address is set. */
  imageBase: string | null;
  /** Address of the panel. Null until the Worker's own address is set. */
  panelUrl: string | null;
  resend: ResendAccount | null;
};

/** An empty value counts as not set. */
const optional = <Shape extends z.ZodType<string>>(shape: Shape) => z.union([z.literal(""), shape]).default("");

const PageOfOrder = z.url("is not an address").includes("{reference}", "does not have {reference}");

const Base = z.url("is not an address").transform((url) => url.replace(/\/+$/, ""));

export const emailBindings = {
  MAIL_FROM: optional(z.email("is not an e-mail address")),
  SHOP_NAME: z.string().trim().min(1, "is empty").max(100),
  SHOP_ADDRESS: z.string().trim().max(300).default(""),
  SHOP_URL: optional(Base),
  WORKER_URL: optional(Base),
  ORDER_URL: optional(PageOfOrder),
  RESEND_API_KEY: z.string().default(""),
  RESEND_API_URL: z.url("is not an address"),
};

type Bindings = { [Name in keyof typeof emailBindings]: z.output<(typeof emailBindings)[Name]> };

export const readEmailSettings = (bindings: Bindings): EmailSettings => ({
  from: bindings.MAIL_FROM || null,
  shopName: bindings.SHOP_NAME,
  shopAddress: bindings.SHOP_ADDRESS,
  linkBase: bindings.SHOP_URL || bindings.WORKER_URL || null,
  staffLinkBase: bindings.WORKER_URL || bindings.SHOP_URL || null,
  shopUrl: bindings.SHOP_URL || (bindings.ORDER_URL && new URL(bindings.ORDER_URL).origin) || null,
  orderUrl: bindings.ORDER_URL || null,
  imageBase: bindings.WORKER_URL || null,
  panelUrl: bindings.WORKER_URL ? `${bindings.WORKER_URL}/admin` : null,
  resend: bindings.RESEND_API_KEY ? { apiKey: bindings.RESEND_API_KEY, apiUrl: bindings.RESEND_API_URL } : null,
});
