import type { Context } from "hono";
import type { EditQuote, Settlement } from "../../../checkout/orders/edits/schemas.ts";
import type { OrderRow } from "../../../checkout/orders/schemas.ts";
import { shopCurrency, toMinor } from "../../../domain/money.ts";
import { nameWithValues } from "../../../domain/option-values.ts";
import { etagOf } from "../../../platform/http/version.ts";
import type { PanelEnv } from "../../env.ts";
import { valuesFrom } from "../../forms/kinds.ts";
import { type Failed, type FormState, formFor } from "../../forms/state.ts";
import { Button, LinkButton } from "../../kit/buttons.tsx";
import { CellField, Field } from "../../kit/fields.tsx";
import { Form } from "../../kit/form.tsx";
import { PageHeader } from "../../kit/page-parts.tsx";
import { Table } from "../../kit/table.tsx";
import { pricedOf, Totals } from "../../kit/totals.tsx";
import { MoneyAmount } from "../../kit/values.tsx";
import { page } from "../../page.tsx";
import { withPicks } from "../../pickers/resolve.ts";
import { priceField, quantityField } from "../by-hand/inputs.ts";
import { DiscountSection, ShippingSection } from "../form-sections.tsx";
import { type EditField, editInputsFor, editValues, hasAddress, rowOf } from "./inputs.ts";

/** The order's page with a form, and its quote once it was calculated. `isReviewed`: the quote is of what the form says. */
type Shown = { order: OrderRow; failed: Failed | null; quote: EditQuote | undefined; isReviewed: boolean };

export async function editOrderPage(c: Context<PanelEnv>, { order, failed, quote, isReviewed }: Shown) {
  const path = `/admin/orders/${order.id}/edit`;
  const values = editValues(order);
  const shown = failed?.action === path ? failed.values : valuesFrom(values);
  const inputs = editInputsFor(order, shown, quote);
  const opened = formFor<EditField>(failed, path, { inputs, values, etag: etagOf(order.updatedAt) });
  const form = await withPicks(c, opened);
  return page(
    c,
    `Edit order ${order.number}`,
    <>
      <PageHeader
        title={`Edit order ${order.number}`}
        back={{ path: `/admin/orders/${order.id}`, name: `Order ${order.number}` }}
      />
      <Form form={form} needs="orders:write">
        <input type="hidden" name="once" value={form.values.once?.[0] ?? crypto.randomUUID()} />
        {isReviewed && quote && <input type="hidden" name="expected_total" value={quote.total} />}
        <Fields order={order} form={form} quote={quote} isReviewed={isReviewed} />
      </Form>
    </>,
  );
}

type FieldsProps = Omit<Shown, "failed"> & { form: FormState<EditField> };

const Fields = ({ order, form, quote, isReviewed }: FieldsProps) => (
  <div class="record">
    <div>
      {/* Enter in a field presses the first button. */}
      <button type="submit" class="unseen" tabindex={-1} name="do" value="review">
        Review changes
      </button>
      <section class="card">
        <h2>Items</h2>
        <Items order={order} form={form} quote={quote} />
        <Field form={form} name="add" />
        <div class="actions">
          <Button tone="quiet" name="do" value="review">
            Add to order
          </Button>
        </div>
      </section>
      <ShippingSection form={form} />
      <DiscountSection form={form} />
    </div>
    <aside>
      <section class="card">
        <h2>Total</h2>
        {quote && <Totals order={pricedOf(quote)} />}
        {quote && isReviewed && <Difference quote={quote} />}
        {isReviewed && quote?.settlement === "receive" && <Field form={form} name="received" />}
        <Field form={form} name="note" />
        {hasAddress(order) && <Field form={form} name="notify" />}
        <div class="actions">
          {isReviewed && (
            <Button tone="primary" name="do" value="save">
              Save changes
            </Button>
          )}
          <Button tone={isReviewed ? "quiet" : "primary"} name="do" value="review">
            {isReviewed ? "Update total" : "Review changes"}
          </Button>
          <LinkButton href={`/admin/orders/${order.id}`}>Cancel</LinkButton>
        </div>
      </section>
    </aside>
  </div>
);

/** The order's items and added products, with their quantities and new prices. */
const Items = ({ order, form, quote }: Omit<FieldsProps, "isReviewed">) => {
  const rows = [
    ...order.items.map((item) => ({
      row: rowOf(item),
      name: nameWithValues(item),
      price: item.unitPrice,
      total: quote?.items.find(({ id }) => id === item.id)?.total,
    })),
    ...(form.picks.get("items")?.chosen ?? []).map(({ value, label }) => {
      const added = quote?.items.find((item) => item.id === null && item.product_id === Number(value));
      return { row: value, name: label, price: added && toMinor(added.unit_price), total: added?.total, value };
    }),
  ];
  return (
    <div class="variants">
      <Table
        label="Items"
        rows={rows}
        columns={[
          { title: "Product", cell: (line) => <Product {...line} currency={order.currency} /> },
          { title: "Quantity", cell: ({ row }) => <CellField form={form} name={quantityField(row)} /> },
          {
            title: `New price (${shopCurrency()})`,
            cell: ({ row }) => <CellField form={form} name={priceField(row)} />,
          },
          {
            title: "Total",
            numeric: true,
            cell: ({ total }) =>
              total === undefined ? null : <MoneyAmount minor={toMinor(total)} currency={order.currency} />,
          },
        ]}
      />
    </div>
  );
};

type ProductProps = { name: string; price: number | undefined; value?: string; currency: string };

const Product = ({ name, price, value, currency }: ProductProps) => (
  <span>
    {value !== undefined && <input type="hidden" name="items" value={value} />}
    {name}
    {price !== undefined && (
      <small class="muted">
        <MoneyAmount minor={price} currency={currency} /> each
      </small>
    )}
  </span>
);

const settled: Record<Settlement, string> = {
  none: "Nothing is charged or refunded.",
  unpaid: "The order is not paid. The customer pays the new total.",
  charge_wallet: "The difference is taken from the customer's wallet.",
  receive: "The order is paid. The shop has to collect the difference from the customer.",
  refund: "The difference is refunded the way the order was paid.",
};

const Difference = ({ quote: { difference, previous_total: before, currency, settlement } }: { quote: EditQuote }) => (
  <>
    <dl class="total">
      <div>
        <dt>Total before</dt>
        <dd>
          <MoneyAmount minor={toMinor(before)} currency={currency} />
        </dd>
      </div>
      <div class="sum">
        <dt>Difference</dt>
        <dd>
          <strong>
            <MoneyAmount minor={toMinor(difference)} currency={currency} />
          </strong>
        </dd>
      </div>
    </dl>
    <p class="muted">{settled[settlement]}</p>
  </>
);
