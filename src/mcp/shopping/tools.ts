import * as z from "zod";
import { Text } from "../../domain/fields.ts";
import { cancelCart, createCart, getCart, updateCart } from "../../ucp/cart.ts";
import { getProduct, lookupCatalog, searchCatalog } from "../../ucp/catalog.ts";
import { cancelCheckout, completeCheckout, createCheckout, getCheckout, updateCheckout } from "../../ucp/checkout.ts";
import { getOrder } from "../../ucp/order.ts";
import type { RootCapability, UcpContext } from "../../ucp/protocol.ts";
import {
  CompleteCheckout,
  CreateCheckout,
  GetProduct,
  LookupCatalog,
  SearchCatalog,
  UpdateCart,
  UpdateCheckout,
} from "../../ucp/requests.ts";

// The MCP binding of the Universal Commerce Protocol: each operation is a tool. Its arguments are the id of its
// subject, the payload by its noun, and `meta` with the data that REST has in headers.

/** An operation of the protocol as a tool. */
export type ShoppingTool = {
  name: string;
  title: string;
  description: string;
  capability: RootCapability;
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean };
  /** Arguments besides `meta`. */
  takes: z.ZodObject;
  run: (ctx: UcpContext, given: never) => Promise<object>;
};

const Meta = z.object({
  "ucp-agent": z
    .object({ profile: Text.max(500).describe("Address of the profile that your platform publishes") })
    .optional(),
  "idempotency-key": Text.max(255)
    .optional()
    .describe("A UUID for a request that writes. Send the same one if you repeat the request"),
});

/** Arguments of every tool. */
export const CommonArguments = z.object({ meta: Meta.optional().describe("The calling agent") });

/** Arguments of every tool if neither a header nor the endpoint's address names the agent. */
export const CommonArgumentsWithAgent = z.object({
  meta: Meta.required({ "ucp-agent": true }).describe("The calling agent, which each call names"),
});

const id = Text.max(100).describe("The `id` from an earlier response");

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
const ADDS = { readOnlyHint: false, destructiveHint: false, idempotentHint: false };
const REPLACES = { readOnlyHint: false, destructiveHint: false, idempotentHint: true };
const ENDS = { readOnlyHint: false, destructiveHint: true, idempotentHint: true };

/** Declares a tool whose function receives the parsed arguments. */
const tool = <Taken extends z.ZodObject>(
  line: ShoppingTool & { takes: Taken; run: (ctx: UcpContext, given: z.output<Taken>) => Promise<object> },
): ShoppingTool => line;

export const shoppingTools: readonly ShoppingTool[] = [
  tool({
    name: "search_catalog",
    title: "Search the catalogue",
    description:
      "Finds products by words of their name or text, by category and by price, 10 at a time: `pagination.cursor` continues. Amounts are in minor units of the currency: 1250 is 12.50. Buy a product by the id of one of its variants whose `availability.available` is true.",
    capability: "catalog.search",
    annotations: READS,
    takes: z.object({ catalog: SearchCatalog }),
    run: (ctx, { catalog }) => searchCatalog(ctx, catalog),
  }),
  tool({
    name: "lookup_catalog",
    title: "Look up products",
    description: "Returns the products with these ids, or that have variants with these ids. Takes 50 ids at most.",
    capability: "catalog.lookup",
    annotations: READS,
    takes: z.object({ catalog: LookupCatalog }),
    run: (ctx, { catalog }) => lookupCatalog(ctx, catalog),
  }),
  tool({
    name: "get_product",
    title: "Get a product",
    description: "Returns a product with its variants. `options` say which values are available together.",
    capability: "catalog.lookup",
    annotations: READS,
    takes: z.object({ catalog: GetProduct }),
    run: (ctx, { catalog }) => getProduct(ctx, catalog),
  }),
  tool({
    name: "create_cart",
    title: "Create a cart",
    description: "Collects items before a checkout, with an estimate of their total.",
    capability: "cart",
    annotations: ADDS,
    takes: z.object({ cart: UpdateCart }),
    run: (ctx, { cart }) => createCart(ctx, cart),
  }),
  tool({
    name: "get_cart",
    title: "Get a cart",
    description: "Returns a cart at current prices.",
    capability: "cart",
    annotations: READS,
    takes: z.object({ id }),
    run: (ctx, given) => getCart(ctx, given.id),
  }),
  tool({
    name: "update_cart",
    title: "Update a cart",
    description: "Replaces the items of a cart.",
    capability: "cart",
    annotations: REPLACES,
    takes: z.object({ id, cart: UpdateCart }),
    run: (ctx, given) => updateCart(ctx, given.id, given.cart),
  }),
  tool({
    name: "cancel_cart",
    title: "Cancel a cart",
    description: "Ends a cart.",
    capability: "cart",
    annotations: ENDS,
    takes: z.object({ id }),
    run: (ctx, given) => cancelCart(ctx, given.id),
  }),
  tool({
    name: "create_checkout",
    title: "Create a checkout",
    description:
      "Starts a checkout of `line_items`, or of a cart by `cart_id`. Send the buyer's email, first_name and last_name in `buyer`, and the address in `fulfillment.methods[0].destinations[0]`. The response lists missing data in `messages`, offers shipping in `fulfillment.methods[0].groups[0].options`, and lists ways to pay in `ucp.payment_handlers`.",
    capability: "checkout",
    annotations: ADDS,
    takes: z.object({ checkout: CreateCheckout }),
    run: (ctx, { checkout }) => createCheckout(ctx, checkout),
  }),
  tool({
    name: "get_checkout",
    title: "Get a checkout",
    description: "Returns a checkout as it is now, and its order once it has become one.",
    capability: "checkout",
    annotations: READS,
    takes: z.object({ id }),
    run: (ctx, given) => getCheckout(ctx, given.id),
  }),
  tool({
    name: "update_checkout",
    title: "Update a checkout",
    description:
      "Replaces the fields that are sent. Choose shipping by the id of an option in `fulfillment.methods[0].groups[0].selected_option_id`.",
    capability: "checkout",
    annotations: REPLACES,
    takes: z.object({ id, checkout: UpdateCheckout }),
    run: (ctx, given) => updateCheckout(ctx, given.id, given.checkout),
  }),
  tool({
    name: "complete_checkout",
    title: "Place the order",
    description:
      "Places the order of a checkout whose status is ready_for_complete, at the total of its last response, once. Ask the buyer first. Pay with one instrument whose `handler_id` is the id of a payment handler. If the status becomes requires_escalation, the buyer finishes at `continue_url`.",
    capability: "checkout",
    annotations: ENDS,
    takes: z.object({ id, checkout: CompleteCheckout.default({ payment: { instruments: [] } }) }),
    run: (ctx, given) => completeCheckout(ctx, given.id, given.checkout),
  }),
  tool({
    name: "cancel_checkout",
    title: "Cancel a checkout",
    description: "Ends a checkout that is not an order yet.",
    capability: "checkout",
    annotations: ENDS,
    takes: z.object({ id }),
    run: (ctx, given) => cancelCheckout(ctx, given.id),
  }),
  tool({
    name: "get_order",
    title: "Get an order",
    description: "Returns an order of yours by the `order.id` of its checkout: its shipments, refunds and totals.",
    capability: "order",
    annotations: READS,
    takes: z.object({ id }),
    run: (ctx, given) => getOrder(ctx, given.id),
  }),
];
