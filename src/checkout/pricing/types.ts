import type { Language } from "../../domain/language.ts";
import type { ConnectedAccounts, PaymentChoices } from "../../domain/payment-methods.ts";
import type {
  discounts,
  OrderDiscount,
  OrderShippingMethod,
  ProductType,
  RenewalInterval,
  ShippingPlace,
  StoredTaxLine,
  shippingMethods,
  shippingZones,
  TaxClass,
  TaxExemption,
  taxRates,
} from "../../platform/db/schema.ts";

// Inputs and results of price calculation. Money is in minor units, rates and percentages in millionths.

/** A country or region, with the postal code if an address names one. */
type AddressedPlace = ShippingPlace & { zip?: string | null | undefined };

export type { AddressedPlace as Place };

export type Zone = Pick<typeof shippingZones.$inferSelect, "id" | "name" | "places" | "restOfWorld">;

export type RatedMethod = Omit<typeof shippingMethods.$inferSelect, "enabled" | "createdAt" | "updatedAt">;

/** A rate of the shop, or of 0 with the exemption that replaces the rates. */
export type ApplicableRate = Omit<typeof taxRates.$inferSelect, "createdAt" | "updatedAt"> & {
  exemption?: TaxExemption;
};

/**
 * Returns the tax rates of a class of products at a place. By default the shop's table; a tax service can replace it with the
 * rates it returned for an order's addresses.
 */
export type RatesAt = (place: AddressedPlace | null, taxClass: TaxClass) => ApplicableRate[];

/** A discount of the shop, or one that staff give a single order, whose `id` is null. */
export type AnyDiscount = Omit<Discount, "id"> & { id: number | null };

/** A discount as it was read. `updatedAt` is the version that an order is written with. */
export type Discount = Omit<typeof discounts.$inferSelect, "foldedName" | "createdAt">;

/**
 * The merchant's pricing rules apart from the catalogue, at one version: enabled shipping methods, and discounts without a
 * code.
 */
export type Rules = {
  version: string;
  homeCountry: string | null;
  homeRegion: string | null;
  pricesIncludeTax: boolean;
  /** VAT ID of the shop. Null if it has none. */
  vatId: string | null;
  /** True for a small business that is exempt from VAT. */
  smallBusiness: boolean;
  /** Language of documents for buyers whose own is not known. */
  language: Language;
  zones: readonly Zone[];
  methods: readonly RatedMethod[];
  rates: readonly ApplicableRate[];
  discounts: readonly Discount[];
  /** How the shop offers payment methods. */
  payments: PaymentChoices;
  accounts: ConnectedAccounts;
};

/** Rules of a shop without any setup: buyers pay prices only. */
export const NO_RULES: Rules = {
  version: "",
  homeCountry: null,
  homeRegion: null,
  pricesIncludeTax: false,
  vatId: null,
  smallBusiness: false,
  language: "en",
  zones: [],
  methods: [],
  rates: [],
  discounts: [],
  payments: {},
  accounts: {},
};

/** Product facts that prices depend on, besides the product's own price. */
export type ProductFacts = {
  type: ProductType;
  requiresShipping: boolean;
  categoryId: number | null;
  taxClass: TaxClass;
  weightGrams: number | null;
  /** The product that this one is a variant of. */
  parentId: number | null;
  renews: RenewalInterval | null;
};

export type Line = ProductFacts & { productId: number; quantity: number; unitPrice: number };

/**
 * Input of a price calculation. `discounts` are those that may apply, with a code or automatically. A null place was not
 * specified.
 */
export type Basket = {
  lines: readonly Line[];
  shipTo: AddressedPlace | null;
  billTo: AddressedPlace | null;
  /** Shipping method that the buyer chose. Null for the cheapest. */
  shippingMethodId: number | null;
  /** Shipping that staff named and priced, in place of the shop's methods. Null for none. */
  customShipping?: ChosenShipping | null | undefined;
  discounts: readonly Discount[];
  /** A discount by staff, applied after all other discounts. */
  manualDiscount?: AnyDiscount | undefined;
  taxExempt: boolean;
  /** Member state that has issued the buyer's valid VAT ID. */
  vatCountry?: string | undefined;
};

/** Shipping of an order: one of the shop's options, or named and priced by staff. */
export type ChosenShipping = OrderShippingMethod & { price: number };

export type ShippingOption = ChosenShipping & { id: number };

type PricedLine = { total: number; discount: number; tax: number; taxLines: StoredTaxLine[] };

/**
 * Amount of a discount. `id` is null for a reduction by staff, and for tax that is not due and was removed from prices
 * that include it.
 */
export type AppliedDiscount = OrderDiscount & {
  version: number;
  /** Reduction of each line. The rest of the amount reduces shipping. */
  off: readonly number[];
};

/**
 * The price of a basket and its parts. `total` is the subtotal less discounts, plus shipping, plus tax unless prices include
 * it.
 */
export type PricingResult = {
  lines: PricedLine[];
  subtotal: number;
  discountTotal: number;
  shippingTotal: number;
  shippingDiscount: number;
  shippingTax: number;
  taxTotal: number;
  pricesIncludeTax: boolean;
  total: number;
  taxLines: StoredTaxLine[];
  discounts: AppliedDiscount[];
  shippingOptions: ShippingOption[];
  shippingMethod: ChosenShipping | null;
};

/** The buyer. A guest is only identified by an e-mail address, if they gave one. */
export type Buyer = { userId: number | null; email: string | null; customer: string | null };

/** A buyer's history: whether they have ordered before, and their uses of each discount, by its id. */
export type BuyerHistory = { hasOrdered: boolean; uses: ReadonlyMap<number, number> };
