import type { Context } from "hono";
import { disableGiftCard, listAllGiftCards, requireGiftCard } from "../../checkout/gift-cards/admin.ts";
import {
  AllGiftCardsQuery,
  codeStart,
  type GiftCardRow,
  giftCardStatus,
  giftCardStatuses,
} from "../../checkout/gift-cards/schemas.ts";
import { adminListTransactions, TransactionsQuery } from "../../checkout/transactions/transactions.ts";
import { accountScopeOf, writeContextOf } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import { etagOf } from "../../platform/http/version.ts";
import { type Failed, type FormInputs, formFor } from "../forms/inputs.ts";
import { readFilters } from "../forms/read-form.ts";
import { When } from "../kit/dates.tsx";
import { choiceFilter, ownLabels } from "../kit/filters.tsx";
import { Refusal } from "../kit/form.tsx";
import { Card, RowHeader } from "../kit/page-parts.tsx";
import { Table } from "../kit/table.tsx";
import { Badge, DescriptionList, MoneyAmount, Reference } from "../kit/values.tsx";
import { listPage } from "../list-page.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { withPicks } from "../pickers/resolve.ts";
import { recordPages } from "../record-pages.ts";
import { readNames } from "../references.ts";
import { transactionColumns } from "../transactions/routes.tsx";

const GIFT_CARDS_PATH = "/admin/gift-cards";

async function giftCardPage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const { db, caller } = c.var;
  const row = await requireGiftCard(db, id);
  const ledger = TransactionsQuery.parse({ gift_card_id: String(id) });
  const [names, redemptions] = await Promise.all([
    readNames(db, [`order:${row.orderId}`]),
    adminListTransactions(db, ledger, accountScopeOf(caller)),
  ]);
  const path = `${GIFT_CARDS_PATH}/${id}`;
  const title = `${codeStart(row)}-…`;
  return page(
    c,
    title,
    <>
      <RowHeader
        title={title}
        statuses={<Badge status={giftCardStatus(row)} />}
        audit={{ subject: "gift_card", id }}
        deletion={
          row.endedAt === null && {
            form: formFor(failed, `${path}/disable`, { etag: etagOf(row.updatedAt) }),
            needs: "payments:write",
            label: "Disable",
            title: "Disable the gift card?",
            text: "Its balance can no longer be redeemed. This cannot be undone.",
          }
        }
      />
      <Refusal failed={failed} offered={[`${path}/disable`]} />
      <section class="card">
        <DescriptionList
          facts={{
            Value: <MoneyAmount minor={row.value} />,
            Balance: <MoneyAmount minor={row.balance} />,
            Order: row.orderId === null ? undefined : <Reference to={`order:${row.orderId}`} names={names} />,
            Reason: row.note ?? undefined,
            Issued: <When at={row.createdAt} />,
            Ended: row.endedAt === null ? undefined : <When at={row.endedAt} />,
          }}
        />
      </section>
      <Card title="Redemptions">
        <Table
          label="Redemptions"
          rows={redemptions.rows}
          columns={transactionColumns}
          none={<p class="muted">None yet.</p>}
        />
      </Card>
    </>,
  );
}

const giftCardFilters = {
  code_start: { as: "search", label: "Code", placeholder: "The first groups of the code" },
  order_id: { as: "picker", label: "Order", kinds: ["order"] },
  status: choiceFilter("Status", ownLabels(giftCardStatuses)),
} satisfies FormInputs;

async function giftCardsPage(c: Context<PanelEnv>) {
  const { query, form } = readFilters(c, AllGiftCardsQuery, giftCardFilters);
  const amount = (title: string, minorOf: (row: GiftCardRow) => number) => ({
    title,
    numeric: true,
    cell: (row: GiftCardRow) => <MoneyAmount minor={minorOf(row)} />,
  });
  return listPage(c, {
    noun: "gift cards",
    found: await listAllGiftCards(c.var.db, query),
    form: await withPicks(c, form),
    columns: [
      { title: "Code", cell: (row) => <a href={`${GIFT_CARDS_PATH}/${row.id}`}>{codeStart(row)}-…</a> },
      { title: "Status", cell: (row) => <Badge status={giftCardStatus(row)} /> },
      amount("Value", ({ value }) => value),
      amount("Balance", ({ balance }) => balance),
    ],
    start: { path: "/admin/products/new", label: "Create product", needs: "products:write" },
    purpose: "Create a product of the type “Gift card”: each sold unit is a card with a code.",
  });
}

export const giftCardPages = recordPages("/gift-cards", {
  reads: administer("orders:read"),
  writes: administer("payments:write"),
  listPage: giftCardsPage,
  filters: giftCardFilters,
  rowPage: giftCardPage,
  forms: {
    "/disable": async (c, id, { ifMatch }) => {
      await disableGiftCard(writeContextOf(c), { id, ifMatch });
      return "The gift card was disabled.";
    },
  },
});
