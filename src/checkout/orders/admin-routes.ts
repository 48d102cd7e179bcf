import { Hono } from "hono";
import { IdParam, Nothing } from "../../domain/fields.ts";
import { accountScopeOf, writeContextOf } from "../../platform/auth/caller.ts";
import { type AppEnv, administer } from "../../platform/auth/gates.ts";
import { requireRow } from "../../platform/db/client.ts";
import { created, list, ok } from "../../platform/http/envelope.ts";
import { answers, creates, lists } from "../../platform/http/route-description.ts";
import { validate, validateAll } from "../../platform/http/validate.ts";
import { IfMatch, versioned } from "../../platform/http/version.ts";
import { idempotent, once } from "../../platform/idempotency/once.ts";
import { Invoice, toInvoice } from "../invoices/public.ts";
import { notifyOfEdit, notifyProvider } from "../payments/public.ts";
import { adminListOrders } from "./admin.ts";
import { AllOrdersQuery, OrderUpdate, RefundCreate } from "./admin-schemas.ts";
import { placeByHand, quoteByHand } from "./by-hand/create-by-hand.ts";
import { AdminOrderCreate } from "./by-hand/schemas.ts";
import { placementErrors } from "./create/order-errors.ts";
import { Quote } from "./create/quote.ts";
import { editPlacedOrder, quoteEdit } from "./edits/edits.ts";
import { EditContent, EditQuote, OrderEditCreate } from "./edits/schemas.ts";
import { ownTestOrder } from "./own-test-order.ts";
import { Order, toStaffOrder } from "./schemas.ts";
import { ShipmentCreate, ShipmentParam, ShipmentUpdate } from "./shipments/schemas.ts";
import { changeOrder, changeShipment, createRefund, createShipment, issueByHand, requireOrder } from "./update.ts";
import { visibleTo } from "./visible-order.ts";

