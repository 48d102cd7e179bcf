import * as z from "zod";

// Shapes of the protocol's responses, as this project's tests check them. They are strict, so that a new member fails
// the tests.

const Amount = z.int().min(0);
const Price = z.strictObject({ amount: Amount, currency: z.string().regex(/^[A-Z]{3}$/) });
const Media = z.strictObject({ type: z.literal("image"), url: z.url(), alt_text: z.string().optional() });
const Selected = z.strictObject({ name: z.string(), label: z.string() });
const Description = z.strictObject({ plain: z.string().min(1), markdown: z.string().optional() });

const Message = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("error"),
    code: z.string(),
    path: z.string().startsWith("$").optional(),
    content: z.string().min(1),
    severity: z.enum(["recoverable", "requires_buyer_input", "requires_buyer_review", "unrecoverable"]),
  }),
  z.strictObject({
    type: z.enum(["warning", "info"]),
    code: z.string(),
    path: z.string().startsWith("$").optional(),
    content: z.string().min(1),
  }),
]);

/** An error of the protocol itself. */
export const Refusal = z.strictObject({ code: z.string(), content: z.string().min(1) });

const Version = z.literal("2026-04-08");

const Head = z.strictObject({
  version: Version,
  status: z.enum(["success", "error"]),
  capabilities: z.record(z.string(), z.array(z.strictObject({ version: Version }))).optional(),
});

/** Fields of every response. */
export const Envelope = z.object({ ucp: Head, messages: z.array(Message).min(1).optional() });

const Variant = z.strictObject({
  id: z.string(),
  sku: z.string(),
  url: z.url().optional(),
  title: z.string().min(1),
  description: Description,
  price: Price,
  list_price: Price.optional(),
  unit_price: Price.extend({
    measure: z.strictObject({ value: z.number(), unit: z.string() }),
    reference: z.strictObject({ value: z.int(), unit: z.string() }),
  }).optional(),
  barcodes: z.array(z.strictObject({ type: z.literal("GTIN"), value: z.string() })).optional(),
  availability: z.strictObject({ available: z.boolean(), status: z.enum(["in_stock", "out_of_stock"]) }),
  options: z.array(Selected).optional(),
  media: z.array(Media).optional(),
  inputs: z.array(z.strictObject({ id: z.string(), match: z.enum(["exact", "featured"]) })).optional(),
});

const OptionValue = z.strictObject({
  label: z.string(),
  available: z.boolean().optional(),
  exists: z.boolean().optional(),
});

export const UcpProduct = z.strictObject({
  id: z.string(),
  handle: z.string(),
  url: z.url().optional(),
  title: z.string().min(1),
  description: Description,
  categories: z.array(z.strictObject({ value: z.string(), taxonomy: z.literal("merchant") })).optional(),
  price_range: z.strictObject({ min: Price, max: Price }),
  media: z.array(Media).optional(),
  options: z.array(z.strictObject({ name: z.string(), values: z.array(OptionValue) })).optional(),
  selected: z.array(Selected).optional(),
  variants: z.array(Variant).min(1),
  tags: z.array(z.string()),
});

const Total = z.strictObject({ type: z.string(), display_text: z.string().min(1), amount: z.int() });

/** One subtotal, one total, and everything between adds up. */
const Totals = z.array(Total).refine((totals) => {
  const amountOf = (wanted: string) => totals.filter(({ type }) => type === wanted).map(({ amount }) => amount);
  const parts = totals.filter(({ type }) => type !== "total").reduce((sum, { amount }) => sum + amount, 0);
  return amountOf("subtotal").length === 1 && amountOf("total").length === 1 && amountOf("total")[0] === parts;
}, "do not add up");

const Item = z.strictObject({ id: z.string(), title: z.string().min(1), price: Amount });
const Line = z.strictObject({ id: z.string(), item: Item, quantity: z.int().min(1), totals: Totals });

const Buyer = z.strictObject({
  first_name: z.string().optional(),
  last_name: z.string().optional(),
  email: z.string().optional(),
  phone_number: z.string().optional(),
  consent: z.record(z.string(), z.boolean()).optional(),
});

const Discounts = z.strictObject({
  codes: z.array(z.string()),
  applied: z.array(
    z.strictObject({
      code: z.string().optional(),
      automatic: z.literal(true).optional(),
      title: z.string().min(1),
      amount: Amount,
      allocations: z.array(z.strictObject({ path: z.string().startsWith("$."), amount: Amount })).min(1),
    }),
  ),
});

