import type { Context } from "hono";
import { adminListOrders } from "../../checkout/orders/admin.ts";
import { AllOrdersQuery } from "../../checkout/orders/admin-schemas.ts";
import { isTestPayment, type OrderRow } from "../../checkout/orders/schemas.ts";
import { visibleTo } from "../../checkout/orders/visible-order.ts";
import { fulfillmentStatuses, orderStatuses, paymentStatuses } from "../../platform/db/schema.ts";
import { bulkActionsOf, ordersActionInputs } from "../bulk-actions/forms.tsx";
import { readTags } from "../choices.ts";
import type { FormInputs } from "../forms/inputs.ts";
import { readFilters } from "../forms/read-form.ts";
import { Allowed } from "../kit/allowed.tsx";
import { When } from "../kit/dates.tsx";
import { choiceFilter, dateFilters, ExportMenu, ownLabels } from "../kit/filters.tsx";
import { LinkButton } from "../kit/form.tsx";
import { Badge, MoneyAmount } from "../kit/values.tsx";
import { listPage } from "../list-page.tsx";
import type { PanelEnv } from "../page.tsx";
import { viewsOf } from "../saved-views/routes.tsx";

const orderFilterInputs = (tags: readonly string[] = []) =>
  ({
    search: { as: "search", label: "Number, customer, product or tracking" },
    status: choiceFilter("Status", ownLabels(orderStatuses)),
    payment_status: choiceFilter("Payment", ownLabels(paymentStatuses)),
    fulfillment_status: choiceFilter("Fulfillment", ownLabels(fulfillmentStatuses)),
    ...dateFilters("Placed"),
    tag: { as: "text", label: "Tag", suggestions: tags },
    sort: choiceFilter("Sort by", [["oldest", "Oldest"]], "Newest"),
  }) satisfies FormInputs;

const commonViews = [
  { name: "To ship", filters: { status: "processing" } },
  { name: "Unpaid", filters: { status: "pending" } },
  { name: "On their way", filters: { status: "shipped" } },
];

export async function ordersPage(c: Context<PanelEnv>) {
  const { query, form } = readFilters(c, AllOrdersQuery, orderFilterInputs());
  const { caller } = c.var;
  const [{ rows, ...place }, views, tags] = await Promise.all([
    adminListOrders(c.var.db, query, caller),
    viewsOf(c, "orders"),
    readTags(c.var.db, "orders"),
  ]);
  const exported = [
    { list: "orders", label: "Orders" },
    { list: "order-lines", label: "Order lines" },
  ];
  return listPage(c, {
    noun: "orders",
    actions: (
      <>
        <ExportMenu form={form} needs="orders:read" lists={exported} />
        <LinkButton needs="orders:read" href="/admin/orders/drafts">
          Drafts
        </LinkButton>
      </>
    ),
    add: { label: "Create order", needs: "orders:write" },
    found: { ...place, rows: rows.map((order) => visibleTo(caller, order)) },
    views: { ...views, common: commonViews },
    form: { ...form, inputs: orderFilterInputs(tags) },
    columns: [
      { title: "Number", cell: ({ id, number }) => <OrderLink id={id} number={number} /> },
      {
        title: "Placed",
        phone: "first",
        cell: ({ createdAt }) => <When at={createdAt} brief />,
        sort: { ascending: "oldest", descending: "newest" },
      },
      { title: "Customer", cell: (row) => <Customer {...row} /> },
      { title: "Items", numeric: true, cell: ({ items }) => unitsOf(items), wide: true, phone: "none" },
      { title: "Status", cell: ({ status }) => <Badge status={status} /> },
      {
        title: "Payment",
        cell: (order) => (
          <>
            <Badge status={order.paymentStatus} isSecond /> {isTestPayment(order) && <Badge status="test mode" />}
          </>
        ),
      },
      {
        title: "Fulfillment",
        cell: ({ fulfillmentStatus }) => <Badge status={fulfillmentStatus} isSecond />,
        wide: true,
        phone: "none",
      },
      { title: "Tags", wide: true, phone: "none", cell: ({ tags: own }) => own.join(", ") },
      {
        title: "Total",
        numeric: true,
        cell: ({ total, currency }) => <MoneyAmount minor={total} currency={currency} />,
      },
    ],
    bulk: {
      ...bulkActionsOf("/admin/orders", ordersActionInputs(caller)),
      needs: "shipments:write",
      selects: ({ id, number }) => ({ id, name: number }),
    },
    purpose: "Orders from customers appear here.",
  });
}

const OrderLink = ({ id, number }: Pick<OrderRow, "id" | "number">) => (
  <a class="nowrap" href={`/admin/orders/${id}`}>
    {number}
  </a>
);

const unitsOf = (items: OrderRow["items"]) => items.reduce((sum, { quantity }) => sum + quantity, 0);

export const Customer = ({ userId, customerName, customerEmail }: OrderRow) => {
  const name = customerName ?? customerEmail ?? "a guest";
  return (
    <Allowed to="users:read" otherwise={<span>{name}</span>}>
      {userId === null ? <span>{name}</span> : <a href={`/admin/customers/${userId}`}>{name}</a>}
    </Allowed>
  );
};
