import { type Context, Hono } from "hono";
import { authorOf } from "../../audit/entry.ts";
import { IdParam } from "../../http/fields.ts";
import { pageOf } from "../../http/pagination.ts";
import { validate } from "../../http/validate.ts";
import { once } from "../../idempotency/once.ts";
import { listAllOrders } from "../../orders/admin-queries.ts";
import { AllOrdersQuery, NewRefund, OrderChange } from "../../orders/admin-schemas.ts";
import { tellProvidersSoon } from "../../orders/payments/tell-providers.ts";
import { changeOrder, giveBack, requireOrder } from "../../orders/write.ts";
import type { PanelEnv } from "../env.ts";
import { done } from "../flash.ts";
import { submit } from "../forms/attempt.ts";
import { readFilters } from "../forms/read-filters.ts";
import type { FormState } from "../forms/state.ts";
import { page } from "../page.tsx";
import { readNames } from "../references/queries.ts";
import { OrderPage } from "./detail-page.tsx";
import { changeKinds, refundKinds } from "./kinds.ts";
import { OrdersPage } from "./list-page.tsx";

export const orders = new Hono<PanelEnv>()
  .get("/orders", async (c) => {
    const { query, form } = readFilters(c, AllOrdersQuery);
    const { rows, totalItems, totalIsExact } = await listAllOrders(c.var.db, query, "everybody");
    const place = pageOf(query, totalItems, totalIsExact);
    return page(c, "Orders", <OrdersPage rows={rows} place={place} form={form} url={c.req.url} />);
  })
  .get("/orders/:id", validate("param", IdParam), (c) => detailPage(c, c.req.valid("param").id, null))
  .post("/orders/:id/:change{move|ship|address}", validate("param", IdParam), async (c) => {
    const { id } = c.req.valid("param");
    return submit(
      c,
      (failed) => detailPage(c, id, failed),
      async (sent) => {
        const change = sent.read(OrderChange, changeKinds(sent.values));
        const order = await changeOrder(c.var.db, c.var.caller, id, change, sent.ifMatch, authorOf(c));
        tellProvidersSoon(c, order);
        return done(
          c,
          `/admin/orders/${id}`,
          change.status ? `The order is now ${order.status}.` : "The order was saved.",
        );
      },
    );
  })
  .post("/orders/:id/refund", validate("param", IdParam), async (c) => {
    const { id } = c.req.valid("param");
    return submit(
      c,
      (failed) => detailPage(c, id, failed),
      async (sent) => {
        const refund = sent.read(NewRefund, refundKinds(sent.values));
        const order = await once(c, refund, (author) =>
          giveBack(c.var.db, { id, reach: "everybody" }, refund, sent.ifMatch, author),
        );
        tellProvidersSoon(c, order);
        return done(
          c,
          `/admin/orders/${id}`,
          `The refund was made: the order is ${order.paymentStatus.replace("_", " ")}.`,
        );
      },
    );
  });

async function detailPage(c: Context<PanelEnv>, id: number, failed: FormState | null) {
  const order = await requireOrder(c.var.db, id, "everybody");
  const names = await readNames(
    c.var.db,
    order.history.map(({ actor }) => actor),
  );
  return page(c, `Order ${order.number}`, <OrderPage order={order} names={names} failed={failed} />);
}
