import * as z from "zod";
import { Address } from "../../../domain/address.ts";
import { Email, reservedDomainError } from "../../../domain/contact.ts";
import type { FieldError } from "../../../domain/errors.ts";
import { line, MAX_LINES, Quantity, Text } from "../../../domain/fields.ts";
import { paymentMethods } from "../../../domain/payment-methods.ts";
import { countries } from "../../../domain/place.ts";
import type { AuthorContext, WriteContext } from "../../../platform/auth/caller.ts";
import { toFieldErrors } from "../../../platform/http/error-messages.ts";
import type { CheckoutDraft, OrderAddress } from "../create/draft.ts";
import { networkHash } from "../create/network-hash.ts";

/** `userId` is the account that buys. Null for a guest. */
export type BuyerContext = AuthorContext & { userId: number | null };

/**
 * Maximum length of a stored part of a name or an address. Whether it is valid for an order is checked during pricing.
 */
const Part = Text.max(250).optional();

/** A line of a session. `sent` is the item's id as it was sent, if no product can have it. */
const Line = z.object({ id: Text.max(100).optional(), product_id: z.int().min(0), sent: Part, quantity: Quantity });

const names = { first_name: Part, last_name: Part };

const MOST_CONSENTS = 20;

const Decision = z.object({ granted: z.boolean(), source: z.enum(["business", "platform"]).default("platform") });

/** By purpose. Versions of the protocol differ: the decision alone, or with its source and with parts of the purpose. */
export const Consents = z
  .record(
    Text.max(100),
    z.union([z.boolean(), Decision.extend({ segments: z.record(Text.max(100), Decision).optional() })]),
  )
  .refine((all) => Object.keys(all).length <= MOST_CONSENTS, `must have at most ${MOST_CONSENTS} entries`);
export type Consents = z.output<typeof Consents>;

/** The current input of an agent and its buyer, complete or not. */
export const SessionContent = z.object({
  items: z
    .array(Line)
    .max(MAX_LINES)
    .default([])
    // Lines of older sessions were named by their position.
    .transform((lines) => lines.map((line, index) => ({ ...line, id: line.id ?? `li_${index + 1}` }))),
  buyer: z.object({ ...names, email: Part, phone: Part }).default({}),
  /** As the buyer gave them to the agent. */
  consent: Consents.optional(),
  address: z
    .object({
      id: Part,
      ...names,
      company: Part,
      address: Part,
      address2: Part,
      city: Part,
      region: Part,
      zip: Part,
      country: Part,
      phone: Part,
      vat_id: Part,
    })
    .optional(),
  /** The buyer's probable location, for a price before there is an address. */
  place: z.object({ country: Part, region: Part, zip: Part }).optional(),
  shipping_method: z.int().min(0).nullable().default(null),
  discount_codes: z.array(line(40)).max(10).default([]),
  payment_method: z.enum(paymentMethods).nullable().default(null),
  /** Token of the checkout that a cart became. */
  checkout: Text.max(100).optional(),
});
export type SessionContent = z.output<typeof SessionContent>;

const fullName = ({
  first_name = "",
  last_name = "",
}: {
  first_name?: string | undefined;
  last_name?: string | undefined;
}) => `${first_name} ${last_name}`.trim();

/** The parts of a session that an order requires to be complete. An account is its own customer. */
const OfAccount = z.object({ customer: z.undefined(), shipping_address: Address.nullable() });
const OfGuest = OfAccount.extend({ customer: z.object({ email: Email, name: line(100) }) });

/** A session in the form of a checkout, and the parts it lacks for an order. */
export type SessionDraft = { draft: CheckoutDraft; missing: FieldError[] };

export function draftOfSession(
  { settings, author, userId }: Pick<WriteContext, "settings" | "author"> & Pick<BuyerContext, "userId">,
  content: SessionContent,
): SessionDraft {
  const { buyer, items } = content;
  const address = postalAddress(content);
  const guest = { email: buyer.email, name: fullName(buyer) || address?.name };
  const sent = { customer: userId === null ? guest : undefined, shipping_address: address };
  const schema: z.ZodType<z.output<typeof OfAccount | typeof OfGuest>> = userId === null ? OfGuest : OfAccount;
  const { data, error } = schema.safeParse(sent);
  const missing = error ? toFieldErrors(error.issues, sent) : [];
  const reserved = data?.customer && reservedDomainError(settings, data.customer.email, "customer.email");
  const isWhole = !missing.some(({ field }) => field.startsWith("shipping_address"));
  const shippingAddress = isWhole ? (data?.shipping_address ?? Address.nullable().parse(address)) : null;
  const draft: CheckoutDraft = {
    userId,
    apiKeyId: null,
    lines: items.map(({ product_id, quantity }) => ({ productId: product_id, quantity, unitPrice: 0 })),
    customer: data?.customer,
    shippingAddress: shippingAddress ?? probably(content),
    billingAddress: null,
    shippingMethodId: content.shipping_method,
    discountCodes: content.discount_codes.map((code) => code.toUpperCase()),
    taxExemptReason: null,
    currency: settings.currency,
    unpaidLimits: settings.unpaidLimits,
    unpaidFrom: userId === null ? networkHash(settings, author) : null,
    language: author.language,
    verifiedBuyers: settings.verifiedBuyers,
    takesTestCards: settings.test !== null,
    fingerprint: null,
    keyed: true,
    now: author.now,
  };
  return { draft, missing: [...missing, ...(reserved ? [reserved] : [])] };
}

/** The address in the form of a request, with the buyer's name if it has none. Null if it is empty. */
function postalAddress({ address, buyer }: SessionContent) {
  if (!address) return null;
  const { id: _, first_name, last_name, ...parts } = address;
  return { ...parts, name: fullName({ first_name, last_name }) || fullName(buyer) || undefined };
}

/** A location for shipping and taxes until there is a complete address. */
function probably({ address, place }: SessionContent): OrderAddress {
  const { region = null, zip = null, country: written = "" } = address ?? place ?? {};
  const country = countries.find((code) => code === written.toUpperCase());
  return country === undefined ? null : { name: "", address: "", city: "", region, zip, country };
}
