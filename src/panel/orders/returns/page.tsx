import { returnMoves } from "../../../checkout/orders/returns/change.ts";
import type { ReturnRow } from "../../../checkout/orders/returns/schemas.ts";
import { formatMoney } from "../../../domain/money.ts";
import { nameWithValues } from "../../../domain/option-values.ts";
import type { returnRequesters } from "../../../platform/db/schema.ts";
import { etagOf } from "../../../platform/http/version.ts";
import { type Failed, type FormInputs, type FormState, formFor } from "../../forms/inputs.ts";
import { optional } from "../../forms/kinds.ts";
import { Allowed } from "../../kit/allowed.tsx";
import { When } from "../../kit/dates.tsx";
import { AllFields, Columns } from "../../kit/fields.tsx";
import { Button, ConfirmButton, Form, Refusal } from "../../kit/form.tsx";
import { AuditLink, Card, PageHeader } from "../../kit/page-parts.tsx";
import { Table } from "../../kit/table.tsx";
import { Badge, DescriptionList, EmailAddress } from "../../kit/values.tsx";
import { trackingInputs } from "../inputs.ts";

export const RETURNS_PATH = "/admin/returns";

export const requesters = {
  customer: "Customer",
  withdrawal: "Withdrawal from the contract",
  staff: "Staff",
} satisfies Record<(typeof returnRequesters)[number], string>;

type ReturnLine = ReturnRow["items"][number];
/** A return, and what is to refund once its units have arrived. */
type ReturnProps = { row: ReturnRow; amount: string | null; failed: Failed | null };

export const sendingInputs = {
  instructions: {
    as: "lines",
    label: "Where to send the goods",
    rows: 3,
    maxlength: 2000,
    hint: "The customer gets it by e-mail.",
    read: optional,
  },
  label_url: { as: "url", label: "Link to a shipping label", maxlength: 2000, read: optional },
} satisfies FormInputs;

export const declineInputs = {
  decline_reason: {
    as: "text",
    label: "Reason",
    required: true,
    maxlength: 500,
    hint: "The customer gets it by e-mail.",
  },
} satisfies FormInputs;

const settleInputs = {
  deduction: { as: "money", label: "Deduction for damage" },
  shipping: {
    as: "choice",
    label: "Shipping",
    options: [
      ["", "Refunded with the last units"],
      ["true", "Goes back"],
      ["false", "Not refunded"],
    ],
  },
  note: { as: "text", label: "Note", maxlength: 500, hint: "The customer can read it.", read: optional },
} satisfies FormInputs;

/** Field for the units of a line that arrived in a condition. */
export const conditionOf = (itemId: number, condition: "intact" | "damaged") => `${condition}-${itemId}` as const;

type ConditionField = ReturnType<typeof conditionOf>;

const countInputs = ({ items }: ReturnRow): FormInputs<ConditionField> =>
  Object.fromEntries(
    items.flatMap(({ id, quantity, ...item }) => [
      [conditionOf(id, "intact"), { as: "number", label: `${nameWithValues(item)}, intact`, unit: `of ${quantity}` }],
      [conditionOf(id, "damaged"), { as: "number", label: `${nameWithValues(item)}, damaged`, unit: `of ${quantity}` }],
    ]),
  );

/** Errors of counted units, at the fields of their lines. */
export const countErrors = ({ items }: ReturnRow, errors: Failed["errors"]): Failed["errors"] =>
  Object.fromEntries(
    Object.entries(errors).map(([path, words]) => {
      const [, index, condition] = /^items\.(\d+)\.(intact|damaged)$/.exec(path) ?? [];
      const item = items[Number(index)];
      return [item ? conditionOf(item.id, condition === "damaged" ? "damaged" : "intact") : path, words];
    }),
  );