export const ordersAdmin = new Hono<AppEnv>()
  .get(
    "/orders",
    administer("shipments:read"),
    validate("query", AllOrdersQuery),
    lists("adminListOrders", "List all orders", Order, {
      description:
        "Unpaid orders have `payment_status` `unpaid`, in any `status`. Filter by time with `from` and `to`.",
    }),
    async (c) => {
      const page = await adminListOrders(c.var.db, c.req.valid("query"), c.var.caller);
      return list(c, "Orders", page, (order) => toStaffOrder(visibleTo(c.var.caller, order)));
    },
  )
  .post(
    "/orders",
    administer("orders:write", "payments:write"),
    idempotent,
    validate("json", AdminOrderCreate),
    creates("adminCreateOrder", "Place an order for a buyer", Order, {
      refuses: { 400: [...placementErrors, "external_id_taken"], 409: ["order_resent", "spending_limit"] },
      description:
        "Places the order at once and takes its units from the stock. Get the total from `adminCreateQuote` first and send it as `expected_total`. To let the buyer review and pay, create a draft order instead.",
    }),
    async (c) => {
      const sent = c.req.valid("json");
      const order = await once(c, sent, (ctx) => placeByHand(ctx, sent));
      return created(c, `/api/v1/admin/orders/${order.id}`, "Order placed", toStaffOrder(order));
    },
  )
  .post(
    "/orders/quote",
    administer("orders:write", "payments:write"),
    validate("json", AdminOrderCreate),
    answers("adminCreateQuote", "Quote an order for a buyer", Quote, {
      description: "Returns totals and `shipping_options` of an order without placing it.",
    }),
    async (c) => ok(c, "Quote", await quoteByHand(writeContextOf(c), c.req.valid("json"))),
  )
  .get(
    "/orders/:id",
    administer("shipments:read"),
    validate("param", IdParam),
    answers("adminGetOrder", "Get any order", Order, { headers: ["ETag"] }),
    async (c) => {
      const order = await requireOrder(c.var.db, c.req.valid("param").id, accountScopeOf(c.var.caller));
      return versioned(c, "Order", order, toStaffOrder(visibleTo(c.var.caller, order)));
    },
  )
  .put(
    "/orders/:id",
    administer("orders:write", "payments:write", "sandboxed"),
    ownTestOrder,
    validateAll({ param: IdParam, header: IfMatch, json: OrderUpdate }),
    answers("updateOrder", "Update an order", Order, {
      refuses: {
        400: ["discount_used_up", "exceeds_refundable", "exceeds_unsent", "external_id_taken", "payment_not_possible"],
        409: [
          "already_paid",
          "downloads_used",
          "gift_card_in_use",
          "move_not_allowed",
          "order_not_sent",
          "order_sent",
          "spending_limit",
          "stock_gone",
          "units_in_return",
        ],
      },
      description:
        "Changes the status, records a payment received elsewhere, or corrects the addresses. `cancelled` cannot be undone, refunds a paid order in full and returns its unshipped units to the stock.",
      headers: ["ETag"],
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const [change, ifMatch] = [c.req.valid("json"), c.req.valid("header")];
      const order = await changeOrder(writeContextOf(c), { id, change, ifMatch });
      notifyProvider(c, order);
      return versioned(c, "Order updated", order, toStaffOrder(order));
    },
  )
  .post(
    "/orders/:id/edits",
    administer("orders:write", "payments:write"),
    idempotent,
    validateAll({ param: IdParam, header: IfMatch, json: OrderEditCreate }),
    answers("createOrderEdit", "Edit a placed order", Order, {
      refuses: {
        400: placementErrors,
        409: ["downloads_used", "gift_card_in_use", "order_not_editable", "spending_limit", "units_in_return"],
      },
      description:
        "Changes items, shipping, addresses or discounts of an order that was placed. Get the new total from `createOrderEditQuote` first.",
      headers: ["ETag"],
    }),
    async (c) => {
      const which = { ...c.req.valid("param"), ifMatch: c.req.valid("header") };
      const edit = c.req.valid("json");
      const order = await once(c, edit, (ctx) => editPlacedOrder(ctx, which, edit));
      notifyOfEdit(c, order);
      return versioned(c, "Order edited", order, toStaffOrder(order));
    },
  )
  .post(
    "/orders/:id/edits/quote",
    administer("orders:write", "payments:write"),
    validateAll({ param: IdParam, header: IfMatch, json: EditContent }),
    answers("createOrderEditQuote", "Quote an edit of a placed order", EditQuote, {
      refuses: { 409: ["order_not_editable"] },
      description: "Returns the totals after an edit without changing the order.",
    }),
    async (c) => {
      const which = { ...c.req.valid("param"), ifMatch: c.req.valid("header") };
      const { quote } = await quoteEdit(writeContextOf(c), which, c.req.valid("json"));
      return ok(c, "Quote", quote);
    },
  )
  .post(
    "/orders/:id/shipments",
    administer("shipments:write", undefined, "sandboxed"),
    idempotent,
    ownTestOrder,
    validateAll({ param: IdParam, header: IfMatch, json: ShipmentCreate }),
    answers("createShipment", "Ship all or part of an order", Order, {
      refuses: { 400: ["exceeds_unsent"], 409: ["move_not_allowed", "spending_limit", "units_in_return"] },
      description: "Records a parcel of `items`, or of everything that is left, and e-mails the buyer.",
      headers: ["ETag"],
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const [shipment, ifMatch] = [c.req.valid("json"), c.req.valid("header")];
      const order = await once(c, shipment, (ctx) => createShipment(ctx, { id, shipment, ifMatch }));
      return versioned(c, "Shipped", order, toStaffOrder(visibleTo(c.var.caller, order)));
    },
  )
  .put(
    "/orders/:id/shipments/:shipment",
    administer("shipments:write", undefined, "sandboxed"),
    ownTestOrder,
    validateAll({ param: ShipmentParam, header: IfMatch, json: ShipmentUpdate }),
    answers("updateShipment", "Correct a shipment", Order, { headers: ["ETag"] }),
    async (c) => {
      const [change, ifMatch] = [c.req.valid("json"), c.req.valid("header")];
      const order = await changeShipment(writeContextOf(c), { ...c.req.valid("param"), change, ifMatch });
      return versioned(c, "Shipment corrected", order, toStaffOrder(visibleTo(c.var.caller, order)));
    },
  )
  .post(
    "/orders/:id/refunds",
    administer("payments:write", undefined, "sandboxed"),
    idempotent,
    ownTestOrder,
    validateAll({ param: IdParam, header: IfMatch, json: RefundCreate }),
    answers("createRefund", "Refund an order", Order, {
      refuses: {
        400: ["exceeds_refundable", "payment_not_possible"],
        409: ["gift_card_in_use", "move_not_allowed", "spending_limit", "units_in_return"],
      },
      description:
        "Pays money back, which cannot be undone. An empty body refunds everything that remains. Read the order first with `adminGetOrder`: ids in `items` are those of its line items, not of products.",
      headers: ["ETag"],
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const [refund, ifMatch] = [c.req.valid("json"), c.req.valid("header")];
      const order = await once(c, refund, (ctx) => createRefund(ctx, { id, refund, ifMatch }));
      notifyProvider(c, order);
      return versioned(c, "Refunded", order, toStaffOrder(order));
    },
  )
  .post(
    "/orders/:id/invoices",
    administer("orders:write"),
    validateAll({ param: IdParam, header: IfMatch, json: Nothing }),
    creates("createInvoice", "Issue an order's invoice", Invoice, {
      description: "Returns the invoice if the order has one. Refunds and edits then issue credit notes by themselves.",
      refuses: { 409: ["not_invoiceable"] },
    }),
    async (c) => {
      const which = { ...c.req.valid("param"), ifMatch: c.req.valid("header") };
      const invoice = requireRow(await issueByHand(writeContextOf(c), which));
      return created(c, `/api/v1/admin/invoices?order_id=${which.id}`, "Invoice issued", toInvoice(invoice));
    },
  );
