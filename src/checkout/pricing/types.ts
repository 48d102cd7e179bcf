import type {
  discounts,
  OrderShippingMethod,
  Place,
  ProductType,
  shippingMethods,
  shippingZones,
  TaxClass,
  TaxLine,
  taxRates,
} from "../../platform/db/schema.ts";

// What prices are calculated from, and what comes of it. Money is minor units, rates and percentages are millionths.

export type { Place };

export type Zone = Pick<typeof shippingZones.$inferSelect, "id" | "name" | "places" | "restOfWorld">;

export type Method = Omit<typeof shippingMethods.$inferSelect, "enabled" | "createdAt" | "updatedAt">;

export type Rate = Omit<typeof taxRates.$inferSelect, "createdAt" | "updatedAt">;

/**
 * The rates of a class of products at a place. The shop's table answers it; a service that calculates taxes may take its place,
 * with the rates that it was asked for of the addresses of an order.
 */
export type RatesAt = (place: Place | null, taxClass: TaxClass) => Rate[];

/** A discount as it was read: `updatedAt` is the version of it that an order is written at. */
export type Discount = Omit<typeof discounts.$inferSelect, "foldedName" | "createdAt">;

/** All that a merchant says of prices beside the catalogue, at one version: methods that are enabled, discounts without a code. */
export type Rules = {
  version: string;
  homeCountry: string | null;
  homeRegion: string | null;
  pricesIncludeTax: boolean;
  zones: readonly Zone[];
  methods: readonly Method[];
  rates: readonly Rate[];
  discounts: readonly Discount[];
};

/** A shop that has set nothing up: prices are all there is to pay. */
export const NO_RULES: Rules = {
  version: "",
  homeCountry: null,
  homeRegion: null,
  pricesIncludeTax: false,
  zones: [],
  methods: [],
  rates: [],
  discounts: [],
};

/** What prices depend on of a product beside its price. */
export type ProductFacts = {
  type: ProductType;
  requiresShipping: boolean;
  categoryId: number | null;
  taxClass: TaxClass;
  weightGrams: number | null;
};

export type Line = ProductFacts & { productId: number; quantity: number; unitPrice: number };

/** What is to be priced: `discounts` are those that may apply, by code or by themselves. Null is a place that nobody named. */
export type Basket = {
  lines: readonly Line[];
  shipTo: Place | null;
  billTo: Place | null;
  /** The method that the buyer chose; without one it is the cheapest. */
  shippingMethodId: number | null;
  discounts: readonly Discount[];
  taxExempt: boolean;
};

export type ShippingOption = OrderShippingMethod & { price: number };

type PricedLine = { total: number; discount: number; tax: number; taxLines: TaxLine[] };

/** What a discount took off. `id` is null for tax that is not due, taken out of prices that include it. */
export type AppliedDiscount = { id: number | null; code: string | null; name: string; version: number; amount: number };

/** The price of a basket and its parts: `total` is the subtotal less discounts, with shipping, and with tax unless prices include it. */
export type Pricing = {
  lines: PricedLine[];
  subtotal: number;
  discountTotal: number;
  shippingTotal: number;
  shippingDiscount: number;
  shippingTax: number;
  taxTotal: number;
  pricesIncludeTax: boolean;
  total: number;
  taxLines: TaxLine[];
  discounts: AppliedDiscount[];
  shippingOptions: ShippingOption[];
  shippingMethod: ShippingOption | null;
};

/** Who buys. A guest is known by their e-mail address, if by anything. */
export type Buyer = { userId: number | null; email: string | null; customer: string | null };

/** What a buyer has ordered before, and how often they have used a discount, by its id. */
export type BuyerHistory = { hasOrdered: boolean; uses: ReadonlyMap<number, number> };
