import type { Child } from "hono/jsx";
import type { OrderRow } from "../../checkout/orders/schemas.ts";
import type { historyKinds } from "../../platform/db/schema.ts";
import { templateLabel } from "../emails/words.ts";
import { Allowed } from "../kit/allowed.tsx";
import { When } from "../kit/dates.tsx";
import { Table } from "../kit/table.tsx";
import { Badge, MoneyAmount, Reference } from "../kit/values.tsx";
import type { Names } from "../references.ts";
import type { OrderEvents } from "./timeline-queries.ts";

type Entry = { at: number; what: Child; amount?: Child; by?: string; note?: string | null };
type TimelineProps = { order: OrderRow; events: OrderEvents; names: Names };

const moneyMoved: Record<Exclude<(typeof historyKinds)[number], "status">, string> = {
  payment: "Paid",
  payment_returned: "Payment returned",
  refund: "Refunded",
  refund_sent: "Refund sent",
  refund_failed: "Refund failed",
};

/** The timeline of an order: its status, money, parcels, e-mails and notes. */
export const Timeline = ({ order, events, names }: TimelineProps) => {
  const entries = [...moves(order), ...parcels(order), ...messages(events), ...notes(events)];
  return (
    <Table
      label="Timeline"
      rows={entries.toSorted((one, other) => one.at - other.at)}
      columns={[
        { title: "When", cell: ({ at }) => <When at={at} /> },
        { title: "What", cell: ({ what }) => what },
        { title: "Amount", numeric: true, cell: ({ amount }) => amount ?? null },
        { title: "By", cell: ({ by }) => (by === undefined ? null : <Reference to={by} names={names} />) },
        { title: "Note", cell: ({ note }) => (note ? <span class="note">{note}</span> : null) },
      ]}
    />
  );
};

const moves = ({ history, currency: ofOrder }: OrderRow): Entry[] =>
  history.map(({ at, kind, from, to, amount, currency, actor, note }) => ({
    at,
    what: (
      <>
        {kind !== "status" && `${moneyMoved[kind]} `}
        {from !== to && <Badge status={to} />}
      </>
    ),
    ...(amount !== null && { amount: <MoneyAmount minor={amount} currency={currency ?? ofOrder} /> }),
    by: actor,
    note,
  }));

const parcels = ({ shipments }: OrderRow): Entry[] =>
  shipments.map(({ shippedAt, shippedBy, carrier, trackingNumber }, place) => ({
    at: shippedAt,
    what: `Parcel ${place + 1} sent`,
    by: shippedBy,
    note: [carrier, trackingNumber].filter(Boolean).join(", "),
  }));

const messages = ({ emails }: OrderEvents): Entry[] =>
  emails.map(({ template, state, recipient, reason, createdAt, sentAt }) => ({
    at: sentAt ?? createdAt,
    what: (
      <>
        <Allowed to="administrators" otherwise="E-mail">
          <a href={`/admin/emails?state=${state}`}>E-mail</a>
        </Allowed>{" "}
        {templateLabel(template)} <Badge status={state} />
      </>
    ),
    note: reason ?? (recipient && `To ${recipient}`),
  }));

const notes = (events: OrderEvents): Entry[] =>
  events.notes.map(({ createdAt, author, text }) => ({ at: createdAt, what: "Internal note", by: author, note: text }));
