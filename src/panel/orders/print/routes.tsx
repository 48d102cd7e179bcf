import { type Context, Hono } from "hono";
import type { Child } from "hono/jsx";
import * as z from "zod";
import { readShop } from "../../../back-office/shop/shop.ts";
import { invoicesOfOrder } from "../../../checkout/invoices/invoices.ts";
import { findOrders } from "../../../checkout/orders/orders.ts";
import { canBeInvoiced, requireOrder } from "../../../checkout/orders/update.ts";
import { IdParam } from "../../../domain/fields.ts";
import { accountScopeOf } from "../../../platform/auth/caller.ts";
import { administer } from "../../../platform/auth/gates.ts";
import { validate } from "../../../platform/http/validate.ts";
import type { PanelEnv } from "../../page.tsx";
import { InvoiceSheet } from "./invoice.tsx";
import { OrderSheet } from "./order.tsx";
import { nextSheets, PackingSlips, Paper, PickList, type Sender, senderOf } from "./paper.tsx";

/** Maximum number of orders printed together. */
export const MOST_PRINTED = 100;

const OrderIds = z.strictObject({
  ids: z
    .string()
    .regex(/^[1-9]\d{0,14}(,[1-9]\d{0,14})*$/, "must be ids with commas between them")
    .transform((text) => [...new Set(text.split(",").map(Number))])
    .refine((ids) => ids.length <= MOST_PRINTED, `must be at most ${MOST_PRINTED}`),
});

export const printed = new Hono<PanelEnv>()
  .get("/orders/packing-slips", administer("shipments:read"), validate("query", OrderIds), async (c) => {
    const { orders, sender } = await readOrders(c, c.req.valid("query").ids);
    const slips = orders.map((order) => <PackingSlips order={order} sender={sender} sheets={nextSheets(order)} />);
    return paper(c, "Packing slips", "/admin/orders", slips);
  })
  .get("/orders/pick-list", administer("shipments:read"), validate("query", OrderIds), async (c) =>
    paper(c, "Pick list", "/admin/orders", <PickList {...(await readOrders(c, c.req.valid("query").ids))} />),
  )
  .get("/orders/:id/packing-slip", administer("shipments:read"), validate("param", IdParam), async (c) => {
    const { order, sender } = await readOrder(c, c.req.valid("param").id);
    return paper(c, `Packing slip ${order.number}`, back(order), <PackingSlips order={order} sender={sender} />);
  })
  .get("/orders/:id/invoice", administer("orders:read"), validate("param", IdParam), async (c) => {
    const { order, sender } = await readOrder(c, c.req.valid("param").id);
    const invoices = await invoicesOfOrder(c.var.db, order.id);
    const sheets = invoices.map((invoice) => <InvoiceSheet invoice={invoice} />);
    if (sheets.length > 0) return paper(c, `Invoices of ${order.number}`, back(order), sheets);
    const issue = canBeInvoiced(order) && (
      <form method="post" action={`${back(order)}/invoices`}>
        <button type="submit">Issue invoice</button>
      </form>
    );
    return paper(c, `Order ${order.number}`, back(order), <OrderSheet order={order} sender={sender} />, issue);
  });

const back = ({ id }: { id: number }) => `/admin/orders/${id}`;

async function readSender(c: Context<PanelEnv>): Promise<Sender> {
  const { email } = c.var.settings;
  return senderOf(await readShop(c.var.db, email), email);
}

async function readOrders(c: Context<PanelEnv>, ids: number[]) {
  const [orders, sender] = await Promise.all([findOrders(c.var.db, ids, accountScopeOf(c.var.caller)), readSender(c)]);
  return { orders, sender };
}

async function readOrder(c: Context<PanelEnv>, id: number) {
  const [order, sender] = await Promise.all([requireOrder(c.var.db, id, accountScopeOf(c.var.caller)), readSender(c)]);
  return { order, sender };
}

async function paper(c: Context<PanelEnv>, title: string, path: string, sheets: Child, action?: Child) {
  const document = (
    <Paper title={title} back={path} action={action}>
      {sheets}
    </Paper>
  );
  return c.html(`<!doctype html>${await document.toString()}`);
}
