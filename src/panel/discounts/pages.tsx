import type { Context } from "hono";
import { discountResource, listDiscountRedemptions, type RedemptionRow } from "../../checkout/discounts/discounts.ts";
import {
  type DiscountRow,
  discountFields,
  discountStates,
  discountStatus,
  kindLabels,
} from "../../checkout/discounts/fields.ts";
import { requireFound } from "../../domain/errors.ts";
import { accountScopeOf, may } from "../../platform/auth/caller.ts";
import { type Page, PageQuery } from "../../platform/http/pagination.ts";
import { etagOf } from "../../platform/http/version.ts";
import { valuesOf } from "../forms/conversion.ts";
import { type Failed, type FormInputs, formFor } from "../forms/inputs.ts";
import { readFilters } from "../forms/read-form.ts";
import { formatDay, When } from "../kit/dates.tsx";
import { choiceFilter, ownLabels } from "../kit/filters.tsx";
import { Button, Form, SaveBar } from "../kit/form.tsx";
import { Pagination } from "../kit/listing.tsx";
import { Card, RowHeader } from "../kit/page-parts.tsx";
import { PreviewButton } from "../kit/preview.tsx";
import { Table } from "../kit/table.tsx";
import { Badge, MoneyAmount } from "../kit/values.tsx";
import { listPage } from "../list-page.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { withPicks } from "../pickers/resolve.ts";
import { readNames } from "../references.ts";
import { DiscountFields } from "./form.tsx";
import { discountInputs } from "./inputs.ts";
import { readDiscount } from "./queries.ts";
import { DiscountCode, inWords, namedBy, Uses } from "./summary.tsx";

const discountFilters = {
  search: { as: "search", label: "Code or name" },
  state: choiceFilter("State", ownLabels(discountStates)),
  kind: choiceFilter("Kind", Object.entries(kindLabels)),
} satisfies FormInputs;

export async function discountsPage(c: Context<PanelEnv>) {
  const now = Date.now();
  const { query, form } = readFilters(c, discountResource.schemas.query, discountFilters);
  const found = await discountResource.list(c.var.db, query, now);
  const names = await readNames(c.var.db, found.rows.flatMap(namedBy));
  return listPage(c, {
    noun: "discounts",
    found,
    form,
    add: { label: "Create discount", needs: "discounts:write" },
    columns: [
      { title: "Name", cell: ({ id, name }) => <a href={`/admin/discounts/${id}`}>{name}</a> },
      { title: "Code", cell: (row) => <DiscountCode {...row} /> },
      { title: "Summary", cell: (row) => inWords(row, names, c.var.settings.currency) },
      { title: "Dates", cell: (row) => datesOf(row) },
      { title: "State", cell: (row) => <Badge status={discountStatus(row, now)} /> },
      { title: "Uses", numeric: true, phone: "titled", cell: (row) => <Uses {...row} /> },
    ],
    purpose: "Customers enter a discount's code at checkout, or it applies automatically.",
  });
}

function datesOf({ startsAt, endsAt }: DiscountRow): string | null {
  if (startsAt === null) return endsAt === null ? null : `until ${formatDay(endsAt)}`;
  return endsAt === null ? `from ${formatDay(startsAt)}` : `${formatDay(startsAt)} – ${formatDay(endsAt)}`;
}

export async function discountPage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const found = await requireFound(readDiscount(c.var.db, id), `Discount ${id}`);
  const { discount, categories } = found;
  const path = `/admin/discounts/${id}`;
  const etag = etagOf(discount.updatedAt);
  const inputs = discountInputs(categories);
  const values = { ...valuesOf(discountFields, discount), product_ids: discount.productIds };
  const [form, redemptions] = await Promise.all([
    withPicks(c, formFor(failed, path, { inputs, values, etag })),
    readRedemptions(c, id),
  ]);
  return page(
    c,
    discount.name,
    <>
      <RowHeader
        title={discount.name}
        statuses={<Badge status={discountStatus(discount, Date.now())} />}
        audit={{ subject: "discount", id }}
        deletion={{
          form: formFor(failed, `${path}/delete`, { etag }),
          needs: "discounts:write",
          title: `Delete ${discount.name}?`,
          text: "A discount that was used cannot be deleted. Disable it instead.",
        }}
      />
      <Form form={form} needs="discounts:write">
        <DiscountFields form={form} uses={discount.uses} />
        <SaveBar>
          <Button>Save discount</Button>
          <PreviewButton />
        </SaveBar>
      </Form>
      {redemptions && <Redemptions {...redemptions} />}
    </>,
  );
}

/** Redemptions are customers' orders: viewers without access see only their number. */
async function readRedemptions(c: Context<PanelEnv>, id: number): Promise<RedemptionsProps | null> {
  if (!may(c.var.caller, "orders:read")) return null;
  const { query } = readFilters(c, PageQuery);
  const { rows, ...place } = await listDiscountRedemptions(c.var.db, id, query, accountScopeOf(c.var.caller));
  return { rows, place, url: c.req.url };
}

type RedemptionsProps = { rows: RedemptionRow[]; place: Page; url: string };

/** Orders that used a discount. */
const Redemptions = ({ rows, place, url }: RedemptionsProps) => (
  <Card title="Orders with this discount">
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
              cell: ({ amount }) => <MoneyAmount minor={amount} />,
            },
          ]}
        />
        <Pagination page={place} url={url} />
      </>
    )}
  </Card>
);
