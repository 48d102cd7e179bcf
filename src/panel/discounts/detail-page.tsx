import { discountFields, discountStatus } from "../../checkout/discounts/fields.ts";
import type { RedemptionRow } from "../../checkout/discounts/redemptions.ts";
import type { Page } from "../../platform/http/pagination.ts";
import { etagOf } from "../../platform/http/version.ts";
import { valuesOf } from "../forms/inputs.ts";
import { type Failed, formFor } from "../forms/state.ts";
import { Button } from "../kit/buttons.tsx";
import { When } from "../kit/dates.tsx";
import { Form } from "../kit/form.tsx";
import { Pagination } from "../kit/listing.tsx";
import { RowHeader } from "../kit/page-parts.tsx";
import { Table } from "../kit/table.tsx";
import { Badge, DescriptionList, MoneyAmount } from "../kit/values.tsx";
import { DiscountFields, type DiscountForm, discountInputs } from "./form.tsx";
import { DiscountCode, Uses } from "./list-page.tsx";
import type { ReadDiscount } from "./queries.ts";
import { inWords } from "./words.ts";

type Props = ReadDiscount & {
  /** Null if the viewer may not read orders. */
  redemptions: RedemptionsProps | null;
  form: DiscountForm;
  currency: string;
  failed: Failed | null;
  now: number;
};

export const DiscountPage = ({ redemptions, ...props }: Props) => {
  const { discount, products, categories, currency, failed, now } = props;
  const path = `/admin/discounts/${discount.id}`;
  const names = new Map([
    ...products.map(({ id, name }) => [`product:${id}`, name] as const),
    ...categories.map(({ id, name }) => [`category:${id}`, name] as const),
  ]);
  return (
    <>
      <RowHeader
        title={discount.name}
        back={{ path: "/admin/discounts", name: "Discounts" }}
        audit={{ subject: "discount", id: discount.id }}
        deletion={{
          form: formFor(failed, `${path}/delete`, { etag: etagOf(discount.updatedAt) }),
          needs: "discounts:write",
          title: `Delete ${discount.name}?`,
          text: "A discount that was used cannot be deleted. Disable it instead.",
        }}
      >
        <Badge status={discountStatus(discount, now)} />
      </RowHeader>
      <section class="card">
        <DescriptionList
          facts={{
            Summary: inWords(discount, names, currency),
            Code: <DiscountCode {...discount} />,
            Uses: <Uses {...discount} />,
            Starts: <When at={discount.startsAt} none="at once" />,
            Ends: <When at={discount.endsAt} none="never" />,
          }}
        />
      </section>
      {redemptions && <Redemptions {...redemptions} />}
      <Edit {...props} />
    </>
  );
};

export const editOf = (
  { discount, categories }: Pick<ReadDiscount, "discount" | "categories">,
  failed: Failed | null,
): DiscountForm =>
  formFor(failed, `/admin/discounts/${discount.id}`, {
    inputs: discountInputs(categories),
    values: {
      ...valuesOf(discountFields, discount),
      product_ids: discount.productIds,
      category_ids: discount.categoryIds,
    },
    etag: etagOf(discount.updatedAt),
  });

const Edit = ({ form }: Pick<Props, "form">) => (
  <section class="card">
    <h2>Edit</h2>
    <Form form={form} needs="discounts:write">
      <DiscountFields form={form} />
      <Button>Save discount</Button>
    </Form>
  </section>
);

type RedemptionsProps = { rows: RedemptionRow[]; place: Page; url: string; currency: string };

/** Orders that used a discount. */
const Redemptions = ({ rows, place, url, currency }: RedemptionsProps) => (
  <section class="card">
    <h2>Orders with this discount</h2>
    {place.totalItems === 0 ? (
      <p class="muted">None yet.</p>
    ) : (
      <>
        <Table
          label="Orders with this discount"
          rows={rows}
          columns={[
            {
              title: "Order",
              cell: ({ orderId, orderNumber }) => <a href={`/admin/orders/${orderId}`}>{orderNumber}</a>,
            },
            { title: "Customer", cell: ({ customerName, customerEmail }) => customerName ?? customerEmail },
            { title: "When", cell: ({ createdAt }) => <When at={createdAt} /> },
            { title: "Released", cell: ({ releasedAt }) => releasedAt && <When at={releasedAt} /> },
            {
              title: "Took off",
              numeric: true,
              cell: ({ amount }) => <MoneyAmount minor={amount} currency={currency} />,
            },
          ]}
        />
        <Pagination page={place} url={url} />
      </>
    )}
  </section>
);
