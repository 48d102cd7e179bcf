import type { Child } from "hono/jsx";
import type { OrderRow } from "../../checkout/orders/schemas.ts";
import { describeOptions, nameWithValues } from "../../domain/option-values.ts";
import { includedTax, totalLines } from "../../domain/total-lines.ts";
import { Allowed } from "../kit/allowed.tsx";
import { type Column, Table } from "../kit/table.tsx";
import { MoneyAmount, Thumbnail } from "../kit/values.tsx";
import type { OrderImages } from "./timeline-queries.ts";

type Item = OrderRow["items"][number];
type ItemsProps = { order: OrderRow; images: OrderImages };

/** The name of one of an order's lines. */
export function nameOfItem(items: readonly Item[], id: number): string | undefined {
  const item = items.find((each) => each.id === id);
  return item && nameWithValues(item);
}

/** An order's lines. The total of each is price times quantity less discount. */
export const Items = ({ order, images }: ItemsProps) => {
  const money = (minor: number) => <MoneyAmount minor={minor} currency={order.currency} />;
  const columns: Column<Item>[] = [
    { title: "Product", cell: (item) => <Product item={item} images={images} /> },
    { title: "Price", numeric: true, phone: "second", cell: ({ unitPrice }) => money(unitPrice) },
    { title: "Quantity", numeric: true, phone: "second", cell: ({ quantity }) => `× ${quantity}` },
    {
      title: "Total",
      numeric: true,
      cell: ({ total, discount, tax }) => (
        <>
          {money(total - discount)}
          {tax > 0 && (
            <small class="muted">
              {order.pricesIncludeTax ? "includes tax of" : "plus tax of"} {money(tax)}
            </small>
          )}
        </>
      ),
    },
  ];
  if (order.items.some(({ discount }) => discount > 0)) {
    columns.splice(3, 0, {
      title: reductionTitle(order.discounts),
      numeric: true,
      cell: ({ discount }) => (discount > 0 ? money(-discount) : null),
    });
  }
  return <Table label="Items" rows={order.items} columns={columns} phone="lines" />;
};

/** A line's product, with its shipped and refunded quantities. */
const Product = ({ item, images }: { item: Item; images: OrderImages }) => {
  const {
    productId,
    name,
    sku,
    optionValues,
    quantity,
    requiresShipping,
    shippedQuantity,
    refundedQuantity,
    metadata,
  } = item;
  const facts = [
    requiresShipping && (shippedQuantity > 0 ? `${shippedQuantity} of ${quantity} sent` : "not sent"),
    refundedQuantity > 0 && `${refundedQuantity} refunded`,
    ...Object.entries(metadata).map(([text, value]) => `${text}: ${value}`),
  ];
  return (
    <span class="pictured">
      <Thumbnail images={images.get(productId) ?? []} name={name} />
      <span>
        <Allowed to="products:read_all" otherwise={name}>
          <a href={`/admin/products/${productId}`}>{name}</a>
        </Allowed>
        <small class="muted">{[describeOptions(optionValues), sku, ...facts].filter(Boolean).join(" · ")}</small>
      </span>
    </span>
  );
};

/** Label of a reduction. Included tax that is not due is named after the tax: it is not a discount and has no id. */
const reductionTitle = (discounts: OrderRow["discounts"]): string =>
  discounts.every(({ id }) => id === null) ? (discounts[0]?.name ?? "Discount") : "Discount";

/** The order's total by part, with refunds. */
export const Total = ({ order }: Pick<ItemsProps, "order">) => {
  const money = (minor: number) => <MoneyAmount minor={minor} currency={order.currency} />;
  const parts = totalLines(order);
  const subtotal = order.discounts.length > 0 ? "Subtotal before discounts" : "Subtotal";
  return (
    <dl class="total">
      {parts.length > 0 &&
        [{ text: subtotal, minor: order.subtotal }, ...parts].map(({ text, minor }) => (
          <Line text={text}>{money(minor)}</Line>
        ))}
      <Line text="Total">
        <strong>{money(order.total)}</strong>
      </Line>
      {includedTax(order).map(({ text, minor }) => (
        <Line text={`Includes ${text}`}>{money(minor)}</Line>
      ))}
      {order.taxExemptReason !== null && <Line text="Exempt from tax">{order.taxExemptReason}</Line>}
      {order.refundedTotal > 0 && <Line text="Refunded">{money(-order.refundedTotal)}</Line>}
      {order.refundedShipping > 0 && <Line text="Includes shipping">{money(-order.refundedShipping)}</Line>}
      {order.refundedTax > 0 && <Line text="Includes tax">{money(-order.refundedTax)}</Line>}
      {order.refundedTotal > 0 && (
        <Line text="Total after refunds">
          <strong>{money(order.total - order.refundedTotal)}</strong>
        </Line>
      )}
    </dl>
  );
};

const Line = ({ text, children }: { text: string; children: Child }) => (
  <div>
    <dt>{text}</dt>
    <dd>{children}</dd>
  </div>
);
