import * as z from "zod";
import { ShopPageSummary, toShopPageSummary } from "../../../catalogue/pages/public.ts";
import { hasDoubtfulPostalCode } from "../../../domain/address.ts";
import { type FieldError, fieldError, unauthorized } from "../../../domain/errors.ts";
import { Money, toDecimal } from "../../../domain/money.ts";
import { OptionValues } from "../../../domain/option-values.ts";
import { minutesToPay, type PaymentMethod } from "../../../domain/payment-methods.ts";
import { countryName } from "../../../domain/place.ts";
import { countryOfVatId } from "../../../domain/vat-id.ts";
import type { ApiKeyCaller, SettingsContext, UserCaller, WriteContext } from "../../../platform/auth/caller.ts";
import { productTypes } from "../../../platform/db/schema.ts";
import type { Settings } from "../../../platform/settings/settings.ts";
import type { CartOwner } from "../../cart/public.ts";
import { connectedProviders, PaymentOption, paymentOptions } from "../../payments/public.ts";
import { shippingCountries } from "../../pricing/public.ts";
import {
  DiscountLine,
  ShippingMethod,
  ShownVatCheck,
  TaxLine,
  toDiscountLines,
  toTaxLines,
  toVatCheck,
} from "../schemas.ts";
import { type CheckoutDraft, draftCheckout } from "./draft.ts";
import { orderErrors } from "./order-errors.ts";
import {
  addressOf,
  atCurrentPrices,
  type OrderState,
  offerOf,
  type PricingFacts,
  readCartState,
  readFacts,
  readOrderState,
} from "./order-state.ts";
import { methodErrors, type PricedCheckout, priceCheckout } from "./price-order.ts";
import type { QuoteRequest } from "./schemas.ts";

/** Quotes the current price of these items or of the cart, with every reason to refuse the order, in one round trip. */
export async function createQuote(
  ctx: WriteContext<UserCaller | ApiKeyCaller>,
  { sent, owner }: { sent: QuoteRequest; owner: CartOwner },
): Promise<Quote> {
  const asked =
    sent.items?.map(({ product_id, quantity }) => ({ productId: product_id, quantity, unitPrice: 0 })) ?? [];
  const draft = draftCheckout(ctx, { sent, lines: asked });
  const { state, lines } = await read(ctx, draft, sent.cart ? owner : undefined);
  if (draft.userId !== null && !state.user) throw unauthorized("invalid_token", "The account no longer exists");
  return quoteOf({ settings: ctx.settings, state }, { ...draft, lines }, sent.payment_method);
}

/** Quotes a checkout from the state that was read for it. */
export function quoteOf(
  { settings, state }: { settings: Settings; state: OrderState },
  asked: CheckoutDraft,
  paymentMethod: PaymentMethod | undefined,
): Quote {
  const checkout = { ...asked, lines: atCurrentPrices(asked.lines, state) };
  const facts = readFacts(checkout, state);
  const priced = priceCheckout(checkout, facts);
  const { total } = priced.pricing;
  const terms = state.pages.find(({ slug, termsRequired }) => slug === "terms" && termsRequired);
  const paid = paymentMethod === undefined || total === 0 || minutesToPay(facts.rules.payments, paymentMethod) === 0;
  const problems = [
    ...(checkout.lines.length === 0 ? [fieldError("cart", "required", "is empty")] : []),
    ...orderErrors({ ...checkout, paymentMethod, total, paid }, state),
    ...priced.problems,
    ...methodErrors(checkout, facts.rules, { method: paymentMethod, total }),
  ];
  return {
    ...toQuote(checkout, priced, state, problems),
    shipping_countries: shippingCountries(facts.rules),
    payment_options: checkout.sandbox
      ? paymentOptions({}, { test: settings.sandbox && "test" }).filter(({ test }) => test)
      : paymentOptions(facts.rules.payments, connectedProviders(settings, facts.rules.accounts)),
    warnings: [...addressWarnings(checkout, facts), ...vatWarnings(checkout, priced)],
    asks_download_consent: checkout.lines.some(({ productId }) => offerOf(productId, state)?.needsConsent),
    terms: terms ? toShopPageSummary(terms) : null,
  };
}

async function read(ctx: SettingsContext, draft: CheckoutDraft, owner?: CartOwner) {
  if (!owner) return { state: await readOrderState(ctx, draft), lines: draft.lines };
  const { state, cart } = await readCartState(ctx, draft, owner);
  return { state, lines: cart.map((line) => ({ ...line, unitPrice: 0 })) };
}

const addressWarnings = ({ shippingAddress, billingAddress }: CheckoutDraft, facts: PricingFacts): Quote["warnings"] =>
  Object.entries({ shipping_address: shippingAddress, billing_address: billingAddress }).flatMap(([field, address]) => {
    const written = addressOf(address, facts);
    if (!written || !hasDoubtfulPostalCode(written)) return [];
    const message = `“${written.zip}” does not look like a postal code of ${countryName(written.country ?? "")}`;
    return [{ field: `${field}.zip`, code: "doubtful_postal_code" as const, message }];
  });

/** Tells a business with a VAT ID why its order is taxed. */
function vatWarnings(checkout: CheckoutDraft, { vatCheck, pricing }: PricedCheckout) {
  if (!vatCheck || pricing.taxTotal === 0) return [];
  const field = `${checkout.billingAddress ? "billing_address" : "shipping_address"}.vat_id`;
  const country = countryName(countryOfVatId(vatCheck.vatId) ?? "");
  const reasons = {
    valid: `The VAT ID is from ${country}, not from the country where this order is taxed`,
    invalid: "The VAT ID is not registered",
    other_name: "The VAT ID is registered to another company. Enter the company name as registered",
    unavailable:
      "The VAT ID could not be checked, because the tax authorities' service did not respond. Try again later",
  };
  return [{ field, code: "vat_id_without_effect" as const, message: reasons[vatCheck.status] }];
}

