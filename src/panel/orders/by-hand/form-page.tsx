import type { Context } from "hono";
import type { Child } from "hono/jsx";
import type { Quote } from "../../../checkout/orders/checkout/quote.ts";
import { shopCurrency, toMinor } from "../../../domain/money.ts";
import { accountScopeOf } from "../../../platform/auth/caller.ts";
import type { PanelEnv } from "../../env.ts";
import { type Failed, type FormState, formFor } from "../../forms/state.ts";
import { Button, LinkButton } from "../../kit/buttons.tsx";
import { CellField, Columns, Field, Folded } from "../../kit/fields.tsx";
import { Form } from "../../kit/form.tsx";
import { PageHeader } from "../../kit/page-parts.tsx";
import { Table } from "../../kit/table.tsx";
import { pricedOf, Totals } from "../../kit/totals.tsx";
import { MoneyAmount, Thumbnail } from "../../kit/values.tsx";
import { page } from "../../page.tsx";
import type { Found } from "../../pickers/picker.ts";
import { withPicks } from "../../pickers/resolve.ts";
import { addressFieldsOf } from "../inputs.ts";
import { readOrderChoices } from "./choices.ts";
import { inputsFor, type OrderField, priceField, productsIn, quantityField } from "./inputs.ts";

const PATH = "/admin/orders/new";

/** A form of an order by staff, and its quote once it was calculated. */
export type SeenOrder = { failed: Failed | null; quote?: Quote | undefined };

export async function newOrderPage(c: Context<PanelEnv>, { failed, quote }: SeenOrder) {
  const values = failed?.values ?? {};
  const choices = await readOrderChoices(c.var.db, accountScopeOf(c.var.caller), { values, quote });
  const inputs = inputsFor(productsIn(values), choices);
  const form = await withPicks(c, formFor(failed, PATH, { inputs }));
  return page(
    c,
    "Create order",
    <NewOrderPage form={form} quote={quote} hasAddresses={[...choices.addresses].length > 0} />,
  );
}

type FormProps = { form: FormState<OrderField>; quote: Quote | undefined; hasAddresses: boolean };

const NewOrderPage = (props: FormProps) => (
  <>
    <PageHeader title="Create order" back={{ path: "/admin/orders", name: "Orders" }} />
    <Form form={props.form} needs="orders:write">
      <input type="hidden" name="once" value={props.form.values.once?.[0] ?? crypto.randomUUID()} />
      <OrderFields {...props}>
        <Button name="do" value="place">
          Place order
        </Button>
      </OrderFields>
    </Form>
  </>
);

/** The fields of an order by staff. The children are the buttons that do something with it. */
const OrderFields = ({ form, quote, hasAddresses, children }: FormProps & { children: Child }) => (
  <div class="record">
    <div>
      {/* Enter in a field presses the first button. */}
      <button type="submit" class="unseen" tabindex={-1} name="do" value="update">
        Update total
      </button>
      <section class="card">
        <h2>Items</h2>
        <Items form={form} quote={quote} />
        <Field form={form} name="add" />
        <div class="actions">
          <Button tone="quiet" name="do" value="update">
            Add to order
          </Button>
        </div>
      </section>
      <section class="card">
        <h2>Shipping</h2>
        {hasAddresses && <Field form={form} name="shipping_address_id" />}
        <Columns form={form} names={addressFieldsOf("shipping_address")} />
        <div class="thirds">
          <Field form={form} name="shipping_method" />
          <Field form={form} name="custom_shipping.name" />
          <Field form={form} name="custom_shipping.price" />
        </div>
      </section>
      <Folded
        form={form}
        title="Discount and tax"
        names={DISCOUNT}
        isOpen={DISCOUNT.some((name) => form.values[name]?.some(Boolean))}
      >
        <div class="thirds">
          {DISCOUNT.slice(0, 3).map((name) => (
            <Field form={form} name={name} />
          ))}
        </div>
        <Columns form={form} names={DISCOUNT.slice(3)} />
      </Folded>
    </div>
    <aside>
      <section class="card">
        <h2>Customer</h2>
        <Field form={form} name="user_id" />
        <Field form={form} name="customer.email" />
        <Field form={form} name="customer.name" />
      </section>
      <section class="card">
        <h2>Payment</h2>
        <Field form={form} name="payment_method" />
        <Field form={form} name="paid" />
        <Field form={form} name="pay_within_days" />
        <Field form={form} name="note" />
      </section>
      <section class="card">
        <h2>Total</h2>
        {quote ? <Totals order={pricedOf(quote)} /> : <p class="muted">Update the total once the order has items.</p>}
        <div class="actions">
          {children}
          <Button tone="quiet" name="do" value="update">
            Update total
          </Button>
          <LinkButton href="/admin/orders">Cancel</LinkButton>
        </div>
      </section>
    </aside>
  </div>
);

const DISCOUNT = [
  "discount.percent",
  "discount.amount",
  "discount.reason",
  "discount_codes",
  "tax_exempt_reason",
] as const satisfies OrderField[];

/** The ordered products with their quantities and prices. Their ids go along with the form. */
const Items = ({ form, quote }: Omit<FormProps, "hasAddresses">) => {
  const chosen = form.picks.get("items")?.chosen ?? [];
  const quoted = (id: string) => quote?.items.find((item) => item.product_id === Number(id));
  if (chosen.length === 0) return <p class="muted">No items yet.</p>;
  return (
    <div class="variants">
      <Table
        label="Items"
        rows={chosen}
        columns={[
          { title: "Product", cell: (pick) => <Product {...pick} /> },
          {
            title: "Quantity",
            cell: ({ value }) => <CellField form={form} name={quantityField(value)} />,
          },
          {
            title: `Your price (${shopCurrency()})`,
            cell: ({ value }) => <CellField form={form} name={priceField(value)} />,
          },
          {
            title: "Total",
            numeric: true,
            cell: ({ value }) => {
              const item = quoted(value);
              return item && quote ? <MoneyAmount minor={toMinor(item.total)} currency={quote.currency} /> : null;
            },
          },
        ]}
      />
    </div>
  );
};

const Product = ({ value, label, detail, image }: Found) => (
  <span class="pictured">
    <input type="hidden" name="items" value={value} />
    {image && <Thumbnail images={[{ url: image }]} name={label} />}
    <span>
      {label}
      {detail && <small class="muted">{detail}</small>}
    </span>
  </span>
);
