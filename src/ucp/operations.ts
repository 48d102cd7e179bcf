import type * as z from "zod";
import { cancelCart, createCart, getCart, updateCart } from "./cart.ts";
import { getProduct, lookupCatalog, searchCatalog } from "./catalog.ts";
import { cancelCheckout, completeCheckout, createCheckout, getCheckout, updateCheckout } from "./checkout.ts";
import { forShopper } from "./identity.ts";
import { getOrder } from "./order.ts";
import { incompatible, offers, type RootCapability, type UcpContext } from "./protocol.ts";
import { type Outcome, type RememberedCall, remembered } from "./remembered.ts";
import {
  CompleteCheckout,
  CreateCheckout,
  GetProduct,
  LookupCatalog,
  SearchCatalog,
  UpdateCart,
  UpdateCheckout,
} from "./requests.ts";

// The operations of the Universal Commerce Protocol, which its bindings share.

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
const CREATES = { readOnlyHint: false, destructiveHint: false, idempotentHint: false };
const REPLACES = { readOnlyHint: false, destructiveHint: false, idempotentHint: true };
const ENDS = { readOnlyHint: false, destructiveHint: true, idempotentHint: true };

/** An operation. Its function takes the id of its subject, if it has one, and its parsed input. */
export type Operation = {
  /** Name of the tool. */
  name: string;
  /** Text for models. */
  description: string;
  /** Method and path, below the root of the REST binding. */
  route: `${"GET" | "POST" | "PUT"} ${string}`;
  capability: RootCapability;
  effect: typeof READS;
  /** The body of a request by REST, under its name among the arguments of a tool. */
  takes?: Record<string, z.ZodType>;
  run: (ctx: UcpContext, id: string, input: never) => Promise<object>;
};

type OperationHandler<Input> = {
  takes?: Record<string, z.ZodType<Input>>;
  run: (ctx: UcpContext, id: string, input: Input) => Promise<object>;
};
const operation = <Input>(declared: Operation & OperationHandler<Input>): Operation => declared;

export const operations: readonly Operation[] = [
  operation({
    name: "search_catalog",
    description:
      "Finds products by words of their name or text, by category and by price, 10 at a time: `pagination.cursor` continues. Amounts are in minor units of the currency: 1250 is 12.50. Buy a product by the id of one of its variants whose `availability.available` is true.",
    route: "POST /catalog/search",
    capability: "catalog.search",
    effect: READS,
    takes: { catalog: SearchCatalog },
    run: (ctx, _id, search) => searchCatalog(ctx, search),
  }),
  operation({
    name: "lookup_catalog",
    description: "Returns the products with these ids, or that have variants with these ids. Takes 50 ids at most.",
    route: "POST /catalog/lookup",
    capability: "catalog.lookup",
    effect: READS,
    takes: { catalog: LookupCatalog },
    run: (ctx, _id, ids) => lookupCatalog(ctx, ids),
  }),
  operation({
    name: "get_product",
    description: "Returns a product with its variants. `options` say which values are available together.",
    route: "POST /catalog/product",
    capability: "catalog.lookup",
    effect: READS,
    takes: { catalog: GetProduct },
    run: (ctx, _id, product) => getProduct(ctx, product),
  }),
  operation({
    name: "create_cart",
    description: "Collects items before a checkout, with an estimate of their total.",
    route: "POST /carts",
    capability: "cart",
    effect: CREATES,
    takes: { cart: UpdateCart },
    run: (ctx, _id, cart) => createCart(ctx, cart),
  }),
  operation({
    name: "get_cart",
    description: "Returns a cart at current prices.",
    route: "GET /carts/:id",
    capability: "cart",
    effect: READS,
    run: getCart,
  }),
  operation({
    name: "update_cart",
    description: "Replaces the items of a cart.",
    route: "PUT /carts/:id",
    capability: "cart",
    effect: REPLACES,
    takes: { cart: UpdateCart },
    run: updateCart,
  }),
  operation({
    name: "cancel_cart",
    description: "Ends a cart.",
    route: "POST /carts/:id/cancel",
    capability: "cart",
    effect: ENDS,
    run: cancelCart,
  }),
  operation({
    name: "create_checkout",
    description:
      "Starts a checkout of `line_items`, or of a cart by `cart_id`. Send the buyer's email, first_name and last_name in `buyer`, and the address in `fulfillment.methods[0].destinations[0]`. The response lists missing data in `messages`, offers shipping in `fulfillment.methods[0].groups[0].options`, and lists ways to pay in `ucp.payment_handlers`.",
    route: "POST /checkout-sessions",
    capability: "checkout",
    effect: CREATES,
    takes: { checkout: CreateCheckout },
    run: (ctx, _id, checkout) => createCheckout(ctx, checkout),
  }),
  operation({
    name: "get_checkout",
    description: "Returns a checkout as it is now, and its order once it has become one.",
    route: "GET /checkout-sessions/:id",
    capability: "checkout",
    effect: READS,
    run: getCheckout,
  }),
  operation({
    name: "update_checkout",
    description:
      "Replaces the fields that are sent. Choose shipping by the id of an option in `fulfillment.methods[0].groups[0].selected_option_id`.",
    route: "PUT /checkout-sessions/:id",
    capability: "checkout",
    effect: REPLACES,
    takes: { checkout: UpdateCheckout },
    run: updateCheckout,
  }),
  operation({
    name: "complete_checkout",
    description:
      "Places the order of a checkout whose status is ready_for_complete, at the total of its last response, once. Ask the buyer first. Pay with one instrument whose `handler_id` is the id of a payment handler. If the status becomes requires_escalation, the buyer finishes at `continue_url`.",
    route: "POST /checkout-sessions/:id/complete",
    capability: "checkout",
    effect: ENDS,
    takes: { checkout: CompleteCheckout },
    run: completeCheckout,
  }),
  operation({
    name: "cancel_checkout",
    description: "Ends a checkout that is not an order yet.",
    route: "POST /checkout-sessions/:id/cancel",
    capability: "checkout",
    effect: ENDS,
    run: cancelCheckout,
  }),
  operation({
    name: "get_order",
    description: "Returns an order of yours by the `order.id` of its checkout: its shipments, refunds and totals.",
    route: "GET /orders/:id",
    capability: "order",
    effect: READS,
    run: getOrder,
  }),
];

/** True for an operation whose response with an id is a new resource. */
export const isCreation = ({ effect }: Operation): boolean => effect === CREATES;

/**
 * Runs an operation, once per Idempotency-Key if it writes, of a capability that the agent and the shop share. `read`
 * parses what the operation takes.
 */
export async function perform(
  admitted: UcpContext,
  { capability, effect, run }: Operation,
  read: () => { id: string; input: unknown },
  request: RememberedCall,
): Promise<Outcome> {
  const ctx = await forShopper(admitted, capability);
  if (!offers(ctx.capabilities, capability)) return { answer: incompatible(ctx, capability), isReplayed: false };
  const { id, input } = read();
  const act = () => run(ctx, id, input as never);
  return effect.readOnlyHint ? { answer: await act(), isReplayed: false } : remembered(ctx, request, act);
}