const toOption = <Method extends { price: number }>({ price, ...method }: Method) => ({
  ...method,
  price: toDecimal(price),
});

export function toQuote(
  { currency, lines }: CheckoutDraft,
  { pricing, taxExemptReason, vatCheck }: PricedCheckout,
  state: OrderState,
  problems: readonly FieldError[],
): Omit<Quote, "shipping_countries" | "payment_options" | "warnings" | "terms" | "asks_download_consent"> {
  const { pricesIncludeTax, shippingMethod } = pricing;
  return {
    currency,
    items: lines.map((line, index) => {
      const sold = line.kept ? state.products.get(line.productId) : offerOf(line.productId, state);
      const { name = null, sku = null, optionValues = [], type = null } = sold ?? {};
      const { total = 0, discount = 0, tax = 0, taxLines = [] } = pricing.lines[index] ?? {};
      return {
        product_id: line.productId,
        name,
        sku,
        option_values: optionValues,
        type,
        quantity: line.quantity,
        unit_price: toDecimal(line.unitPrice),
        total: toDecimal(total),
        discount: toDecimal(discount),
        tax: toDecimal(tax),
        tax_lines: toTaxLines(taxLines, pricesIncludeTax),
      };
    }),
    subtotal: toDecimal(pricing.subtotal),
    discount_total: toDecimal(pricing.discountTotal),
    shipping_total: toDecimal(pricing.shippingTotal),
    tax_total: toDecimal(pricing.taxTotal),
    prices_include_tax: pricesIncludeTax,
    total: toDecimal(pricing.total),
    tax_lines: toTaxLines(pricing.taxLines, pricesIncludeTax),
    tax_exempt_reason: taxExemptReason,
    vat_check: toVatCheck(vatCheck),
    discounts: toDiscountLines(pricing.discounts).map((discount, index) => ({
      ...discount,
      item_amounts: (pricing.discounts[index]?.off ?? []).map((amount) => toDecimal(amount)),
    })),
    shipping_method: shippingMethod && toOption(shippingMethod),
    shipping_options: pricing.shippingOptions.map(toOption),
    problems: problems.map(({ field, code, message, facts }) => ({ field, code, message, ...facts })),
  };
}

export const QuoteLine = z.object({
  product_id: z.int(),
  name: z.string().nullable().describe("Name of the product. Null if it is not for sale"),
  sku: z.string().nullable(),
  option_values: OptionValues,
  type: z.enum(productTypes).nullable(),
  quantity: z.int(),
  unit_price: Money,
  total: Money.describe("Unit price multiplied by quantity"),
  discount: Money,
  tax: Money,
  tax_lines: z.array(TaxLine),
});

const QuoteDiscount = DiscountLine.extend({
  item_amounts: z
    .array(Money)
    .describe("Reduction of each item, in the order of `items`. Empty if the discount reduces only shipping"),
}).meta({ id: "QuoteDiscount" });

const ChosenShipping = z.object({ ...ShippingMethod.shape, price: Money });

const ShippingOption = ChosenShipping.extend({ id: z.int() }).meta({
  id: "ShippingOption",
  description: "A shipping option. `kind` is `pickup` if the buyer collects the order",
});

const QuoteProblem = z.looseObject({ field: z.string(), code: z.string(), message: z.string() }).meta({
  id: "QuoteProblem",
  description: "A problem that would prevent the order, with the same members as an error's `details`",
});

const QuoteWarning = z
  .object({ field: z.string(), code: z.enum(["doubtful_postal_code", "vat_id_without_effect"]), message: z.string() })
  .meta({ id: "QuoteWarning", description: "Something to check before ordering. It does not prevent the order" });

/** The current price of an order. */
export const Quote = z
  .object({
    currency: z.string(),
    items: z.array(QuoteLine),
    subtotal: Money,
    discount_total: Money,
    shipping_total: Money,
    tax_total: Money,
    prices_include_tax: z.boolean(),
    total: Money.describe("Total to send as `expected_total` of the order"),
    tax_lines: z.array(TaxLine),
    tax_exempt_reason: z.string().nullable(),
    vat_check: ShownVatCheck.nullable(),
    discounts: z.array(QuoteDiscount),
    shipping_method: ChosenShipping.nullable().describe("Chosen shipping option, or the cheapest one"),
    shipping_options: z.array(ShippingOption).describe("Available shipping options, cheapest first and pickup last"),
    shipping_countries: z
      .array(z.string())
      .nullable()
      .describe(
        "Country codes of all shipping zones with a shipping method. Null if one of them covers the rest of the world, or the shop has no zones",
      ),
    payment_options: z
      .array(PaymentOption)
      .describe("Payment methods that the shop offers. Those whose payment provider is not connected are left out"),
    problems: z.array(QuoteProblem).describe("Problems that would prevent the order. Empty if the order can be placed"),
    warnings: z
      .array(QuoteWarning)
      .describe("Fields that the buyer should check, such as an unusual postal code. The order can be placed"),
    asks_download_consent: z
      .boolean()
      .describe(
        "True if the order has downloads from which the buyer can withdraw: ask for `download_consent` of the order",
      ),
    terms: ShopPageSummary.nullable().describe(
      "Terms that the buyer must accept: send their `version` as `accepted_terms` of the order. Null if the shop asks for none",
    ),
  })
  .meta({ id: "Quote" });
export type Quote = z.output<typeof Quote>;
