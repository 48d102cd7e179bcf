import type { Child } from "hono/jsx";
import type { OrderRow } from "../../checkout/orders/schemas.ts";
import type { historyKinds } from "../../platform/db/schema.ts";
import { Allowed } from "../kit/allowed.tsx";
import { When } from "../kit/dates.tsx";
import { Badge, EmailAddress, MoneyAmount, Reference } from "../kit/values.tsx";
import { type Names, templateLabel } from "../references.ts";
import type { OrderEvents } from "./timeline-queries.ts";

type Entry = { at: number; what: Child; by?: string; note?: string | null };
type TimelineProps = { order: OrderRow; events: OrderEvents; names: Names };

const happened: Record<Exclude<(typeof historyKinds)[number], "status">, string> = {
  edit: "Order edited",
  edit_charge: "Order edited, difference received:",
  edit_refund: "Order edited, difference refunded:",
  payment: "Paid",
  payment_returned: "Payment returned",
  refund: "Refunded",
  refund_sent: "Refund sent",
  refund_failed: "Refund failed",
  dispute_opened: "Payment disputed:",
  dispute_closed: "Dispute closed:",
};

/** Events of an order, newest first: changes of status, money, parcels, e-mails and notes. */
export const Timeline = ({ order, events, names }: TimelineProps) => {
  const entries = [...moves(order), ...parcels(order), ...messages(events), ...notes(events)];
  return (
    <ol class="timeline">
      {entries
        .toSorted((one, other) => one.at - other.at)
        .reverse()
        .map(({ at, what, by, note }) => (
          <li>
            <div>{what}</div>
            {note && <p class="note">{note}</p>}
            <div class="muted">
              <When at={at} />
              {by !== undefined && (
                <>
                  {" "}
                  by <Reference to={by} names={names} />
                </>
              )}
            </div>
          </li>
        ))}
    </ol>
  );
};

const moves = ({ history, currency: ofOrder }: OrderRow): Entry[] =>
  history.map(({ at, kind, from, to, amount, currency, actor, note, returnId }) => ({
    at,
    what: (
      <>
        {kind !== "status" && happened[kind]}
        {from === null && "Order placed"}{" "}
        {amount !== null && <MoneyAmount minor={amount} currency={currency ?? ofOrder} />}{" "}
        {returnId !== null && (
          <Allowed to="orders:read" otherwise={`Return ${returnId}`}>
            <a href={`/admin/returns/${returnId}`}>Return {returnId}</a>
          </Allowed>
        )}{" "}
        {from !== to && <Badge status={to} tone="calm" isSecond />}
      </>
    ),
    by: actor,
    note,
  }));

const parcels = ({ shipments }: OrderRow): Entry[] =>
  shipments.map(({ shippedAt, shippedBy, carrier, trackingNumber }, place) => ({
    at: shippedAt,
    what: `Parcel ${place + 1} sent with ${[carrier, trackingNumber].filter(Boolean).join(", ")}`,
    by: shippedBy,
  }));

const messages = ({ emails }: OrderEvents): Entry[] =>
  emails.map(({ template, state, recipient, reason, createdAt, sentAt }) => ({
    at: sentAt ?? createdAt,
    what: (
      <>
        <Allowed to="administrators" otherwise="E-mail">
          <a href={`/admin/emails?state=${state}`}>E-mail</a>
        </Allowed>
        : {templateLabel(template)}
        {recipient && (
          <>
            {" "}
            to <EmailAddress text={recipient} />
          </>
        )}{" "}
        <Badge status={state} isSecond />
      </>
    ),
    note: reason,
  }));

const notes = (events: OrderEvents): Entry[] =>
  events.notes.map(({ createdAt, author, text }) => ({ at: createdAt, what: "Internal note", by: author, note: text }));
