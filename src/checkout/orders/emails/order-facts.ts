import { type SQL, sql } from "drizzle-orm";
import { jsonRow, truth } from "../../../platform/db/json.ts";
import { paymentInstructions } from "../../../platform/db/order-payment.ts";
import type { PageSlug } from "../../../platform/db/schema.ts";
import { orders } from "../../../platform/db/schema.ts";
import { GIFT_CARD_PREFIX } from "../../gift-cards/public.ts";
import { lineWithdrawal } from "../returns/exemptions.ts";
import { withdrawalDays } from "../returns/period.ts";
import type { OrderContent } from "./order.ts";

const items = sql`(
  SELECT json_group_array(json_object('name', name, 'optionValues', json(option_values), 'quantity', quantity, 'total', total,
    'withdrawal', ${lineWithdrawal},
    'image', (SELECT images ->> '$[0].url' FROM products WHERE id = product_id)) ORDER BY id)
  FROM order_items WHERE order_id = orders.id AND quantity > 0)`;

const downloads = sql`(
  SELECT json_group_array(json_object('name', name, 'units', units, 'limit', "limit", 'expiresAt', expires_at, 'inAccount', json(iif(user_id IS NULL, 'false', 'true'))))
  FROM (
    SELECT name, units, download_limit AS "limit", expires_at, user_id FROM packages
    WHERE order_id = orders.id AND revoked_at IS NULL ORDER BY order_item_id
  ))`;

/** License keys, and gift cards with their value. */
const licenseKeys = sql`(
  SELECT json_group_array(json_object('name', name, 'prefix', prefix, 'nonce', nonce, 'value', value, 'uploaded', json(uploaded)) ORDER BY value, id)
  FROM (
    SELECT id, name, prefix, nonce, NULL AS value, (
      SELECT json_object('start', start, 'sealed', sealed) FROM uploaded_license_keys WHERE nonce = license_keys.nonce) AS uploaded
    FROM license_keys WHERE order_id = orders.id AND revoked_at IS NULL
    UNION ALL
    SELECT id, (SELECT name FROM order_items WHERE id = order_item_id), '${sql.raw(GIFT_CARD_PREFIX)}', nonce, value, NULL
    FROM gift_cards WHERE order_id = orders.id AND ended_at IS NULL
  ))`;

/** True for a user's row if the e-mail goes to its address, which is verified. */
export const isOwnVerified: SQL = sql`
  users.id = emails.user_id AND users.email = emails.recipient AND users.email_verified_at IS NOT NULL`;

/** The buyer's address is shown only to the buyer, never to an unverified address. */
const shippingAddress = sql`iif(EXISTS (SELECT 1 FROM users WHERE ${isOwnVerified}), shipping_address, NULL)`;

/** The parcel of the e-mail, and whether it is the whole order, the last part or a part. */
const shipment = sql`(
  SELECT json_object('carrier', carrier, 'tracking_number', tracking_number, 'tracking_url', tracking_url,
    'part', CASE
      WHEN fulfillment_status = 'partially_fulfilled' OR EXISTS (
        SELECT 1 FROM shipments AS later WHERE later.order_id = orders.id AND later.id > shipments.id
      ) THEN 'part'
      WHEN EXISTS (SELECT 1 FROM shipments AS first WHERE first.order_id = orders.id AND first.id < shipments.id) THEN 'rest'
      ELSE 'whole'
    END,
    'items', (
      SELECT json_group_array(json_object('name', name, 'optionValues', json(option_values), 'quantity', shipment_lines.quantity) ORDER BY order_items.id)
      FROM shipment_lines JOIN order_items ON order_items.id = order_item_id WHERE shipment_id = shipments.id
    ))
  FROM shipments WHERE id = emails.params ->> 'shipmentId'
)`;

const returned = sql`(
  SELECT json_object('createdAt', created_at, 'reason', reason, 'withdrawal', json(withdrawal), 'declineReason', decline_reason,
    'instructions', instructions, 'labelUrl', label_url, 'items', (
      SELECT json_group_array(json_object('name', name, 'optionValues', json(option_values), 'quantity', return_lines.quantity) ORDER BY order_items.id)
      FROM return_lines JOIN order_items ON order_items.id = order_item_id WHERE return_id = returns.id
    ))
  FROM returns WHERE id = emails.params ->> 'returnId'
)`;

const invoice = sql`(
  SELECT json_object('type', type, 'number', number) FROM invoices WHERE order_id = orders.id ORDER BY id DESC LIMIT 1)`;

/** The page in the order's language, or else in the shop's. */
const currentPage = (slug: PageSlug): SQL => sql`(
  SELECT id FROM current_pages WHERE slug = ${sql.raw(`'${slug}'`)}
  ORDER BY language = orders.language DESC, language = (SELECT language FROM shop) DESC, id LIMIT 1)`;

/** The terms that the order accepted, or else the current ones, and the instructions on withdrawal. */
const legalTexts = sql`(
  SELECT json_group_array(json_object('title', title, 'markdown', text) ORDER BY slug) FROM page_versions
  WHERE emails.template = 'order_confirmation'
    AND id IN (coalesce(orders.accepted_terms, ${currentPage("terms")}), ${currentPage("withdrawal")}))`;

const columns = {
  number: orders.number,
  reference: orders.reference,
  linkVersion: orders.linkVersion,
  status: orders.status,
  fulfillmentStatus: orders.fulfillmentStatus,
  currency: orders.currency,
  subtotal: orders.subtotal,
  discounts: orders.discounts,
  shippingMethod: orders.shippingMethod,
  shippingTotal: orders.shippingTotal,
  pricesIncludeTax: orders.pricesIncludeTax,
  taxLines: orders.taxLines,
  total: orders.total,
  refundedTotal: orders.refundedTotal,
  refundedTax: orders.refundedTax,
  paymentMethod: orders.paymentMethod,
  paymentProvider: orders.paymentProvider,
  paymentUrl: orders.paymentUrl,
  paidAt: orders.paidAt,
  expiresAt: orders.expiresAt,
  country: orders.country,
  downloadConsent: orders.downloadConsent,
};

const content = jsonRow<OrderContent>(columns, {
  withdrawalDays,
  isGuest: truth(sql`orders.user_id IS NULL`),
  shippingAddress,
  items,
  downloads,
  licenseKeys,
  shipment,
  returned,
  invoice,
  legalTexts,
  paymentInstructions: sql`json_quote(${paymentInstructions})`,
});

/** The order of an e-mail at sending time, so that the outbox stores none of it. */
export const orderContent: SQL = sql`(SELECT ${content} FROM orders WHERE id = emails.order_id)`;
