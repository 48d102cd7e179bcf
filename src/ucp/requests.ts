import * as z from "zod";
import { Consents } from "../checkout/orders/sessions/content.ts";
import { coded, line, lineOrEmpty, MAX_LINES, Text } from "../domain/fields.ts";

// Requests of the protocol. Known fields that the shop does not use are ignored, as the protocol requires.

const Amount = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** The buyer's probable location and preferred currency, as hints. */
const Context = z.object({
  address_country: lineOrEmpty(100).optional(),
  address_region: lineOrEmpty(100).optional(),
  postal_code: lineOrEmpty(20).optional(),
  currency: lineOrEmpty(10).optional(),
});

const Filters = z.object({
  categories: z.array(Text.max(100)).max(20).optional(),
  price: z
    .object({ min: Amount.optional(), max: Amount.optional() })
    .refine(({ min, max }) => min === undefined || max === undefined || min <= max, {
      path: ["min"],
      error: "must not be above the maximum price",
    })
    .optional(),
});

export const SearchCatalog = z
  .object({
    query: Text.max(200).optional(),
    filters: Filters.optional(),
    context: Context.optional(),
    pagination: z.object({ cursor: Text.max(40).optional(), limit: z.int().min(1).optional() }).optional(),
  })
  .refine(({ query, filters }) => Boolean(query?.trim() || filters?.categories?.length || filters?.price), {
    path: ["query"],
    error: "is required, unless there are filters",
    ...coded("required"),
  });
export type SearchCatalog = z.output<typeof SearchCatalog>;

export const LookupCatalog = z.object({ ids: z.array(Text.max(100)).min(1) });
export type LookupCatalog = z.output<typeof LookupCatalog>;

const MOST_SELECTED = 10;

export const GetProduct = z.object({
  id: Text.max(100),
  selected: z
    .array(z.object({ name: Text.max(100), label: Text.max(100) }))
    .max(MOST_SELECTED)
    .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, "must name each option at most once")
    .optional(),
  preferences: z.array(Text.max(100)).max(MOST_SELECTED).optional(),
});
export type GetProduct = z.output<typeof GetProduct>;

const LineItem = z.object({
  id: Text.max(100).optional(),
  item: z.object({ id: Text.max(100) }),
  quantity: z.int().min(1),
});

const Name = Text.max(100).optional();

const Buyer = z.object({
  first_name: Name,
  last_name: Name,
  email: Text.max(250).optional(),
  phone_number: Text.max(100).optional(),
  consent: Consents.optional(),
});

const DestinationRequest = z.object({
  id: Text.max(100).optional(),
  street_address: Text.max(250).optional(),
  extended_address: Text.max(250).optional(),
  address_locality: Text.max(250).optional(),
  address_region: Text.max(250).optional(),
  address_country: Text.max(100).optional(),
  postal_code: Text.max(100).optional(),
  first_name: Name,
  last_name: Name,
  phone_number: Text.max(100).optional(),
});
export type DestinationRequest = z.output<typeof DestinationRequest>;

const Fulfillment = z.object({
  methods: z
    .array(
      z.object({
        destinations: z.array(DestinationRequest).max(20).optional(),
        selected_destination_id: Text.max(100).nullish(),
        groups: z
          .array(z.object({ selected_option_id: Text.max(100).nullish() }))
          .max(20)
          .optional(),
      }),
    )
    .max(10),
});
export type FulfillmentRequest = z.output<typeof Fulfillment>;

const Payment = z.object({
  instruments: z
    .array(
      z.object({
        handler_id: Text.max(100),
        selected: z.boolean().optional(),
        credential: z.object({ token: Text.max(2_000).optional() }).optional(),
      }),
    )
    .max(10)
    .default([]),
});

const changeable = {
  buyer: Buyer.optional(),
  context: Context.optional(),
  discounts: z.object({ codes: z.array(line(40)).max(10).optional() }).optional(),
};

const lineItems = (least: number) => z.array(z.unknown()).min(least).max(MAX_LINES).pipe(z.array(LineItem));

export const UpdateCart = z.object({ line_items: lineItems(1), ...changeable });
export type UpdateCart = z.output<typeof UpdateCart>;

export const UpdateCheckout = UpdateCart.extend({ fulfillment: Fulfillment.optional(), payment: Payment.optional() });
export type UpdateCheckout = z.output<typeof UpdateCheckout>;

/** The items, or the cart that has them, whose items then may be an empty list. */
export const CreateCheckout = UpdateCheckout.extend({
  line_items: lineItems(0).optional(),
  cart_id: Text.max(100).optional(),
}).refine(({ line_items = [], cart_id }) => line_items.length > 0 || cart_id !== undefined, {
  path: ["line_items"],
  error: "is required, unless cart_id names a cart",
  ...coded("required"),
});
export type CreateCheckout = z.output<typeof CreateCheckout>;

export const CompleteCheckout = z.object({ payment: Payment.prefault({}) }).prefault({});
export type CompleteCheckout = z.output<typeof CompleteCheckout>;
