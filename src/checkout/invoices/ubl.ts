import type { Address } from "../../domain/address.ts";
import { formatAmount } from "../../domain/money.ts";
import { describeOptions } from "../../domain/option-values.ts";
import { isManualMethod } from "../../domain/payment-methods.ts";
import { toPercent } from "../../domain/percent.ts";
import { isInEuropeanUnion } from "../../domain/place.ts";
import type { TaxExemption } from "../../platform/db/schema.ts";
import { rateSum } from "../pricing/public.ts";
import { type InvoiceLine, type InvoiceRow, linesOfInvoice, type TaxGroup, taxGroups, taxOfLine } from "./document.ts";
import { nameOfLine, paymentOfInvoice } from "./words.ts";

// EN 16931 as UBL 2.1: docs.peppol.eu/poacc/billing/3.0 and XRechnung 3.0 (xeinkauf.de) have the elements in their order. The
// codes of EN 16931 stand beside them.

const PROFILE = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0";

const ublProfiles = {
  xrechnung: "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0",
  peppol: "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0",
} as const;

const UBL = "urn:oasis:names:specification:ubl:schema:xsd";

/** Types of documents in the code list UNTDID 1001 (BT-3). */
const typeCodes = { invoice: 380, credit_note: 381, corrected_invoice: 384 } satisfies Record<
  InvoiceRow["type"],
  number
>;

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** An element. One without a value is left out. */
const cbc = (name: string, value: string | number | null | undefined, attributes = ""): string =>
  value === null || value === undefined || value === ""
    ? ""
    : `<cbc:${name}${attributes}>${escaped(String(value))}</cbc:${name}>`;

const cac = (name: string, ...content: string[]): string =>
  content.some(Boolean) ? `<cac:${name}>${content.join("")}</cac:${name}>` : "";

type Money = (name: string, minor: number) => string;

type Profile = keyof typeof ublProfiles;

/**
 * Profiles whose rules an invoice can meet, the usual one of its seller first. All want an identifier of the seller (BR-CO-26),
 * and Peppol, which has no scheme for e-mail addresses, the VAT IDs of both (PEPPOL-EN16931-CL008).
 */
export function profilesOf({ seller, content }: InvoiceRow): Profile[] {
  const { vatId, taxNumber, registration } = seller;
  if (vatId === null && taxNumber === null && registration === null) return [];
  const buyer = content.billingAddress ?? content.shippingAddress;
  const hasPeppol = [vatId, buyer?.vat_id].every((id) => peppolSchemes.has(id?.slice(0, 2) ?? ""));
  if (!hasPeppol) return ["xrechnung"];
  return seller.address.country === "DE" ? ["xrechnung", "peppol"] : ["peppol", "xrechnung"];
}

