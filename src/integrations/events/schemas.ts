import * as z from "zod";
import { type EventType, eventTypeNames, matchingTypes } from "../../domain/event-types.ts";
import { BooleanText, coded, documented, iso, Timestamp } from "../../domain/fields.ts";
import { Money, toDecimal } from "../../domain/money.ts";
import { paymentMethods } from "../../domain/payment-methods.ts";
import { pascalCase } from "../../platform/administration/resource.ts";
import {
  alertKinds,
  fileAccess,
  orderStatuses,
  productStatuses,
  productTypes,
  returnRequesters,
  roles,
  tiers,
} from "../../platform/db/schema.ts";
import { afterIdField, pageFields } from "../../platform/http/pagination.ts";
import type { EventRow } from "./events.ts";

const ofOrder = {
  order_id: z.int(),
  number: z.string(),
  reference: z.string(),
  external_id: z.string().nullable(),
  user_id: z.int().nullable(),
  test: z.boolean().describe("True if no money moves"),
};

/** Shape of `data` by the first word of a type: ids, and the data needed for decisions, as of the event. */
const shapes = {
  order: {
    ...ofOrder,
    status: z.enum(orderStatuses),
    payment_method: z.enum(paymentMethods),
    total: Money,
    currency: z.string(),
  },
  shipment: { shipment_id: z.int(), ...ofOrder },
  refund: {
    ...ofOrder,
    payment_method: z.enum(paymentMethods),
    amount: Money.describe("Amount of this refund"),
    currency: z.string(),
    refunded_total: Money.describe("Total of all refunds of the order"),
  },
  return: { return_id: z.int(), ...ofOrder, requested_by: z.enum(returnRequesters) },
  product: {
    product_id: z.int(),
    parent_id: z.int().nullable().describe("Product that this one is a variant of"),
    variant_id: z
      .int()
      .optional()
      .describe(
        "Variant that was added, changed or deleted. Sent with `product.updated`, unless several variants changed at once",
      ),
    external_id: z.string().nullable(),
    sku: z.string(),
    name: z.string(),
    slug: z.string(),
    type: z.enum(productTypes),
    status: z.enum(productStatuses),
    price: Money,
    stock_quantity: z.int().nullable(),
  },
  stock: {
    product_id: z.int(),
    parent_id: z.int().nullable().describe("Product that this one is a variant of"),
    external_id: z.string().nullable(),
    sku: z.string(),
    stock_quantity: z.int().nullable().describe("Number of units that can be bought. Null if stock is not managed"),
  },
  package: {
    package_id: z.int(),
    user_id: z.int().nullable(),
    order_id: z.int().nullable(),
    download_limit: z.int().nullable(),
    downloads_used: z.int(),
    expires_at: Timestamp.nullable(),
  },
  license_key: {
    license_key_id: z.int(),
    product_id: z.int(),
    user_id: z.int().nullable(),
    order_id: z.int(),
    activation_limit: z.int(),
    expires_at: Timestamp.nullable(),
    test: z.boolean().describe("True if no money moves"),
  },
  gift_card: {
    gift_card_id: z.int(),
    order_id: z.int().nullable().describe("Null if staff issued the card"),
    value: Money,
    test: z.boolean().describe("True if no money moves"),
  },
  subscription: {
    subscription_id: z.int(),
    order_id: z.int().describe("Order that began it"),
    number: z.string(),
    reference: z.string(),
    external_id: z.string().nullable(),
    user_id: z.int().nullable(),
    current_period_end: Timestamp,
    access_until: Timestamp.describe("End of the last paid period and its grace period"),
    cancels_at: Timestamp.nullable().describe("Time at which it ends or ended. Null if it renews"),
    cancelled_at: Timestamp.nullable(),
  },
  user: {
    user_id: z.int(),
    external_id: z.string().nullable(),
    role: z.enum(roles),
    email_verified: z.boolean(),
    disabled: z.boolean(),
  },
  file: {
    file_id: z.int(),
    name: z.string(),
    version: z.int(),
    access: z.enum(fileAccess),
    published: z.boolean(),
  },
  api_key: {
    api_key_id: z.int(),
    name: z.string(),
    tier: z.enum(tiers),
    expires_at: Timestamp.nullable(),
    last_used_at: Timestamp.nullable(),
  },
  app: {
    client_id: z.string().describe("OAuth client id of the app"),
    installation_id: z.int().describe("Id of the installation that was removed"),
  },
  system: {
    alert_id: z.int(),
    kind: z.enum(alertKinds),
    about: z
      .string()
      .describe(
        "Queue, scheduled task, webhook or secret that the alert is about. Empty if it is about the whole shop",
      ),
    summary: z.string().describe("The condition in a sentence, such as `12 refunds wait, the oldest for 45 minutes.`"),
  },
  webhook: { webhook_id: z.int() },
} satisfies Record<string, z.ZodRawShape>;

