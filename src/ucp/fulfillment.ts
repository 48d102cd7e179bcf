import type { Quote } from "../checkout/orders/create/quote.ts";
import type { SessionContent } from "../checkout/orders/sessions/content.ts";
import { toMinor } from "../domain/money.ts";
import type { AddressRow } from "../platform/db/schema.ts";
import type { VersionMapping } from "./mapping.ts";
import { errorMessage, type Message, type UcpContext } from "./protocol.ts";
import type { DestinationRequest, FulfillmentRequest } from "./requests.ts";
import { totalOf } from "./totals.ts";

// Shipping: one method with one destination, one group, and the shop's shipping methods as its options, including
// pickup.

const METHOD = "shipping";
const GROUP = "package_1";
const DESTINATION = "destination_1";

/** Names of an address's parts in the protocol, by the shop's names. */
const partNames = {
  address: "street_address",
  address2: "extended_address",
  city: "address_locality",
  region: "address_region",
  zip: "postal_code",
  country: "address_country",
  phone: "phone_number",
  first_name: "first_name",
  last_name: "last_name",
  id: "id",
} as const satisfies Record<
  Exclude<keyof NonNullable<SessionContent["address"]>, "company" | "vat_id">,
  keyof DestinationRequest
>;

/** An entry of the shopper's address book as a destination. */
export function savedDestination({ id, name, ...parts }: AddressRow): NonNullable<SessionContent["address"]> {
  const { company, address, address2, city, region, zip, country, phone, vat_id } = parts;
  const written = Object.entries({ company, address, address2, city, region, zip, country, phone, vat_id });
  return {
    ...Object.fromEntries(written.filter(([, part]) => part !== null)),
    id: `saved_${id}`,
    first_name: name,
  };
}

/** The destination and option chosen in a request. A request without destinations keeps the session's own. */
export function fulfillmentContent(
  { savedDestinations }: Pick<UcpContext, "savedDestinations">,
  { address: known }: SessionContent,
  { methods }: FulfillmentRequest,
): Partial<SessionContent> {
  const [method] = methods;
  const { destinations = [], selected_destination_id: chosen } = method ?? {};
  const sent = destinations.find(({ id }) => id !== undefined && id === chosen);
  const saved = savedDestinations.find(({ id }) => id === chosen);
  const destination = sent ?? (saved ? undefined : destinations[0]);
  const option = method?.groups?.[0]?.selected_option_id;
  return {
    address: destination ? addressOf(destination) : (saved ?? known),
    // An unknown option is reported with the price.
    shipping_method: option == null ? null : /^[1-9]\d{0,14}$/.test(option) ? Number(option) : 0,
  };
}

/** The problem of a request that selects a destination which neither it nor the session has. */
export function unknownDestination(
  { savedDestinations }: Pick<UcpContext, "savedDestinations">,
  { address }: SessionContent,
  sent: FulfillmentRequest | undefined,
): Message[] {
  const { destinations = [], selected_destination_id: chosen } = sent?.methods[0] ?? {};
  if (destinations.length > 0 || chosen == null || chosen === (address?.id ?? DESTINATION)) return [];
  if (savedDestinations.some(({ id }) => id === chosen)) return [];
  const path = "$.fulfillment.methods[0].selected_destination_id";
  const content = "The checkout has no destination with this id. Nothing was changed";
  return [errorMessage("not_found", content, { path })];
}

const addressOf = (destination: DestinationRequest): SessionContent["address"] =>
  Object.fromEntries(Object.entries(partNames).map(([own, theirs]) => [own, destination[theirs]]));

/** A UCP postal address. */
export const toDestination = (parts: { [Own in keyof typeof partNames]?: string | null | undefined }) =>
  Object.fromEntries(
    Object.entries(partNames).flatMap(([own, theirs]) => {
      const part = Reflect.get(parts, own);
      return part ? [[theirs, part]] : [];
    }),
  );

export function fulfillmentOfSession(
  { mapping, savedDestinations }: Pick<UcpContext, "mapping" | "savedDestinations">,
  { address, items: lines }: SessionContent,
  { items, shipping_options, shipping_method }: Quote,
) {
  const line_item_ids = lines.flatMap(({ id }, index) => (items[index]?.type === "physical" ? [id] : []));
  if (line_item_ids.length === 0 && !address) return {};
  const id = address?.id ?? DESTINATION;
  const others = savedDestinations.filter((saved) => !address || saved.id !== id);
  const destinations = [...(address ? [{ ...address, id }] : []), ...others];
  return {
    fulfillment: {
      methods: [
        {
          id: METHOD,
          type: "shipping",
          line_item_ids,
          ...(destinations.length > 0 && {
            destinations: destinations.map((each) => mapping.destination(toDestination(each))),
          }),
          ...(address && { selected_destination_id: id }),
          ...(shipping_options.length > 0 && {
            groups: [
              {
                id: GROUP,
                line_item_ids,
                options: shipping_options.map((option) => toFulfillmentOption(mapping, option)),
                selected_option_id: shipping_method?.id == null ? null : String(shipping_method.id),
              },
            ],
          }),
        },
      ],
    },
  };
}

type ShippingOption = Quote["shipping_options"][number];

function toFulfillmentOption(mapping: VersionMapping, { id, name, kind, min_days, max_days, price }: ShippingOption) {
  const description = kind === "pickup" ? "Collected by the buyer from the shop" : daysOf(min_days, max_days);
  return {
    id: String(id),
    title: name,
    ...(description !== undefined && { description: mapping.description(description) }),
    totals: [totalOf("total", name, toMinor(price))],
  };
}

function daysOf(from: number | null, to: number | null): string | undefined {
  const [least, most] = [from ?? to, to ?? from];
  return least === null || most === null ? undefined : `Takes ${least === most ? most : `${least} to ${most}`} days`;
}

/** A field of the shop's address as a path of the protocol. */
export function addressPath(field: string): string {
  const [, part = ""] = field.split(".");
  const destination = "$.fulfillment.methods[0].destinations[0]";
  if (part === "name") return `${destination}.first_name`;
  return part in partNames
    ? `${destination}.${partNames[part as keyof typeof partNames]}`
    : "$.fulfillment.methods[0].destinations";
}

export const OPTION_PATH = "$.fulfillment.methods[0].groups[0].selected_option_id";
