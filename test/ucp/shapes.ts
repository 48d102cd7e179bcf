import * as z from "zod";

// Shapes of the protocol's answers, as the tests of this project check them. Strict, so that a new member is noticed.

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

/** A refusal of the protocol itself. */
export const Refusal = z.strictObject({ code: z.string(), content: z.string().min(1) });

const Version = z.literal("2026-04-08");

const Head = z.strictObject({
  version: Version,
  status: z.enum(["success", "error"]),
  capabilities: z.record(z.string(), z.array(z.strictObject({ version: Version }))).optional(),
});

/** Parts of every answer. */
export const Envelope = z.object({ ucp: Head, messages: z.array(Message).min(1).optional() });

const Variant = z.strictObject({
  id: z.string(),
  sku: z.string(),
  title: z.string().min(1),
  description: Description,
  price: Price,
  list_price: Price.optional(),
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
