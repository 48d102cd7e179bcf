import * as z from "zod";
import type { DraftRow } from "../../../checkout/orders/drafts/schemas.ts";
import { draftOrderStatuses } from "../../../platform/db/schema.ts";
import type { FormInputs } from "../../forms/inputs.ts";
import { Allowed } from "../../kit/allowed.tsx";
import { LinkButton } from "../../kit/buttons.tsx";
import { When } from "../../kit/dates.tsx";
import { choiceFilter, ownLabels } from "../../kit/filters.tsx";
import { ListPage, type ListProps } from "../../kit/listing.tsx";
import { PageHeader } from "../../kit/page-parts.tsx";
import { Badge } from "../../kit/values.tsx";

export const draftFilterInputs = {
  status: choiceFilter("Status", ownLabels(draftOrderStatuses)),
} satisfies FormInputs;

const Shown = z.object({
  customer: z.object({ name: z.string() }).optional(),
  items: z.array(z.object({ quantity: z.int() })),
});

export const DraftsPage = (list: ListProps<DraftRow>) => (
  <>
    <PageHeader title="Drafts" back={{ path: "/admin/orders", name: "Orders" }}>
      <Allowed to="orders:write">
        <LinkButton href="/admin/orders/new" tone="primary">
          Create order
        </LinkButton>
      </Allowed>
    </PageHeader>
    <ListPage
      {...list}
      label="Drafts"
      columns={[
        { title: "Draft", cell: ({ id }) => <a href={`/admin/orders/drafts/${id}`}>Draft {id}</a> },
        { title: "Customer", cell: (row) => <Buyer {...row} /> },
        { title: "Status", cell: ({ status }) => <Badge status={status} /> },
        { title: "Created", phone: "second", cell: ({ createdAt }) => <When at={createdAt} brief /> },
        { title: "Items", numeric: true, cell: ({ content }) => unitsOf(content) },
      ]}
      none={{ title: "No drafts yet", narrowed: "No matching drafts" }}
    >
      Prepare an order and send it to a customer, who confirms and pays it.
    </ListPage>
  </>
);

const Buyer = ({ userId, content }: DraftRow) =>
  userId === null ? Shown.parse(content).customer?.name : <a href={`/admin/customers/${userId}`}>Customer {userId}</a>;

const unitsOf = (content: DraftRow["content"]) =>
  Shown.parse(content).items.reduce((sum, { quantity }) => sum + quantity, 0);
