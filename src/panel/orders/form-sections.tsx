import type { Child, PropsWithChildren } from "hono/jsx";
import type { FieldErrors } from "../../domain/errors.ts";
import { toMinor } from "../../domain/money.ts";
import type { FormState } from "../forms/inputs.ts";
import { CellField, Columns, Field, Folded, Group, Thirds } from "../kit/fields.tsx";
import { Button } from "../kit/form.tsx";
import { Card } from "../kit/page-parts.tsx";
import { Table } from "../kit/table.tsx";
import { MoneyAmount, Thumbnail } from "../kit/values.tsx";
import type { PickerOption } from "../pickers/picker.ts";
import { priceField, quantityField, type RowField } from "./by-hand/inputs.ts";
import { addressFieldsOf, quantityOf, type UnitsField } from "./inputs.ts";

// Sections that the forms of new orders and of edits share.

const ADDRESS = addressFieldsOf("shipping_address");
const METHOD = ["shipping_method", "custom_shipping.name", "custom_shipping.price"] as const;
const DISCOUNT = ["discount.percent", "discount.amount", "discount.reason"] as const;
const CODES_AND_TAX = ["discount_codes", "tax_exempt_reason"] as const;

type ShippingField = (typeof ADDRESS)[number] | (typeof METHOD)[number];
type DiscountField = (typeof DISCOUNT | typeof CODES_AND_TAX)[number];

type OrderFrameProps = PropsWithChildren<{
  form: FormState<ShippingField | DiscountField | "add">;
  items: Child;
  /** Fields for the customer, whose saved addresses the next part offers. */
  customer?: Child;
  /** Shown above the shipping address. */
  addresses?: Child;
  /** The button that calculates the order. */
  calculates: { value: string; label: string };
}>;

/** The form of an order: what is ordered, shipped and taken off, beside the children. */
export const OrderFrame = ({ form, items, customer, addresses, calculates, children }: OrderFrameProps) => (
  <div class="record">
    <div>
      {/* Enter in a field presses the first button. */}
      <button type="submit" class="unseen" tabindex={-1} name="do" value={calculates.value} data-calculates>
        {calculates.label}
      </button>
      <Card title="Items">
        {items}
        <Field form={form} name="add" />
        <div class="actions">
          <Button tone="quiet" name="do" value={calculates.value}>
            Add to order
          </Button>
        </div>
      </Card>
      {customer && <Card title="Customer">{customer}</Card>}
      <ShippingSection form={form}>{addresses}</ShippingSection>
      <DiscountSection form={form} />
    </div>
    <aside>{children}</aside>
  </div>
);

/** How many units of each line, by its id. */
export const UnitsFields = ({ form, ids }: { form: FormState<UnitsField | "items">; ids: readonly number[] }) => (
  <Group form={form} name="items">
    <div class="units">
      {ids.map((id) => (
        <Field form={form} name={quantityOf(id)} />
      ))}
    </div>
  </Group>
);

type Line = {
  row: string;
  /** One that the form adds has a `value`. */
  product: Pick<PickerOption, "label" | "detail"> & Partial<PickerOption>;
  /** Price of a unit in minor units. */
  price?: number | undefined;
  total: number | undefined;
};

type LinesProps = { form: FormState<RowField>; lines: Line[]; currency: string; price: string };

/** The lines of an order with fields for their quantities and prices. */
export const LineFields = ({ form, lines, currency, price }: LinesProps) =>
  lines.length === 0 ? (
    <p class="muted">No items yet.</p>
  ) : (
    <div class="variants">
      <Table
        label="Items"
        rows={lines}
        columns={[
          { title: "Product", cell: (line) => <Product {...line} currency={currency} /> },
          { title: "Quantity", cell: ({ row }) => <CellField form={form} name={quantityField(row)} /> },
          { title: `${price} (${currency})`, cell: ({ row }) => <CellField form={form} name={priceField(row)} /> },
          {
            title: "Total",
            numeric: true,
            cell: ({ total }) =>
              total === undefined ? null : <MoneyAmount minor={toMinor(total)} currency={currency} />,
          },
          {
            title: "Remove",
            cell: ({ row, product }) =>
              form.values[quantityField(row)]?.[0] === "0" ? (
                <span class="muted">Removed</span>
              ) : (
                <button
                  type="submit"
                  class="button quiet"
                  name="remove"
                  value={row}
                  aria-label={`Remove ${product.label}`}
                >
                  Remove
                </button>
              ),
          },
        ]}
      />
    </div>
  );

const Product = ({ product: { value, label, detail, image }, price, currency }: Line & { currency: string }) => (
  <span class="pictured">
    {value !== undefined && <input type="hidden" name="items" value={value} />}
    {image && <Thumbnail images={[{ url: image }]} name={label} />}
    <span>
      {label}
      {detail && <small class="muted">{detail}</small>}
      {price !== undefined && (
        <small class="muted">
          <MoneyAmount minor={price} currency={currency} /> each
        </small>
      )}
    </span>
  </span>
);

/** The errors of a quote's problems, by field. */
export function errorsIn(problems: readonly { field: string; message: string }[]): FieldErrors {
  const byField = Map.groupBy(problems, ({ field }) => field);
  return Object.fromEntries([...byField].map(([field, found]) => [field, found.map(({ message }) => message)]));
}

/** The shipping address and method. Children are shown above the address. */
const ShippingSection = ({ form, children }: PropsWithChildren<{ form: FormState<ShippingField> }>) => (
  <Card title="Shipping">
    {children}
    <Columns form={form} names={ADDRESS} />
    <Thirds form={form} names={[...METHOD]} />
  </Card>
);

/** The discount by staff, discount codes and tax exemption. Open if one of them is filled in. */
const DiscountSection = ({ form }: { form: FormState<DiscountField> }) => {
  const names = [...DISCOUNT, ...CODES_AND_TAX];
  return (
    <Folded
      form={form}
      title="Discount and tax"
      names={names}
      isOpen={names.some((name) => form.values[name]?.some(Boolean))}
    >
      <Thirds form={form} names={[...DISCOUNT]} />
      <Columns form={form} names={[...CODES_AND_TAX]} />
    </Folded>
  );
};
