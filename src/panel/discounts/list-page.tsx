import { type DiscountRow, discountStates, discountStatus, kindLabels } from "../../checkout/discounts/fields.ts";
import type { FormInputs } from "../forms/inputs.ts";
import { Allowed } from "../kit/allowed.tsx";
import { LinkButton } from "../kit/buttons.tsx";
import { formatDay } from "../kit/dates.tsx";
import { choiceFilter, ownLabels } from "../kit/filters.tsx";
import { ListPage, type ListProps } from "../kit/listing.tsx";
import { PageHeader } from "../kit/page-parts.tsx";
import { Badge } from "../kit/values.tsx";
import type { Names } from "../references.ts";
import { inWords } from "./words.ts";

type Props = ListProps<DiscountRow> & { names: Names; currency: string; now: number };

export const discountFilters = {
  search: { as: "search", label: "Code or name" },
  state: choiceFilter("State", ownLabels(discountStates)),
  kind: choiceFilter("Kind", Object.entries(kindLabels)),
} satisfies FormInputs;

export const DiscountsPage = ({ names, currency, now, ...list }: Props) => (
  <>
    <PageHeader title="Discounts">
      <Allowed to="discounts:write">
        <LinkButton href="/admin/discounts/new" tone="primary">
          Create discount
        </LinkButton>
      </Allowed>
    </PageHeader>
    <ListPage
      {...list}
      label="Discounts"
      columns={[
        { title: "Name", cell: ({ id, name }) => <a href={`/admin/discounts/${id}`}>{name}</a> },
        { title: "Code", cell: (row) => <DiscountCode {...row} /> },
        { title: "Summary", cell: (row) => inWords(row, names, currency) },
        { title: "Dates", cell: (row) => datesOf(row) },
        { title: "State", cell: (row) => <Badge status={discountStatus(row, now)} /> },
        { title: "Uses", numeric: true, cell: (row) => <Uses {...row} /> },
      ]}
      none={{ title: "No discounts yet", narrowed: "No matching discounts" }}
    >
      Customers enter a discount's code at checkout, or it applies automatically.
    </ListPage>
  </>
);

function datesOf({ startsAt, endsAt }: DiscountRow): string | null {
  if (startsAt === null) return endsAt === null ? null : `until ${formatDay(endsAt)}`;
  return endsAt === null ? `from ${formatDay(startsAt)}` : `${formatDay(startsAt)} – ${formatDay(endsAt)}`;
}

export const DiscountCode = ({ code }: Pick<DiscountRow, "code">) =>
  code === null ? <span class="muted">by itself</span> : <code>{code}</code>;

export const Uses = ({ uses, maxUses }: Pick<DiscountRow, "uses" | "maxUses">) => (
  <span>{maxUses === null ? uses : `${uses} of ${maxUses}`}</span>
);
