import type { Context } from "hono";
import { changeReturn, settledAmount, settleReturn } from "../../../checkout/orders/returns/change.ts";
import { createStaffReturn, readReturnable, returnableLines } from "../../../checkout/orders/returns/create.ts";
import { listReturns, requireReturn } from "../../../checkout/orders/returns/returns.ts";
import {
  ReturnCreate,
  type ReturnRow,
  ReturnSettlement,
  ReturnsQuery,
  ReturnUpdate,
} from "../../../checkout/orders/returns/schemas.ts";
import { requireOrder } from "../../../checkout/orders/update.ts";
import { notifyProvider } from "../../../checkout/payments/notify-provider.ts";
import { ApiError } from "../../../domain/errors.ts";
import { IdText } from "../../../domain/fields.ts";
import { formatMoney } from "../../../domain/money.ts";
import { nameWithValues } from "../../../domain/option-values.ts";
import { accountScopeOf, writeContextOf } from "../../../platform/auth/caller.ts";
import { administer } from "../../../platform/auth/gates.ts";
import { returnStatuses } from "../../../platform/db/schema.ts";
import { valid } from "../../../platform/http/validate.ts";
import { once } from "../../../platform/idempotency/once.ts";
import { redirectWithFlash } from "../../flash.ts";
import { kindsOf } from "../../forms/conversion.ts";
import { type Failed, type FormInputs, formFor } from "../../forms/inputs.ts";
import { money, number, optional, type Values } from "../../forms/kinds.ts";
import { readFilters, type SentForm } from "../../forms/read-form.ts";
import { When } from "../../kit/dates.tsx";
import { Fields } from "../../kit/fields.tsx";
import { choiceFilter, ownLabels } from "../../kit/filters.tsx";
import { NewPage } from "../../kit/page-parts.tsx";
import { Badge } from "../../kit/values.tsx";
import { listPage } from "../../list-page.tsx";
import { type PanelEnv, page } from "../../page.tsx";
import { withPicks } from "../../pickers/resolve.ts";
import { recordPages, rowForms } from "../../record-pages.ts";
import { UnitsFields } from "../form-sections.tsx";
import { chosenUnits, lineErrors, trackingInputs, type UnitsField, unitsInputs } from "../inputs.ts";
import { previewRefund } from "../refund.tsx";
import {
  conditionOf,
  countErrors,
  declineInputs,
  RETURNS_PATH,
  ReturnPage,
  requesters,
  sendingInputs,
} from "./page.tsx";

const filters = {
  order_id: { as: "picker", label: "Order", kinds: ["order"] },
  status: choiceFilter("Status", ownLabels(returnStatuses)),
  requested_by: choiceFilter("Requested by", Object.entries(requesters)),
} satisfies FormInputs;

async function returnsPage(c: Context<PanelEnv>) {
  const { query, form: typed } = readFilters(c, ReturnsQuery, filters);
  const [found, form] = await Promise.all([
    listReturns(c.var.db, query, { scope: accountScopeOf(c.var.caller) }),
    withPicks(c, typed),
  ]);
  return listPage(c, {
    noun: "returns",
    found,
    form,
    columns: [
      { title: "Return", cell: ({ id }) => <a href={`${RETURNS_PATH}/${id}`}>Return {id}</a> },
      { title: "Order", cell: ({ orderId, order }) => <a href={`/admin/orders/${orderId}`}>{order.number}</a> },
      { title: "Requested", phone: "none", cell: ({ createdAt }) => <When at={createdAt} brief /> },
      { title: "By", phone: "none", cell: ({ requestedBy, late }) => requesters[requestedBy] + (late ? ", late" : "") },
      { title: "Units", numeric: true, cell: ({ items }) => String(unitsOf(items)) },
      { title: "Status", cell: ({ status }) => <Badge status={status} /> },
    ],
    start: { path: "/admin/orders", label: "Choose an order", needs: "orders:read" },
    purpose: "Customers ask for returns in your shop. You create others on the page of an order, under “More”.",
  });
}

const unitsOf = (items: ReturnRow["items"]): number => items.reduce((sum, { quantity }) => sum + quantity, 0);

async function returnPage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const row = await requireReturn(c.var.db, id, accountScopeOf(c.var.caller));
  const shown = failed && { ...failed, errors: countErrors(row, failed.errors) };
  const amount = row.status === "received" ? await readAmount(c, row) : null;
  return page(c, `Return ${id}`, <ReturnPage row={row} amount={amount} failed={shown} />);
}

