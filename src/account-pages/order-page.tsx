import type { Context } from "hono";
import type { Child } from "hono/jsx";
import { findGuestOrder, type LinkedGuestOrder } from "../checkout/orders/guest-order.ts";
import { WITHDRAW } from "../checkout/orders/returns/period.ts";
import { readWithdrawalTerms } from "../checkout/orders/returns/withdraw.ts";
import { preferredLanguage } from "../domain/language.ts";
import { nameWithValues } from "../domain/option-values.ts";
import { laterLabel, webAddress } from "../domain/payment-methods.ts";
import type { Failed } from "../panel/forms/inputs.ts";
import { When } from "../panel/kit/dates.tsx";
import { LinkButton } from "../panel/kit/form.tsx";
import { type Column, Table } from "../panel/kit/table.tsx";
import { Totals } from "../panel/kit/totals.tsx";
import { Badge, MoneyAmount } from "../panel/kit/values.tsx";
import { type PageContext, page } from "../panel/page.tsx";
import { type AppEnv, limitAddress } from "../platform/auth/gates.ts";
import { isPaidLater } from "../platform/db/order-payment.ts";
import { writerIn } from "../platform/email/messages.ts";
import { GuestDownloads } from "./guest-downloads.tsx";
import { GuestInvoiceForms } from "./guest-invoices.tsx";
import { GuestSubscription } from "./guest-subscription.tsx";
import { donePage } from "./pages.tsx";

type OrderOfGuest = LinkedGuestOrder["row"];

/**
 * The order to which a guest's e-mails link. It shows the same as those e-mails, because they may have reached a
 * stranger.
 */
export async function guestOrderPage(c: Context<AppEnv>, failed: Failed | null): Promise<Response> {
  await limitAddress(c, "anonymous");
  const token = failed?.values.token?.[0] ?? c.req.query("token") ?? "";
  const found = await findGuestOrder(c.var, token, Date.now());
  if (!found) return noOrderPage(c);
  return shownOrderPage(
    c,
    found,
    <>
      {found.subscription && <GuestSubscription subscription={found.subscription} token={token} />}
      {(found.subscription || found.packages.length + found.licenseKeys.length + found.giftCards.length > 0) && (
        <GuestDownloads {...found} token={token} />
      )}
      <GuestInvoiceForms invoices={found.invoices} token={token} failed={failed} />
    </>,
    `token=${encodeURIComponent(token)}`,
  );
}

/** The order, whichever link was used. `known` is what the withdrawal page gets: only the order's own link passes its token on. */
export async function shownOrderPage(
  c: Context<AppEnv>,
  { row: order, texts }: Pick<LinkedGuestOrder, "row" | "texts">,
  documents?: Child,
  known = `order=${encodeURIComponent(order.number)}`,
): Promise<Response> {
  const withdrawal = await withdrawalLinkOf(c, order, known);
  return page(
    c,
    `Order ${order.number}`,
    <div class="card narrow">
      <div>
        <h1>Order {order.number}</h1>
        <div class="badges">
          <Badge status={order.status} />
          <span class="muted">
            Ordered on <When at={order.createdAt} />
          </span>
        </div>
      </div>
      <p>
        {order.status === "processing" && isPaidLater(order) ? "The order is being prepared." : words[order.status]}
      </p>
      {(order.status === "pending" || isPaidLater(order)) && <Payment order={order} />}
      {order.shipments.map((shipment) => (
        <Parcel {...shipment} />
      ))}
      <h2>Items</h2>
      <Table label="Items" rows={order.items} columns={columnsIn(order.currency)} phone="lines" />
      <Totals order={order} />
      {documents}
      {withdrawal}
      <h2>Questions?</h2>
      {texts.contact ? <p class="note">{texts.contact}</p> : <p>Contact {texts.shopName} and name the order number.</p>}
    </div>,
  );
}

/**
 * The link to withdraw from an order, whose label the law words in each language. Null if the shop does not offer it, or the
 * order has ended.
 */
async function withdrawalLinkOf(c: Context<AppEnv>, { status }: OrderOfGuest, known: string): Promise<Child> {
  if (status === "cancelled" || status === "expired") return null;
  const { withdrawalDays, language } = await readWithdrawalTerms(c.var);
  if (withdrawalDays === 0) return null;
  const writer = writerIn(preferredLanguage(c.req.header("Accept-Language") ?? null) ?? language);
  return (
    <p>
      <a href={`/account/withdraw?${known}`} lang={writer.language}>
        {writer.say(WITHDRAW)}
      </a>
    </p>
  );
}

export function noOrderPage(c: PageContext): Promise<Response> {
  c.status(404);
  const next = `Open it from the newest e-mail about your order. If it still shows nothing, contact ${c.var.shopName}.`;
  return donePage(c, "This link shows no order", next, null, "mail");
}

const words: Record<OrderOfGuest["status"], string> = {
  pending: "The order is waiting for payment.",
  processing: "The order is paid and is being prepared.",
  shipped: "The order is on its way.",
  completed: "The order is completed.",
  cancelled: "The order was cancelled.",
  expired: "The order was not paid in time and has expired.",
  refunded: "The order was refunded.",
};

const Payment = ({ order }: { order: OrderOfGuest }) => {
  const { total, currency, expiresAt, paymentInstructions: instructions } = order;
  const paymentUrl = webAddress(order.paymentUrl);
  return (
    <section class="tinted">
      <h2>Payment</h2>
      {paymentUrl ? (
        <p>
          <LinkButton href={paymentUrl} tone="primary">
            <span>
              Pay <MoneyAmount minor={total} currency={currency} />
            </span>
          </LinkButton>
        </p>
      ) : (
        <>
          {isPaidLater(order) && (
            <p>
              <MoneyAmount minor={total} currency={currency} /> to pay: {laterLabel(order.paymentMethod)}.
            </p>
          )}
          <p class="note">{instructions ?? "Pay as agreed with the shop, and state the order number."}</p>
        </>
      )}
      {expiresAt !== null && !(isPaidLater(order) && order.paymentMethod === "cash") && (
        <p class="muted">
          {isPaidLater(order) ? "Please pay by" : "Reserved until"} <When at={expiresAt} />.
        </p>
      )}
    </section>
  );
};

const Parcel = ({ carrier, trackingNumber, trackingUrl, shippedAt }: OrderOfGuest["shipments"][number]) => (
  <p>
    Shipped with {carrier} on <When at={shippedAt} />
    {trackingNumber && `: ${trackingNumber}`}
    {trackingUrl?.startsWith("https://") && (
      <>
        {" · "}
        <a href={trackingUrl}>Track parcel</a>
      </>
    )}
  </p>
);

const columnsIn = (currency: string): Column<OrderOfGuest["items"][number]>[] => [
  {
    title: "Product",
    cell: (item) => (
      <>
        {nameWithValues(item)}
        {item.refundedQuantity > 0 && (
          <small>
            {item.refundedQuantity} of {item.quantity} refunded
          </small>
        )}
      </>
    ),
  },
  { title: "Quantity", numeric: true, cell: ({ quantity }) => String(quantity) },
  { title: "Total", numeric: true, cell: ({ total }) => <MoneyAmount minor={total} currency={currency} /> },
];
