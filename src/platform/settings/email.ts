import * as z from "zod";

/** A way to send e-mails by HTTP instead of by the binding. */
export type ResendAccount = { apiKey: string; apiUrl: string };

export type EmailSettings = {
  /** The address that e-mails come from; null until it is set, and e-mails wait for it. */
  from: string | null;
  shopName: string;
  /** The shop's postal address; empty if it shows none. */
  shopAddress: string;
  /** What the links of e-mails begin with: the storefront, or the Worker itself; never the host that a request named. */
  linkBase: string | null;
  /** The shop's page of an order, with {number} for the order's; null if none is set. */
  orderUrl: string | null;
  /** Where the panel is; null until the Worker's own address is set. */
  panelUrl: string | null;
  resend: ResendAccount | null;
};

/** Empty is not set. */
const optional = <Shape extends z.ZodType<string>>(shape: Shape) => z.union([z.literal(""), shape]).default("");

const PageOfOrder = z.url("is not an address").includes("{number}", "does not have {number}");

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
  orderUrl: bindings.ORDER_URL || null,
  panelUrl: bindings.WORKER_URL ? `${bindings.WORKER_URL}/admin` : null,
  resend: bindings.RESEND_API_KEY ? { apiKey: bindings.RESEND_API_KEY, apiUrl: bindings.RESEND_API_URL } : null,
});