/** The amount to refund without a deduction. Null if less is left, which settling the return explains. */
async function readAmount(c: Context<PanelEnv>, row: ReturnRow): Promise<string | null> {
  const order = await requireOrder(c.var.db, row.orderId, accountScopeOf(c.var.caller));
  try {
    return formatMoney(settledAmount(order, row, {}), order.currency);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** The form for a return of an order, with the units that can be returned. */
async function newReturnPage(c: Context<PanelEnv>, failed: Failed | null) {
  const id = valid(IdText, failed?.values.order_id?.[0] ?? c.req.query("order_id"));
  const { order, open } = await readReturnable(c.var, { id, scope: accountScopeOf(c.var.caller) });
  const returnable = new Map(returnableLines(order, open, "staff").map((line) => [line.id, line.quantity]));
  const items = order.items.map((item) => ({
    id: item.id,
    label: nameWithValues(item),
    unit: `of ${returnable.get(item.id) ?? 0}`,
  }));
  const shown = failed && { ...failed, errors: lineErrors(failed.values, failed.errors) };
  const inputs: FormInputs<UnitsField | "items" | keyof typeof sendingInputs> = {
    items: { as: "group", label: "Units to return", hint: "Leave all empty to return everything." },
    ...unitsInputs(items),
    ...sendingInputs,
  };
  const form = formFor(shown, RETURNS_PATH, { inputs });
  return page(
    c,
    "Create return",
    <NewPage
      title={`Return of order ${order.number}`}
      back={{ path: `/admin/orders/${id}`, name: `Order ${order.number}` }}
      form={form}
      button="Create return"
    >
      <input type="hidden" name="order_id" value={String(id)} />
      <input type="hidden" name="once" value={crypto.randomUUID()} />
      <UnitsFields form={form} ids={items.map(({ id }) => id)} />
      <Fields form={form} names={["instructions", "label_url"]} />
    </NewPage>,
  );
}

/** Without units, everything that can be returned. */
const newReturnKinds = (values: Values) => ({
  items: () => {
    const chosen = chosenUnits(values);
    return chosen.length > 0 ? chosen : undefined;
  },
  ...kindsOf(sendingInputs),
});

async function createReturnOf(c: Context<PanelEnv>, sent: SentForm) {
  const id = valid(IdText, sent.values.order_id?.[0]);
  const request = sent.read(ReturnCreate, newReturnKinds(sent.values));
  const made = await once(c, request, (ctx) => createStaffReturn(ctx, { id, request }));
  return redirectWithFlash(c, `${RETURNS_PATH}/${made.id}`, "The return was created. The customer gets an e-mail.");
}

/** The counted units of each line, in the order of the return. */
const countKinds = (values: Values, { items }: ReturnRow) => ({
  status: () => "received",
  items: () =>
    items.map(({ id }) => ({
      id,
      intact: number(values[conditionOf(id, "intact")] ?? []) ?? 0,
      damaged: number(values[conditionOf(id, "damaged")] ?? []) ?? 0,
    })),
});

const change = async (c: Context<PanelEnv>, id: number, sent: SentForm, kinds: Parameters<SentForm["read"]>[1]) => {
  const change = sent.read(ReturnUpdate, kinds);
  await changeReturn(writeContextOf(c), { id, change, ifMatch: sent.ifMatch });
};

export const returnPages = recordPages("/returns", {
  reads: administer("orders:read"),
  writes: administer("orders:write"),
  listPage: returnsPage,
  filters,
  newPage: newReturnPage,
  create: createReturnOf,
  rowPage: returnPage,
  forms: {
    "/approve": async (c, id, sent) => {
      await change(c, id, sent, { status: () => "approved", ...kindsOf(sendingInputs) });
      return "The return was approved. The customer gets an e-mail.";
    },
    "/decline": async (c, id, sent) => {
      await change(c, id, sent, { status: () => "declined", ...kindsOf(declineInputs) });
      return "The return was declined. The customer gets an e-mail.";
    },
    "/send": async (c, id, sent) => {
      await change(c, id, sent, { status: () => "in_transit", ...kindsOf(trackingInputs) });
      return "The return is now in transit.";
    },
    "/receive": async (c, id, sent) => {
      const row = await requireReturn(c.var.db, id, accountScopeOf(c.var.caller));
      await change(c, id, sent, countKinds(sent.values, row));
      return "The units were counted. Refund the return next.";
    },
  },
}).route(
  "/",
  rowForms("/returns/:id", administer("payments:write"), returnPage, {
    "/settle": async (c, id, sent) => {
      const settlement = sent.read(ReturnSettlement, {
        deduction: money("deduction"),
        shipping: ([chosen]) => (chosen ? chosen === "true" : undefined),
        note: optional,
      });
      if (sent.values.preview) {
        const scope = accountScopeOf(c.var.caller);
        const row = await requireReturn(c.var.db, id, scope);
        const order = await requireOrder(c.var.db, row.orderId, scope);
        const show = (failed: Failed) => returnPage(c, id, failed);
        return previewRefund(c, sent, { order, amount: settledAmount(order, row, settlement), show });
      }
      const order = await once(c, settlement, (ctx) => settleReturn(ctx, { id, settlement, ifMatch: sent.ifMatch }));
      notifyProvider(c, order);
      return `The return was refunded: the order is ${order.paymentStatus.replace("_", " ")}.`;
    },
  }),
);