const Destination = z.strictObject({
  id: z.string(),
  street_address: z.string().optional(),
  extended_address: z.string().optional(),
  address_locality: z.string().optional(),
  address_region: z.string().optional(),
  address_country: z.string().optional(),
  postal_code: z.string().optional(),
  first_name: z.string().optional(),
  last_name: z.string().optional(),
  phone_number: z.string().optional(),
});

const Option = z.strictObject({
  id: z.string(),
  title: z.string().min(1),
  description: z.string().optional(),
  totals: z.array(Total),
});

const Method = z.strictObject({
  id: z.string(),
  type: z.literal("shipping"),
  line_item_ids: z.array(z.string()),
  destinations: z.array(Destination).min(1).optional(),
  selected_destination_id: z.string().optional(),
  groups: z
    .array(
      z.strictObject({
        id: z.string(),
        line_item_ids: z.array(z.string()),
        options: z.array(Option).min(1),
        selected_option_id: z.string().nullable(),
      }),
    )
    .optional(),
});

const session = {
  id: z.string().min(40),
  line_items: z.array(Line).min(1),
  buyer: Buyer.optional(),
  currency: z.string(),
  totals: Totals,
  discounts: Discounts.optional(),
  messages: z.array(Message).min(1).optional(),
};

export const UcpCart = z.strictObject({
  ucp: Head,
  ...session,
  continue_url: z.url().optional(),
  expires_at: z.iso.datetime(),
});

const Confirmation = { id: z.string(), label: z.string(), permalink_url: z.url() };

const Handler = z.strictObject({
  id: z.string(),
  name: z.string().regex(/^[a-z][a-z0-9]*(\.[a-z][a-z0-9_]*)+$/),
  version: Version,
  available_instruments: z.array(z.strictObject({ type: z.string() })).min(1),
  config: z.strictObject({ label: z.string(), buyer_action: z.boolean(), instructions: z.string().optional() }),
});

/** The handler of shared payment tokens, which is Stripe's own. */
const StripeHandler = z.strictObject({
  id: z.literal("stripe_payments"),
  name: z.literal("com.stripe.payments"),
  version: z.string(),
  spec: z.url(),
  schema: z.url(),
  available_instruments: z.array(z.strictObject({ type: z.literal("card") })),
  config: z.strictObject({ environment: z.enum(["sandbox", "production"]), business_profile: z.string() }),
});

export const UcpCheckout = z.strictObject({
  ucp: Head.extend({ payment_handlers: z.record(z.string(), z.array(z.union([Handler, StripeHandler]))) }),
  ...session,
  status: z.enum([
    "incomplete",
    "requires_escalation",
    "ready_for_complete",
    "complete_in_progress",
    "completed",
    "canceled",
  ]),
  fulfillment: z.strictObject({ methods: z.array(Method) }).optional(),
  links: z.array(z.strictObject({ type: z.string(), url: z.url(), title: z.string() })),
  expires_at: z.iso.datetime().optional(),
  continue_url: z.url().optional(),
  order: z.strictObject(Confirmation).optional(),
});

const Quantity = z.strictObject({ original: z.int(), total: z.int(), fulfilled: z.int() });
const Units = z.array(z.strictObject({ id: z.string(), quantity: z.int() })).min(1);

export const UcpOrder = z.strictObject({
  ucp: Head,
  ...Confirmation,
  checkout_id: z.string(),
  line_items: z.array(
    Line.omit({ quantity: true }).extend({
      quantity: Quantity,
      status: z.enum(["processing", "partial", "fulfilled", "removed"]),
    }),
  ),
  fulfillment: z.strictObject({
    expectations: z.array(
      z.strictObject({
        id: z.string(),
        line_items: Units,
        method_type: z.enum(["shipping", "pickup", "digital"]),
        destination: Destination.partial({ id: true }),
        description: z.string().optional(),
      }),
    ),
    events: z.array(
      z.strictObject({
        id: z.string(),
        occurred_at: z.iso.datetime(),
        type: z.literal("shipped"),
        line_items: Units,
        tracking_number: z.string().optional(),
        tracking_url: z.url().optional(),
        carrier: z.string().optional(),
      }),
    ),
  }),
  adjustments: z.array(
    z.strictObject({
      id: z.string(),
      type: z.enum(["refund", "cancellation"]),
      occurred_at: z.iso.datetime(),
      status: z.literal("completed"),
      totals: z.array(Total).optional(),
    }),
  ),
  currency: z.string(),
  totals: Totals,
});