/** The invoice as UBL. Amounts of a credit note are positive there. */
export function invoiceUbl(invoice: InvoiceRow, profile: Profile): string {
  const { type, content, corrects, currency } = invoice;
  const isCredit = type === "credit_note";
  const root = isCredit ? "CreditNote" : "Invoice";
  const lines = linesOfInvoice(invoice)
    .map((line) => ({ ...line, name: nameOfLine(invoice, line) }))
    .map((line) => (isCredit ? negated(line) : line));
  const money: Money = (name, minor) => cbc(name, formatAmount(minor, currency), ` currencyID="${currency}"`);
  const categoryOf = categories(invoice);
  const parts = [
    cbc("CustomizationID", ublProfiles[profile]),
    cbc("ProfileID", PROFILE),
    cbc("ID", invoice.number),
    cbc("IssueDate", invoice.issuedOn),
    isCredit ? "" : cbc("DueDate", content.paidOn ?? content.dueOn ?? invoice.issuedOn),
    cbc(`${root}TypeCode`, typeCodeOf(type, profile)),
    cbc("DocumentCurrencyCode", currency),
    cbc("BuyerReference", content.number),
    period(invoice),
    cac("OrderReference", cbc("ID", content.number)),
    corrects
      ? cac(
          "BillingReference",
          cac("InvoiceDocumentReference", cbc("ID", corrects.number), cbc("IssueDate", corrects.issuedOn)),
        )
      : "",
    sellerParty(invoice, profile),
    buyerParty(invoice, profile),
    cac("Delivery", cbc("ActualDeliveryDate", content.deliveredOn), deliveryLocation(content)),
    paymentMeans(invoice),
    cac("PaymentTerms", cbc("Note", paymentOfInvoice(invoice).join(", "))),
    taxTotal(lines, money, categoryOf),
    totals(invoice, money),
    ...lines.map((line, at) => lineOf(line, at + 1, { isCredit, money, categoryOf })),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="${UBL}:${root}-2" xmlns:cac="${UBL}:CommonAggregateComponents-2" xmlns:cbc="${UBL}:CommonBasicComponents-2">${parts.join("")}</${root}>
`;
}

/** In the Peppol network, a corrected invoice is one of the usual type, except among Germans (PEPPOL-EN16931-P0112). */
const typeCodeOf = (type: InvoiceRow["type"], profile: Profile): number =>
  typeCodes[profile === "peppol" && type === "corrected_invoice" ? "invoice" : type];

const negated = (line: InvoiceLine): InvoiceLine => ({
  ...line,
  quantity: -line.quantity,
  net: -line.net,
  taxes: line.taxes.map((tax) => ({ ...tax, amount: -tax.amount })),
});

const postalAddress = (name: string, address: Address | null, country: string | null): string =>
  cac(
    name,
    cbc("StreetName", address?.address),
    cbc("AdditionalStreetName", address?.address2),
    cbc("CityName", address?.city),
    cbc("PostalZone", address?.zip),
    cac("Country", cbc("IdentificationCode", address?.country ?? country)),
  );

/** Electronic address (BT-34, BT-49): in the Peppol network the VAT ID, if there is one, and otherwise the e-mail address. */
function endpoint(profile: Profile, email: string | null, vatId: string | null | undefined): string {
  const scheme = profile === "peppol" ? peppolSchemes.get(vatId?.slice(0, 2) ?? "") : undefined;
  if (!vatId || !scheme) return cbc("EndpointID", email, ' schemeID="EM"');
  return cbc("EndpointID", scheme === BELGIAN ? vatId.slice(2) : vatId, ` schemeID="${scheme}"`);
}

/** Peppol's schemes for VAT IDs by their prefix (docs.peppol.eu/edelivery/codelists). Belgians write theirs without the country. */
const BELGIAN = "0208";
const peppolSchemes = new Map(
  `AT9914 BE${BELGIAN} BG9926 CY9928 CZ9929 DE9930 DK0184 EE9931 EL9933 ES9920 FI0213 FR9957 GB9932 HR9934 HU9910 IE9935 IT0211
  LT9937 LU9938 LV9939 MT9943 NL9944 PL9945 PT9946 RO9947 SI9949 SK9950`
    .split(/\s+/)
    .map((pair) => [pair.slice(0, 2), pair.slice(2)]),
);

const taxScheme = (id: "VAT" | "FC"): string => cac("TaxScheme", cbc("ID", id));

function sellerParty({ seller, content }: InvoiceRow, profile: Profile): string {
  const { name, address, email, vatId, taxNumber, registration } = seller;
  return cac(
    "AccountingSupplierParty",
    cac(
      "Party",
      endpoint(profile, email, vatId),
      cac("PartyIdentification", cbc("ID", vatId === null && registration === null ? taxNumber : null)),
      postalAddress("PostalAddress", address, content.country),
      vatId === null ? "" : cac("PartyTaxScheme", cbc("CompanyID", vatId), taxScheme("VAT")),
      taxNumber === null ? "" : cac("PartyTaxScheme", cbc("CompanyID", taxNumber), taxScheme("FC")),
      cac("PartyLegalEntity", cbc("RegistrationName", name), cbc("CompanyID", registration)),
      cac("Contact", cbc("Name", address.name), cbc("Telephone", address.phone), cbc("ElectronicMail", email)),
    ),
  );
}

function buyerParty({ content }: InvoiceRow, profile: Profile): string {
  const { billingAddress, shippingAddress, customerName, customerEmail, country } = content;
  const address = billingAddress ?? shippingAddress;
  return cac(
    "AccountingCustomerParty",
    cac(
      "Party",
      endpoint(profile, customerEmail, address?.vat_id),
      postalAddress("PostalAddress", address, country),
      cac("PartyTaxScheme", cbc("CompanyID", address?.vat_id), address?.vat_id ? taxScheme("VAT") : ""),
      cac(
        "PartyLegalEntity",
        cbc("RegistrationName", address?.company ?? address?.name ?? customerName ?? customerEmail),
      ),
    ),
  );
}

/** From order to invoice, if nothing is delivered yet: a supply within the Union needs a date (BR-IC-11). */
const period = ({ content: { deliveredOn, orderedOn }, issuedOn }: InvoiceRow): string =>
  deliveredOn === null ? cac("InvoicePeriod", cbc("StartDate", orderedOn), cbc("EndDate", issuedOn)) : "";

/** Address to which goods are sent (BG-15). */
const deliveryLocation = ({ shippingAddress, country }: InvoiceRow["content"]): string =>
  shippingAddress === null ? "" : cac("DeliveryLocation", postalAddress("Address", shippingAddress, country));

/** A transfer to the seller's account, cash, or an online payment (BT-81, UNTDID 4461). */
function paymentMeans({ content: { paymentMethod }, seller: { iban } }: InvoiceRow): string {
  const code = cbc("PaymentMeansCode", paymentMethod === "cash" ? 10 : isManualMethod(paymentMethod) && iban ? 58 : 68);
  const account = code.includes(">58<") ? cac("PayeeFinancialAccount", cbc("ID", iban)) : "";
  return cac("PaymentMeans", code, account);
}

/** Category of a tax (BT-118, UNCL 5305), with the reason for none and its code (BT-121, code list VATEX). */
type Category = {
  id: "S" | "Z" | "E" | "G" | "O" | "AE" | "K";
  percent: number | null;
  reason: string | null;
  code?: string;
};

const exemptCategories = {
  reverse_charge: { id: "AE", code: "VATEX-EU-AE" },
  intra_community_supply: { id: "K", code: "VATEX-EU-IC" },
  export: { id: "G", code: "VATEX-EU-G" },
  small_business: { id: "E" },
  // An invoice with category O can have no other (BR-O-11), so a voucher beside taxed goods is exempt.
  voucher: { id: "E" },
} as const satisfies Record<TaxExemption, Pick<Category, "id" | "code">>;

/** Without a VAT ID or tax number of the seller, nothing is subject to VAT. */
const categories =
  ({ content, seller: { vatId, taxNumber } }: InvoiceRow) =>
  ({ taxes }: Pick<TaxGroup, "taxes">): Category => {
    const { taxExemptReason, country } = content;
    const percent = toPercent(rateSum(taxes));
    if (percent > 0) return { id: "S", percent, reason: null };
    const exemption = taxes.find((tax) => tax.exemption)?.exemption;
    if (exemption) return { ...exemptCategories[exemption], percent, reason: taxExemptReason };
    if (vatId === null && taxNumber === null) return { id: "O", percent: null, reason: "Not subject to VAT" };
    if (taxExemptReason !== null) return { id: "E", percent, reason: taxExemptReason };
    if (country !== null && !isInEuropeanUnion(country)) return { id: "G", percent, reason: "Export outside the EU" };
    return { id: "Z", percent, reason: null };
  };

type CategoryOf = ReturnType<typeof categories>;

const taxCategory = (name: string, { id, percent, reason, code }: Category): string =>
  cac(
    name,
    cbc("ID", id),
    // Germany wants the rate of what is not subject to VAT in the sums (BR-DE-14), and EN 16931 forbids it on lines (BR-O-05).
    cbc("Percent", name === "TaxCategory" ? (percent ?? 0) : percent),
    cbc("TaxExemptionReasonCode", name === "TaxCategory" ? code : null),
    cbc("TaxExemptionReason", name === "TaxCategory" ? reason : null),
    taxScheme("VAT"),
  );

const taxTotal = (lines: readonly InvoiceLine[], money: Money, categoryOf: CategoryOf): string => {
  const groups = [...Map.groupBy(taxGroups(lines), (group) => JSON.stringify(categoryOf(group))).values()].map(
    (all) => ({
      category: categoryOf(all[0] ?? { taxes: [] }),
      net: all.reduce((sum, { net }) => sum + net, 0),
      tax: all.reduce((sum, group) => sum + taxOfLine(group), 0),
    }),
  );
  return cac(
    "TaxTotal",
    money(
      "TaxAmount",
      groups.reduce((sum, { tax }) => sum + tax, 0),
    ),
    ...groups.map(({ category, net, tax }) =>
      cac("TaxSubtotal", money("TaxableAmount", net), money("TaxAmount", tax), taxCategory("TaxCategory", category)),
    ),
  );
};

function totals({ type, total, tax, content }: InvoiceRow, money: Money): string {
  const sign = type === "credit_note" ? -1 : 1;
  const [gross, net] = [sign * total, sign * (total - tax)];
  return cac(
    "LegalMonetaryTotal",
    money("LineExtensionAmount", net),
    money("TaxExclusiveAmount", net),
    money("TaxInclusiveAmount", gross),
    content.paidOn === null ? "" : money("PrepaidAmount", gross),
    money("PayableAmount", content.paidOn === null ? gross : 0),
  );
}

/** A line whose price is not negative (BR-27): the quantity has the sign of the amount. */
function lineOf(
  line: InvoiceLine,
  id: number,
  { isCredit, money, categoryOf }: { isCredit: boolean; money: Money; categoryOf: CategoryOf },
): string {
  const [kind, quantityName] = isCredit ? ["CreditNoteLine", "CreditedQuantity"] : ["InvoiceLine", "InvoicedQuantity"];
  const units = Math.abs(line.quantity) || 1;
  return cac(
    kind as string,
    cbc("ID", id),
    cbc(quantityName as string, (line.net < 0 ? -1 : 1) * units, ' unitCode="C62"'),
    money("LineExtensionAmount", line.net),
    cac(
      "Item",
      cbc("Description", describeOptions(line.options)),
      cbc("Name", line.name),
      cac("SellersItemIdentification", cbc("ID", line.sku)),
      taxCategory("ClassifiedTaxCategory", categoryOf(line)),
    ),
    cac("Price", money("PriceAmount", Math.abs(line.net)), cbc("BaseQuantity", units, ' unitCode="C62"')),
  );
}
