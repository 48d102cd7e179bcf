import * as z from "zod";
import { Image } from "../../catalogue/products/public.ts";
import { Address, ShownAddress, toShownAddress } from "../../domain/address.ts";
import { Email } from "../../domain/contact.ts";
import { iso, line, lineOrEmpty, partialUpdate, Text, Timestamp, unlessMissing } from "../../domain/fields.ts";
import { isIban } from "../../domain/iban.ts";
import { languageNames, languages } from "../../domain/language.ts";
import { Currency } from "../../domain/money.ts";
import { Country, Region } from "../../domain/place.ts";
import { TimeZone } from "../../domain/time.ts";
import { VatId } from "../../domain/vat-id.ts";
import { answersOf, auditedState, changeShape, declareFields } from "../../platform/administration/fields.ts";
import { agentAccesses, DEFAULT_COLOR, invoiceMoments, type shop } from "../../platform/db/schema.ts";

/** The settings. `currency` is the deployment's if none is saved. */
export type ShopRow = typeof shop.$inferSelect & { currency: string };
export type ShopState = Omit<ShopRow, "id" | "createdAt" | "updatedAt" | "utcOffset">;

/** Maximum characters of a text for buyers, which e-mails contain. */
const MAX_TEXT = 500;

/**
 * Numbers of orders appear in CSV files, URLs and on paper, so they must not contain formulas or control characters.
 */
