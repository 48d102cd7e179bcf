import { Hono } from "hono";
import * as z from "zod";
import { requireFound } from "../../domain/errors.ts";
import { Nothing } from "../../domain/fields.ts";
import { Download } from "../../downloads/files/public.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { ClientAddressHeaders } from "../../platform/auth/client.ts";
import { type AppEnv, allow, allowAnyone } from "../../platform/auth/gates.ts";
import { sendInBackground } from "../../platform/email/send.ts";
import { created, list, ok } from "../../platform/http/envelope.ts";
import { answers, creates, lists } from "../../platform/http/route-description.ts";
import { validate, validateAll } from "../../platform/http/validate.ts";
import { idempotent, once } from "../../platform/idempotency/once.ts";
import { CartHeaders, cartOwner } from "../cart/public.ts";
import { notifyProvider } from "../payments/public.ts";
import { createOrder } from "./create/create-order.ts";
import { draftOrder } from "./create/draft.ts";
import { guessing } from "./create/guesses.ts";
import { placementErrors } from "./create/order-errors.ts";
import { createQuote, Quote } from "./create/quote.ts";
import { OrderCreate, OrderParam, OrdersQuery, QuoteRequest } from "./create/schemas.ts";
import {
  createGuestDownload,
  GuestOrder,
  OrderLinkBody,
  OrderLinkDownload,
  requireGuestOrder,
  rotateOrderLink,
  toGuestOrder,
} from "./guest-order.ts";
import { cancelOrder } from "./move.ts";
import { findOrder, listOrders } from "./orders.ts";
import { Order, toOrder } from "./schemas.ts";

/** Identifies the cart, and the client whose guesses of codes are counted. */
const CheckoutHeaders = CartHeaders.extend(ClientAddressHeaders.shape);

export const orderRoutes = new Hono<AppEnv>()
  .post(
    "/orders",
    allow("checkout:write", "sandboxed"),
    idempotent,
    validateAll({ header: CheckoutHeaders, json: OrderCreate }),
    creates("createOrder", "Place an order", Order, {
      description:
        "Charges a wallet at once. Otherwise the stock is reserved until `expires_at`, while the buyer pays at `payment.next_action`. A refused order changes nothing. Send an `Idempotency-Key`, so that the request can be repeated.",
      refuses: { 400: placementErrors, 409: ["order_resent"] },
    }),
    async (c) => {
      const [sent, { "x-cart-token": cartToken }] = [c.req.valid("json"), c.req.valid("header")];
      const order = await once(c, [sent, cartToken], (ctx) => {
        const draft = draftOrder(ctx, { order: sent, cartToken });
        return guessing(c, draft.discountCodes, () => createOrder(ctx, draft));
      });
      return created(c, `/api/v1/user/account/orders/${order.id}`, "Order placed", toOrder(order));
    },
  )
  .post(
    "/checkout/quote",
    allow("checkout:write", "sandboxed"),
    validateAll({ header: CheckoutHeaders, json: QuoteRequest }),
    answers("createQuote", "Quote an order", Quote, {
      description:
        "Calculates discounts, shipping and tax, and reserves nothing. `problems` lists every reason why the order would be refused. Send its `total` as the `expected_total` of the order.",
      refuses: { 400: ["account_required", "method_not_offered"] },
    }),
    async (c) => {
      const owner = cartOwner(c.var.caller, c.req.valid("header"));
      const sent = c.req.valid("json");
      const quote = await guessing(
        c,
        sent.discount_codes,
        () => createQuote(writeContextOf(c), { sent, owner }),
        ({ problems }) => problems,
      );
      return ok(c, "Quote", quote);
    },
  )
  .get(
    "/account/orders",
    allow("checkout:read"),
    validate("query", OrdersQuery),
    lists("listMyOrders", "List your orders", Order, {
      description: "Newest first: the orders of the account, or those placed with the API key.",
    }),
    async (c) => {
      const page = await listOrders(c.var.db, c.var.caller, c.req.valid("query"));
      return list(c, "Orders", page, toOrder);
    },
  )
  .get(
    "/account/orders/:orderId",
    allow("checkout:read"),
    validate("param", OrderParam),
    answers("getMyOrder", "Get one of your orders", Order, {
      description: "Orders of other accounts and API keys are not found.",
    }),
    async (c) => {
      const { orderId } = c.req.valid("param");
      const order = await requireFound(findOrder(c.var.db, c.var.caller, orderId), `Order ${orderId}`);
      return ok(c, "Order", toOrder(order));
    },
  )
  .post(
    "/orders/link",
    allowAnyone("checkout:read", "anonymous"),
    validate("json", OrderLinkBody),
    answers("getOrderByToken", "Open the link of a guest's order", GuestOrder, {
      description: "Shows the order without the name and addresses of the buyer, because e-mails are forwarded.",
      refuses: { 404: ["not_found"] },
    }),
    async (c) => {
      const now = Date.now();
      return ok(c, "Order", toGuestOrder(await requireGuestOrder(c.var, c.req.valid("json").token, now), now));
    },
  )
  .post(
    "/orders/link/downloads",
    allowAnyone("checkout:read", "anonymous"),
    validate("json", OrderLinkDownload),
    answers("createGuestDownload", "Download a file of a guest's order, or get a link to it", Download, {
      description: "Counts against the download limit of the order's packages.",
      refuses: { 403: ["download_denied"], 404: ["not_found"] },
    }),
    async (c) => {
      const { db, settings } = c.var;
      const shop = { env: c.env, db, settings, origin: new URL(c.req.url).origin, counts: true };
      const offer = await createGuestDownload(shop, c.req.valid("json"));
      return ok(c, offer.kind === "link" ? "Download link" : "File", offer);
    },
  )
  .post(
    "/orders/link/rotate",
    allowAnyone("checkout:read", "anonymous"),
    validate("json", OrderLinkBody),
    answers("rotateOrderLink", "E-mail a new link to the buyer, and end the earlier ones", z.null(), {
      refuses: { 404: ["not_found"] },
    }),
    async (c) => {
      await rotateOrderLink(writeContextOf(c), c.req.valid("json").token);
      sendInBackground(c);
      return ok(c, "A new link is on its way to the e-mail address of the order", null);
    },
  )
  .post(
    "/account/orders/:orderId/cancel",
    allow("checkout:write", "sandboxed"),
    idempotent,
    validateAll({ param: OrderParam, json: Nothing }),
    answers("cancelMyOrder", "Cancel an order", Order, {
      description:
        "Refunds a paid order in full and returns its units to the stock. Shipped orders are returned instead.",
      refuses: { 409: ["downloads_used", "gift_card_in_use", "move_not_allowed", "units_in_return"] },
    }),
    async (c) => {
      const { orderId } = c.req.valid("param");
      const order = await once(c, null, (ctx) => cancelOrder(ctx, orderId));
      notifyProvider(c, order);
      return ok(c, "Order cancelled", toOrder(order));
    },
  );