export const ReturnPage = ({ row, amount, failed }: ReturnProps) => {
  const path = `${RETURNS_PATH}/${row.id}`;
  const sum = failed ? failed.values.sum?.[0] : amount;
  const open = returnMoves(row);
  const mayReceive = open.includes("received") || row.status === "received";
  const formOf = <Name extends string>(
    rest: string,
    inputs: FormInputs<Name>,
    values: { [Each in Name]?: string } = {},
  ): FormState<Name> => formFor(failed, path + rest, { inputs, values, etag: etagOf(row.updatedAt) });
  return (
    <>
      <PageHeader title={`Return ${row.id}`} statuses={<Badge status={row.status} />}>
        <AuditLink subject="order" id={row.orderId} />
        <Allowed to="orders:write">
          {open.includes("declined") && (
            <ConfirmButton
              form={formOf("/decline", declineInputs)}
              label="Decline"
              title="Decline this return?"
              text="Its units can be returned again, and refunded."
            >
              <AllFields form={formOf("/decline", declineInputs)} />
            </ConfirmButton>
          )}
        </Allowed>
        {open.includes("settled") && (
          <ConfirmButton
            needs="payments:write"
            form={formOf("/settle", settleInputs)}
            label="Refund"
            title={`Refund return ${row.id}`}
            text={whatRefundingMeans(row)}
            action={sum ? `Refund ${sum}` : "Refund now"}
            preview="Preview refund"
            movesMoney
          >
            <input type="hidden" name="once" value={crypto.randomUUID()} />
            <AllFields form={formOf("/settle", settleInputs)} />
            <p class="sum" aria-live="polite" data-refund hidden />
          </ConfirmButton>
        )}
      </PageHeader>
      <Refusal
        failed={failed}
        offered={[...open.map((status) => path + (forms[status] ?? "")), ...(mayReceive ? [`${path}/receive`] : [])]}
      />
      <div class="record">
        <aside>
          <Card title="Return">
            <Facts {...row} />
          </Card>
        </aside>
        <Card title="Items">
          {row.items.length > 0 ? (
            <Items {...row} />
          ) : (
            <p class="muted">None. They are exempt, refunded or in another return.</p>
          )}
          <Allowed to="orders:write">
            {open.includes("approved") && (
              <Form form={formOf("/approve", sendingInputs)}>
                <AllFields form={formOf("/approve", sendingInputs)} />
                <Button>Approve return</Button>
              </Form>
            )}
            {mayReceive && (
              <Form form={formOf("/receive", countInputs(row), countsOf(row))}>
                <h3>Units that arrived</h3>
                <Columns
                  form={formOf("/receive", countInputs(row), countsOf(row))}
                  names={row.items.flatMap(({ id }) => [conditionOf(id, "intact"), conditionOf(id, "damaged")])}
                />
                <Button>{row.status === "received" ? "Correct units" : "Receive return"}</Button>
              </Form>
            )}
            {open.includes("in_transit") && (
              <Form form={formOf("/send", trackingInputs)}>
                <h3>Tracking</h3>
                <AllFields form={formOf("/send", trackingInputs)} />
                <Button tone="quiet">Mark as in transit</Button>
              </Form>
            )}
          </Allowed>
        </Card>
      </div>
    </>
  );
};

/** Warns of files that the buyer keeps. */
const whatRefundingMeans = ({ items }: ReturnRow): string => {
  const used = items.filter(({ downloadsUsed }) => downloadsUsed > 0).map(nameWithValues);
  const kept = used.length > 0 ? `The customer has already downloaded ${used.join(", ")}. ` : "";
  return `${kept}Refunds the units that arrived to the original payment method. Intact units return to the stock, damaged ones are written off.`;
};

/** Forms by the status that they lead to. */
const forms: Partial<Record<ReturnRow["status"], string>> = {
  approved: "/approve",
  in_transit: "/send",
  received: "/receive",
  settled: "/settle",
  declined: "/decline",
};

/** By default, every unit arrived intact. */
const countsOf = ({ items }: ReturnRow): Record<ConditionField, string> =>
  Object.fromEntries(
    items.flatMap(({ id, quantity, intact, damaged }) => [
      [conditionOf(id, "intact"), String(intact ?? quantity)],
      [conditionOf(id, "damaged"), String(damaged ?? 0)],
    ]),
  );

const Facts = (row: ReturnRow) => (
  <DescriptionList
    facts={{
      Order: <a href={`/admin/orders/${row.orderId}`}>{row.order.number}</a>,
      "Requested by": requesters[row.requestedBy],
      Requested: <When at={row.createdAt} />,
      Period: row.late ? "Declared after the withdrawal period" : undefined,
      Name: row.withdrawal?.name,
      Contact: row.withdrawal ? <EmailAddress text={row.withdrawal.email} /> : undefined,
      "Withdrawn from": row.withdrawal ? (row.withdrawal.items ?? "the whole order") : undefined,
      Reason: row.reason ?? undefined,
      "Declined because": row.declineReason ?? undefined,
      "Send to": row.instructions ?? undefined,
      "Sent with": [row.carrier, row.trackingNumber].filter(Boolean).join(", ") || undefined,
      Refunded: row.refund ? formatMoney(row.refund.amount, row.order.currency) : undefined,
    }}
  />
);

const Items = ({ items }: ReturnRow) => (
  <Table
    label="Items"
    rows={items}
    columns={[
      { title: "Product", cell: (item) => nameWithValues(item) },
      { title: "Units", numeric: true, cell: ({ quantity }) => String(quantity) },
      { title: "Intact", numeric: true, cell: ({ intact }) => String(intact ?? "–") },
      { title: "Damaged", numeric: true, phone: "titled", cell: ({ damaged }) => String(damaged ?? "–") },
      ...(items.some(({ downloadsUsed }) => downloadsUsed > 0)
        ? [
            {
              title: "Downloads used",
              numeric: true,
              phone: "titled" as const,
              cell: (item: ReturnLine) => String(item.downloadsUsed),
            },
          ]
        : []),
    ]}
    phone="lines"
  />
);
