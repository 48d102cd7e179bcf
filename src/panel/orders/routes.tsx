import { type Context, Hono } from "hono";
import { accountScopeOf } from "../../auth/account-scope.ts";
import { authorOf } from "../../auth/author.ts";
import { administer } from "../../auth/gates.ts";
import { IdParam } from "../../domain/fields.ts";
import { formatMoney } from "../../domain/money.ts";
import { pageOf } from "../../http/pagination.ts";
import { validate } from "../../http/validate.ts";
import { once } from "../../idempotency/once.ts";
import { listAllOrders } from "../../orders/admin-queries.ts";
import { AllOrdersQuery, NewRefund, OrderChange } from "../../orders/admin-schemas.ts";
import { refundableAmount } from "../../orders/refunds/extent.ts";
import type { OrderRow } from "../../orders/schemas.ts";
import { changeOrder, refundAmount, refundOrder, requireOrder } from "../../orders/write.ts";
import { notifyProvider } from "../../payments/notify-provider.ts";
import type { PanelEnv } from "../env.ts";
import { redirectWithFlash } from "../flash.ts";
import { submit } from "../forms/attempt.ts";
import { readFilters } from "../forms/read-filters.ts";
import type { SentForm } from "../forms/read-form.ts";
import type { Failed } from "../forms/state.ts";
import { page } from "../page.tsx";
import { readNames } from "../references/queries.ts";
import { OrderPage } from "./detail-page.tsx";
import { changeKinds, refundErrors, refundKinds } from "./kinds.ts";
import { OrdersPage } from "./list-page.tsx";

export const orders = new Hono<PanelEnv>()
  .get("/orders", administer("orders:read"), async (c) => {
    const { query, form } = readFilters(c, AllOrdersQuery);
    const { rows, totalItems, totalIsExact } = await listAllOrders(c.var.db, query, accountScopeOf(c.var.caller));
    const place = pageOf(query, totalItems, totalIsExact);
    return page(c, "Orders", <OrdersPage rows={rows} place={place} form={form} url={c.req.url} />);
  })
  .get("/orders/:id", administer("orders:read"), validate("param", IdParam), (c) =>
    detailPage(c, c.req.valid("param").id, null),
  )
  .post(
    "/orders/:id/:change{move|ship|address|billing-address}",
    administer("orders:write"),
    validate("param", IdParam),
    async (c) => {
      const { id } = c.req.valid("param");
      return submit(
        c,
        (failed) => detailPage(c, id, failed),
        async (sent) => {
          const change = sent.readChange(OrderChange, changeKinds(sent.values));
          const order = await changeOrder(c.var.db, c.var.caller, id, change, sent.ifMatch, authorOf(c));
          notifyProvider(c, order);
          return redirectWithFlash(
            c,
            `/admin/orders/${id}`,
            change.status ? `The order is now ${order.status}.` : "The order was saved.",
          );
        },
      );
    },
  )
  .post("/orders/:id/refund", administer("payments:write"), validate("param", IdParam), async (c) => {
    const { id } = c.req.valid("param");
    return submit(
      c,
      (failed) => detailPage(c, id, { ...failed, errors: refundErrors(failed.values, failed.errors) }),
      async (sent) => {
        const refund = sent.read(NewRefund, refundKinds(sent.values));
        if (sent.values.preview) return previewPage(c, id, sent, refund);
        const order = await once(c, refund, (author) =>
          refundOrder(c.var.db, { id, scope: accountScopeOf(c.var.caller) }, refund, sent.ifMatch, author),
        );
        notifyProvider(c, order);
        return redirectWithFlash(
          c,
          `/admin/orders/${id}`,
          `The refund was made: the order is ${order.paymentStatus.replace("_", " ")}.`,
        );
      },
    );
  });

/** The refund's form with the amount that it would give back, for who has no script to see it while they type. */
async function previewPage(c: Context<PanelEnv>, id: number, { action, values }: SentForm, refund: NewRefund) {
  const order = await requireOrder(c.var.db, id, accountScopeOf(c.var.caller));
  const [amount, left] = [refundAmount(order, refund), refundableAmount(order)].map((minor) =>
    formatMoney(minor, order.currency),
  );
  const message = `${amount} of ${left} would go back. Nothing was refunded yet.`;
  return showOrder(c, order, { action, values, errors: {}, message, tone: "warning" });
}

async function detailPage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  return showOrder(c, await requireOrder(c.var.db, id, accountScopeOf(c.var.caller)), failed);
}

async function showOrder(c: Context<PanelEnv>, order: OrderRow, failed: Failed | null) {
  const names = await readNames(
    c.var.db,
    order.history.map(({ actor }) => actor),
  );
  return page(c, `Order ${order.number}`, <OrderPage order={order} names={names} failed={failed} />);
}