const nameOf = (noun: string): string => pascalCase(noun.replaceAll("_", " "));

const facts = new Map<string, z.ZodObject>(
  Object.entries(shapes).map(([noun, shape]) => [noun, z.object(shape).meta({ id: `${nameOf(noun)}EventData` })]),
);

function factsOf(noun = ""): z.ZodObject {
  const known = facts.get(noun);
  if (!known) throw new Error(`Events of ${noun} have no shape`);
  return known;
}

/** Returns the schema of `data` for a type. */
export const dataOf = (type: EventType): z.ZodObject => factsOf(type.split(".")[0]);

const eventOf = (noun: string) =>
  z
    .object({
      id: z.int().describe("Id of the event, greater than the ids of all earlier events"),
      type: z.enum(eventTypeNames.filter((type) => type.startsWith(`${noun}.`))),
      subject: z.string().describe("Resource that the event is about, such as `order:7`"),
      created_at: Timestamp,
      data: factsOf(noun),
    })
    .meta({ id: `${nameOf(noun)}Event` });

const [first = "", ...others] = facts.keys();

export const Event = z.discriminatedUnion("type", [eventOf(first), ...others.map(eventOf)]).meta({ id: "Event" });
export type Event = z.output<typeof Event>;

/** Returns the names of the amounts in a type's data: every number that is not an integer. */
const amountsOf = (type: EventType): string[] =>
  Object.entries(dataOf(type).shape).flatMap(([name, schema]) =>
    schema instanceof z.ZodNumber && !schema.isInt ? [name] : [],
  );

/** Rows hold amounts in minor units, since triggers do not know the decimals of a currency. */
function withDecimals(type: EventType, data: Record<string, unknown>): Record<string, unknown> {
  const decimals = amountsOf(type).flatMap((name) => {
    const minor = data[name];
    // A payment may be in a currency other than the shop's. Totals and prices are always in the shop's.
    const currency = name === "amount" ? String(data.currency) : undefined;
    return typeof minor === "number" ? [[name, toDecimal(minor, currency)]] : [];
  });
  return { ...data, ...Object.fromEntries(decimals) };
}

/** The triggers that write a row determine its data; test/events checks each of them against its schema. */
export const toEvent = ({ id, type, subject, createdAt, data }: EventRow): Event =>
  ({ id, type, subject, created_at: iso(createdAt), data: withDecimals(type, data) }) as Event;

const pattern = `([*]|[a-z_]+[.][*]|${eventTypeNames.join("|")})`;

const Types = z
  .string()
  .transform((text, context) => {
    const patterns = text.split(",");
    const unknown = patterns.filter((one) => matchingTypes([one]).length === 0).slice(0, 3);
    if (unknown.length > 0)
      context.addIssue({ code: "custom", message: `has no ${unknown.join(", ")}`, ...coded("invalid") });
    return matchingTypes(patterns);
  })
  .meta(documented({ type: "string", pattern: `^${pattern}(,${pattern})*$` }))
  .describe("Comma-separated event types. `order.*` selects all types of a resource, `*` all types");

export const EventsQuery = z.strictObject({
  per_page: pageFields.per_page,
  after_id: afterIdField.after_id.default(0).meta(documented({ default: 0 })),
  type: Types.optional(),
  test: BooleanText.optional().describe("Events of orders for which no money moves, or all others"),
  subject: z
    .string()
    .regex(/^[a-z_]{1,20}:\d{1,16}$/, "must be a resource and an id, such as order:7")
    .optional()
    .describe("Resource that the event is about, such as `order:7`"),
});
export type EventsQuery = z.output<typeof EventsQuery>;