const OrderNumberPrefix = lineOrEmpty(12).refine(
  (prefix) => /^[\p{L}\d#][\p{L}\p{M}\d#/._ -]*$|^$/u.test(prefix) && !/\d$/.test(prefix),
  "may contain letters, digits, #, -, /, . and _, must start with a letter, a digit or #, and must not end with a digit",
);

/** A line that may be missing. */
const legalLine = (most: number) => line(most).nullable();

const Iban = z
  .string()
  .transform((text) => text.replaceAll(/\s/g, "").toUpperCase())
  .refine(isIban, "must be a valid IBAN")
  .meta({ override: { type: "string", maxLength: 42 } });

/** Numbers of invoices appear in file names and CSV files, as those of orders do. */
const InvoicePrefix = z
  .string()
  .regex(
    /^(?:[A-Za-z][A-Za-z0-9/_-]{0,11})?$/,
    "may contain letters, digits, -, / and _, and must start with a letter",
  );

const Color = z
  .string()
  .toLowerCase()
  .regex(/^#[0-9a-f]{6}$/, "must be a color such as #1a56db");

const AgentHosts = z
  .array(
    z
      .string()
      .trim()
      .toLowerCase()
      .max(253)
      .refine((host) => URL.parse(`https://${host}`)?.host === host, "must be a host such as agent.example.com"),
  )
  .max(100)
  .transform((hosts) => [...new Set(hosts)])
  .describe("Hosts of `listed` agents");

/** Shop settings that administrators can edit. */
export const shopFields = declareFields<ShopState>()({
  name: { schema: line(100), derived: true, input: {} },
  address: {
    schema: Address.refine(({ vat_id }) => !vat_id, {
      path: ["vat_id"],
      error: "does not belong to the address. Enter the VAT ID of the shop (`vat_id`) instead",
    }).nullable(),
    answer: ShownAddress.nullable(),
  },
  home_country: {
    schema: Country.nullable().describe("Country of orders without one"),
    input: { as: "country", none: "Not set", hint: "Used for orders without a country, and to tax pickup orders." },
  },
  home_region: { schema: Region.nullable(), input: { hint: "State or province, if taxes depend on it, such as NY." } },
  currency: {
    schema: Currency,
    answer: z.string(),
    derived: true,
    input: { as: "choice", hint: "It cannot change once you have products or shipping methods.", options: [] },
  },
  prices_include_tax: {
    schema: z.boolean().describe("True if prices include tax"),
    initial: false,
    input: { hint: "Common in the European Union. If off, tax is added at checkout, as in the United States." },
  },
  contact: {
    schema: Text.max(MAX_TEXT).describe("Shown in e-mails and on guests' orders"),
    initial: "",
    input: {
      as: "lines",
      label: "How buyers reach you",
      rows: 2,
      hint: "E-mail address, telephone number, hours. Shown at the end of e-mails and on the order pages of guests.",
    },
  },
  time_zone: {
    schema: TimeZone.describe("IANA time zone, such as Europe/Berlin"),
    answer: z.string(),
    initial: "UTC",
    input: {
      as: "choice",
      hint: "Used in the panel, in e-mails and on invoices, and for the days of the sales report.",
      options: [],
    },
  },
  logo: {
    schema: Image.nullable(),
    answer: z.object({ url: z.string(), alt: z.string() }).nullable(),
  },
  color: {
    schema: Color.describe("Color of buttons in e-mails"),
    answer: z.string(),
    initial: DEFAULT_COLOR,
    input: { as: "color", hint: "Of buttons. Their text is black or white, whichever is easier to read." },
  },
  sender_name: { schema: line(100).nullable(), input: { hint: "Leave empty for the shop's name." } },
  reply_to: {
    schema: Email.nullable(),
    answer: z.string().nullable(),
    input: { as: "email", label: "Replies go to", hint: "Leave empty for the address that sends." },
  },
  language: {
    schema: z.enum(languages).describe("Language of e-mails to buyers whose own language is not known"),
    initial: "en",
    input: {
      as: "choice",
      label: "Language of e-mails",
      hint: "For buyers whose own language is not known.",
      options: Object.entries(languageNames),
    },
  },
  order_number_prefix: {
    schema: OrderNumberPrefix.describe("Such as `#` or `EU-`"),
    initial: "#",
    input: { label: "Prefix", hint: "Such as # or EU-. Earlier orders keep their numbers." },
  },
  order_number_start: {
    schema: z
      .int(unlessMissing("must be a whole number"))
      .min(1)
      .max(999_999_999)
      .describe("Must be above the last number"),
    initial: 1001,
    input: { label: "Next number", hint: "Can only be raised. Numbers count up without gaps." },
  },
  withdrawal_days: {
    schema: z
      .int(unlessMissing("must be a whole number"))
      .max(365)
      .refine((days) => days === 0 || days >= 14, "must be 0, or at least 14")
      .nullable()
      .describe("Days to withdraw: 0 or at least 14. Null follows `home_country`"),
    input: {
      label: "Days to withdraw",
      hint: "From 14, or 0 for none. If empty, 14 for shops in the European Economic Area.",
    },
  },
  delivery_days: {
    schema: z.int(unlessMissing("must be a whole number")).min(0).max(90).describe("Days from shipment to delivery"),
    initial: 7,
    input: { label: "Days from shipment to delivery", hint: "The days to withdraw are counted from the delivery." },
  },
  terms_required: {
    schema: z.boolean(),
    initial: false,
    input: {
      label: "Buyers must accept the terms",
      hint: "Checkout asks for it. The order shows which version was accepted.",
    },
  },
  agent_access: {
    schema: z
      .enum(agentAccesses)
      .describe(
        "Agents that may shop: `listed`, those of `agent_hosts` that sign; `signed`, any that signs; `open`, all",
      ),
    initial: "off",
    input: {
      as: "choice",
      label: "Who may shop",
      options: [
        ["off", "No assistants"],
        ["listed", "Only assistants of the websites below"],
        ["signed", "All assistants that prove who they are"],
        ["open", "All assistants"],
      ],
    },
  },
  agent_hosts: {
    schema: AgentHosts,
    answer: z.array(z.string()),
    initial: [],
    input: {
      as: "list",
      label: "Websites",
      rows: 4,
      hint: "One on each line, such as agent.example.com. The assistants must prove that they come from there.",
    },
  },
  alert_email: {
    schema: Email.nullable().describe("Null for all administrators"),
    answer: z.string().nullable(),
    input: { as: "email", label: "Send alerts to", hint: "Leave empty to e-mail all administrators." },
  },
  alert_error_percent: {
    schema: z
      .int(unlessMissing("must be a whole number"))
      .min(1)
      .max(100)
      .describe("Percentage of 5xx that raises an alert"),
    initial: 5,
    input: {
      label: "Error rate that raises an alert, in percent",
      hint: "Share of requests in ten minutes that failed because of an error in the shop.",
    },
  },
  vat_id: {
    schema: VatId.nullable().describe("Such as DE123456789"),
    answer: z.string().nullable(),
    input: { label: "VAT ID", hint: "With the country code, such as DE123456789." },
  },
  tax_number: {
    schema: legalLine(50),
    input: { hint: "Needed on invoices if you have no VAT ID." },
  },
  small_business: {
    schema: z.boolean().describe("True for a small business exempt from VAT"),
    initial: false,
    input: { label: "Small business, exempt from VAT" },
  },
  business_terms: {
    schema: Text.max(MAX_TEXT).nullable().describe("Terms on invoices to companies"),
    input: {
      as: "lines",
      label: "Terms for businesses",
      rows: 2,
      hint: "On their invoices, such as late payment penalties.",
    },
  },
  registration: {
    schema: legalLine(100),
    input: { label: "Company registration", hint: "Such as HRB 1234 B, Amtsgericht Charlottenburg, or a SIREN." },
  },
  iban: {
    schema: Iban.nullable(),
    answer: z.string().nullable(),
    input: { label: "IBAN", hint: "Shown on invoices that are not paid yet." },
  },
  invoice_email: {
    schema: Email.nullable(),
    answer: z.string().nullable(),
    input: { as: "email", label: "E-mail address on invoices" },
  },
  invoice_moment: {
    schema: z
      .enum(invoiceMoments)
      .describe("`payment` is when an order is shipped, if that is earlier. All but `manual` require `address`"),
    initial: "manual",
    input: {
      as: "choice",
      label: "Issue invoices",
      options: [
        ["manual", "By hand"],
        ["payment", "At payment"],
        ["shipment", "At shipment"],
      ],
    },
  },
  invoice_prefix: {
    schema: InvoicePrefix.describe("Such as `INV-`"),
    initial: "",
    input: { label: "Prefix", hint: "Such as INV- for INV-2030-00001. Numbers have no gaps and start anew each year." },
  },
});

export const ShopUpdate = partialUpdate("ShopUpdate", changeShape(shopFields));
export type ShopUpdate = z.output<typeof ShopUpdate>;

export const Shop = z
  .object({
    ...answersOf(shopFields),
    updated_at: Timestamp.nullable().describe("Time of the last change. Null if the settings were never saved"),
  })
  .meta({ id: "Shop" });

export const toShop = (row: ShopRow): z.output<typeof Shop> => ({
  ...auditedState(shopFields, row),
  address: row.address && toShownAddress(row.address),
  updated_at: row.updatedAt === 0 ? null : iso(row.updatedAt),
});
