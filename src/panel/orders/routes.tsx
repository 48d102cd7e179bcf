import type { Context } from "hono";
import { OrderUpdate, RefundCreate } from "../../checkout/orders/admin-schemas.ts";
import { notesOnOrders } from "../../checkout/orders/notes.ts";
import type { OrderRow } from "../../checkout/orders/schemas.ts";
import { ShipmentCreate, ShipmentParam, ShipmentUpdate } from "../../checkout/orders/shipments/schemas.ts";
import { SENT } from "../../checkout/orders/transitions.ts";
import {
  changeOrder,
  changeShipment,
  createRefund,
  createShipment,
  issueByHand,
  refundAmount,
  requireOrder,
} from "../../checkout/orders/update.ts";
import { visibleTo } from "../../checkout/orders/visible-order.ts";
import { notifyProvider } from "../../checkout/payments/notify-provider.ts";
import { accountScopeOf, may, writeContextOf } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import { valid } from "../../platform/http/validate.ts";
import { once } from "../../platform/idempotency/once.ts";
import { kindsOf } from "../forms/conversion.ts";
import type { Failed } from "../forms/inputs.ts";
import { text } from "../forms/kinds.ts";
import { type PanelEnv, page } from "../page.tsx";
import { recordPages, rowForms } from "../record-pages.ts";
import { OrderPage } from "./detail-page.tsx";
import { changeKinds, lineErrors, refundKinds, shipmentKinds, trackingInputs } from "./inputs.ts";
import { ordersPage } from "./list-page.tsx";
import { previewRefund } from "./refund.tsx";
import { readOrderEvents } from "./timeline-queries.ts";

const shipmentForms = rowForms("/orders/:id", administer("shipments:write"), detailPage, {
  "/shipments": async (c, id, sent) => {
    const shipment = sent.read(ShipmentCreate, shipmentKinds(sent.values));
    const order = await once(c, shipment, (ctx) => createShipment(ctx, { id, shipment, ifMatch: sent.ifMatch }));
    if (order.status === SENT) return `The order is now ${SENT}.`;
    return "The shipment was recorded. The remaining items are still to be sent.";
  },
  "/shipments/:shipment": async (c, id, sent) => {
    const { shipment } = valid(ShipmentParam, c.req.param());
    const change = sent.readChange(ShipmentUpdate, kindsOf(trackingInputs));
    await changeShipment(writeContextOf(c), { id, shipment, change, ifMatch: sent.ifMatch });
    return "The tracking was saved.";
  },
});

export const orderPages = recordPages("/orders", {
  reads: administer("shipments:read"),
  writes: administer("orders:write"),
  listPage: ordersPage,
  rowPage: detailPage,
  forms: {
    "/:change{move|address|billing-address|tags}": async (c, id, sent) => {
      const change = sent.readChange(OrderUpdate, changeKinds(sent.values));
      const order = await changeOrder(writeContextOf(c), { id, change, ifMatch: sent.ifMatch });
      notifyProvider(c, order);
      if (change.status) return `The order is now ${order.status}.`;
      return change.payment_status
        ? `The payment was recorded. The order is now ${order.status}.`
        : "The order was saved.";
    },
    "/invoices": async (c, id, { ifMatch }) => {
      const invoice = await issueByHand(writeContextOf(c), { id, ifMatch });
      return `Invoice ${invoice?.number} was issued.`;
    },
    "/notes": async (c, id, sent) => {
      const note = sent.read(notesOnOrders.schema, { text });
      await once(c, note, (ctx) => notesOnOrders.create(ctx, { id, note }));
      return "The note was added.";
    },
  },
})
  .route("/", shipmentForms)
  .route(
    "/",
    rowForms("/orders/:id", administer("payments:write"), detailPage, {
      "/refund": async (c, id, sent) => {
        const refund = sent.read(RefundCreate, refundKinds(sent.values));
        if (sent.values.preview) {
          const order = await requireOrder(c.var.db, id, accountScopeOf(c.var.caller));
          const show = (failed: Failed) => showOrder(c, order, failed);
          return previewRefund(c, sent, { order, amount: refundAmount(order, refund), show });
        }
        const order = await once(c, refund, (ctx) => createRefund(ctx, { id, refund, ifMatch: sent.ifMatch }));
        notifyProvider(c, order);
        return `The refund was made: the order is ${order.paymentStatus.replace("_", " ")}.`;
      },
    }),
  );

/** Errors of units are shown at the fields of their lines. */
async function detailPage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const order = await requireOrder(c.var.db, id, accountScopeOf(c.var.caller));
  return showOrder(c, order, failed && { ...failed, errors: lineErrors(failed.values, failed.errors) });
}

async function showOrder(c: Context<PanelEnv>, order: OrderRow, failed: Failed | null) {
  const { names, images, issued, ...read } = await readOrderEvents(c.var.db, order.id);
  const events = may(c.var.caller, "orders:read") ? read : { ...read, emails: [], notes: [] };
  return page(
    c,
    `Order ${order.number}`,
    <OrderPage {...{ order: visibleTo(c.var.caller, order), events, names, images, issued, failed }} />,
  );
}
