import { type Context, Hono } from "hono";
import { adminListOrders } from "../../checkout/orders/admin.ts";
import { AllOrdersQuery, OrderUpdate, RefundCreate } from "../../checkout/orders/admin-schemas.ts";
import { createOrderNote, OrderNoteCreate } from "../../checkout/orders/notes.ts";
import { refundableAmount } from "../../checkout/orders/refunds/extent.ts";
import type { OrderRow } from "../../checkout/orders/schemas.ts";
import { ShipmentCreate, ShipmentParam, ShipmentUpdate } from "../../checkout/orders/shipments/schemas.ts";
import { SENT } from "../../checkout/orders/transitions.ts";
import {
  changeOrder,
  changeShipment,
  createRefund,
  createShipment,
  refundAmount,
  requireOrder,
} from "../../checkout/orders/update.ts";
import { notifyProvider } from "../../checkout/payments/notify-provider.ts";
import { IdParam } from "../../domain/fields.ts";
import { formatMoney } from "../../domain/money.ts";
import { accountScopeOf, writeContextOf } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import { validate } from "../../platform/http/validate.ts";
import { once } from "../../platform/idempotency/once.ts";
import { redirectWithFlash } from "../flash.ts";
import { submit, submitRow } from "../forms/attempt.ts";
import { type Failed, kindsOf } from "../forms/inputs.ts";
import { text } from "../forms/kinds.ts";
import { readFilters, type SentForm } from "../forms/read-form.ts";
import { type PanelEnv, page } from "../page.tsx";
import { viewsOf } from "../saved-views/routes.tsx";
import { OrderPage } from "./detail-page.tsx";
import { changeKinds, lineErrors, refundKinds, shipmentKinds, trackingInputs } from "./inputs.ts";
import { OrdersPage, orderFilterInputs } from "./list-page.tsx";
import { readOrderEvents } from "./timeline-queries.ts";

export const orderPages = new Hono<PanelEnv>()
  .get("/orders", administer("orders:read"), async (c) => {
    const { query, form } = readFilters(c, AllOrdersQuery, orderFilterInputs);
    const [{ rows, ...place }, views] = await Promise.all([
      adminListOrders(c.var.db, query, accountScopeOf(c.var.caller)),
      viewsOf(c, "orders"),
    ]);
    return page(c, "Orders", <OrdersPage {...{ rows, place, form, views, url: c.req.url }} />);
  })
  .get("/orders/:id", administer("orders:read"), validate("param", IdParam), (c) =>
    detailPage(c, c.req.valid("param").id, null),
  )
  .post(
    "/orders/:id/:change{move|address|billing-address}",
    administer("orders:write"),
    submitRow(detailPage, async (c, id, sent) => {
      const change = sent.readChange(OrderUpdate, changeKinds(sent.values));
      const order = await changeOrder(writeContextOf(c), { id, change, ifMatch: sent.ifMatch });
      notifyProvider(c, order);
      return redirectWithFlash(
        c,
        `/admin/orders/${id}`,
        change.status
          ? `The order is now ${order.status}.`
          : change.payment_status
            ? `The payment was recorded. The order is now ${order.status}.`
            : "The order was saved.",
      );
    }),
  )
  .post(
    "/orders/:id/shipments",
    administer("orders:write"),
    submitRow(
      (c, id, failed) => detailPage(c, id, { ...failed, errors: lineErrors(failed.values, failed.errors) }),
      async (c, id, sent) => {
        const shipment = sent.read(ShipmentCreate, shipmentKinds(sent.values));
        const order = await once(c, shipment, (ctx) => createShipment(ctx, { id, shipment, ifMatch: sent.ifMatch }));
        const what =
          order.status === SENT
            ? `The order is now ${SENT}.`
            : "The shipment was recorded. The remaining items are still to be sent.";
        return redirectWithFlash(c, `/admin/orders/${id}`, what);
      },
    ),
  )
  .post("/orders/:id/shipments/:shipment", administer("orders:write"), validate("param", ShipmentParam), async (c) => {
    const { id, shipment } = c.req.valid("param");
    return submit(
      c,
      (failed) => detailPage(c, id, failed),
      async (sent) => {
        const change = sent.readChange(ShipmentUpdate, kindsOf(trackingInputs));
        await changeShipment(writeContextOf(c), { id, shipment, change, ifMatch: sent.ifMatch });
        return redirectWithFlash(c, `/admin/orders/${id}`, "The tracking was saved.");
      },
    );
  })
  .post(
    "/orders/:id/notes",
    administer("orders:write"),
    submitRow(detailPage, async (c, id, sent) => {
      const note = sent.read(OrderNoteCreate, { text });
      await once(c, note, (ctx) => createOrderNote(ctx, { id, note }));
      return redirectWithFlash(c, `/admin/orders/${id}`, "The note was added.");
    }),
  )
  .post(
    "/orders/:id/refund",
    administer("payments:write"),
    submitRow(
      (c, id, failed) => detailPage(c, id, { ...failed, errors: lineErrors(failed.values, failed.errors) }),
      async (c, id, sent) => {
        const refund = sent.read(RefundCreate, refundKinds(sent.values));
        if (sent.values.preview) return previewPage(c, id, sent, refund);
        const order = await once(c, refund, (ctx) => createRefund(ctx, { id, refund, ifMatch: sent.ifMatch }));
        notifyProvider(c, order);
        return redirectWithFlash(
          c,
          `/admin/orders/${id}`,
          `The refund was made: the order is ${order.paymentStatus.replace("_", " ")}.`,
        );
      },
    ),
  );

/** The refund's form with the resulting amount, for browsers without scripts. */
async function previewPage(c: Context<PanelEnv>, id: number, { action, values }: SentForm, refund: RefundCreate) {
  const order = await requireOrder(c.var.db, id, accountScopeOf(c.var.caller));
  const [amount, left] = [refundAmount(order, refund), refundableAmount(order)].map((minor) =>
    formatMoney(minor, order.currency),
  );
  const message = `${amount} of ${left} will be refunded. Nothing was refunded yet.`;
  return showOrder(c, order, { action, values, errors: {}, message, tone: "warning" });
}

async function detailPage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  return showOrder(c, await requireOrder(c.var.db, id, accountScopeOf(c.var.caller)), failed);
}

async function showOrder(c: Context<PanelEnv>, order: OrderRow, failed: Failed | null) {
  const { names, images, ...events } = await readOrderEvents(c.var.db, order.id);
  return page(c, `Order ${order.number}`, <OrderPage {...{ order, events, names, images, failed }} />);
}
