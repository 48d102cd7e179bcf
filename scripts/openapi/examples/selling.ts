import type { Shop } from "./shop.ts";
import { ORDERS } from "./shopping.ts";

const CASEY = 65;
/** The demo shop's member of staff who has a second factor. */
const SUSAN = 66;
/** A category of the demo shop. */
const PAPER = 3;

/** Returns the id of a font, which is sold with license keys. */
export async function manageProducts(shop: Shop): Promise<number> {
  const change = { price_percent: -10, compare_at_price: "previous" };
  await shop.record("bulkUpdateProducts", { body: { ids: [4, 12], change } });
  await shop.record("adminListProducts", { query: { status: "active", per_page: "1" } });
  const print = await shop.record("createProduct", {
    body: {
      name: "Harbour Print",
      sku: "PRINT-7",
      type: "physical",
      price: 24,
      category_id: PAPER,
      tags: ["Gift", "Sailing"],
      description: "Printed on cotton paper.",
      options: [{ name: "Size", values: ["A4", "A3"] }],
    },
  });
  const it = { path: { id: print.id } };
  await shop.record("adminGetProduct", it);
  await shop.record("updateProduct", { ...it, body: { price: 22 } });
  const variant = { option_values: [{ name: "Size", value: "A3" }], sku: "PRINT-7-A3", price: 32, stock_quantity: 12 };
  await shop.record("createVariants", { ...it, body: variant });
  const strap = { path: { id: 4 } };
  await shop.record("createStockAdjustment", { ...strap, body: { delta: -2, reason: "Water damage" } });
  await shop.record("listStockAdjustments", { ...strap, query: { per_page: "1" } });
  const license = { prefix: "FONT", activation_limit: 2, update_days: 365 };
  const { items } = await shop.record("upsertProducts", {
    body: {
      items: [
        { sku: "PRINT-7-A3", price: 30, stock: { quantity: 30, reason: "Stocktaking" } },
        { sku: "FONT-1", name: "Harbour Sans", type: "digital", price: 12, status: "active", license },
      ],
    },
  });
  await shop.record("deleteProduct", it);

  await shop.record("adminListCategories", { query: { per_page: "2" } });
  const category = await shop.record("createCategory", { body: { name: "Maps & Charts", parent_id: PAPER } });
  const about = { path: { id: category.id } };
  await shop.record("getCategory", about);
  await shop.record("updateCategory", { ...about, body: { name: "Maps", slug: "maps" } });
  await shop.record("deleteCategory", about);
  return items[1].id;
}

const ROBIN = { email: "robin@example.com", name: "Robin Hale" };
const ADDRESS = { name: "Robin Hale", address: "3 Quay Street", city: "Bristol", zip: "BS1 4RB" };
const byHand = {
  customer: ROBIN,
  items: [{ product_id: 56, quantity: 2, unit_price: 15 }],
  discount: { percent: 5, reason: "Regular customer" },
  shipping_address: ADDRESS,
  payment_method: "bank_transfer",
};

export async function manageOrders(shop: Shop): Promise<void> {
  const shipping = { status: "shipped", shipment: { carrier: "Royal Mail" } };
  await shop.record("bulkUpdateOrders", { body: { ids: [ORDERS.goods], change: shipping } });
  await shop.record("adminListOrders", { query: { status: "shipped", per_page: "1" } });
  const placed: PlacedOrder = await shop.record("adminCreateOrder", { body: { ...byHand, paid: true } });
  await shop.record("adminCreateQuote", { body: byHand });
  const sold = { path: { id: ORDERS.goods } };
  await shop.record("adminGetOrder", sold);
  await shop.record("updateOrder", { ...sold, body: { status: "completed", note: "Signed for by a neighbour" } });
  await editOrder(shop, placed);
  await sendParcel(shop, placed);
  const [line] = placed.items;
  await shop.record("createRefund", {
    path: { id: placed.id },
    body: { items: [{ id: line?.id, quantity: 1 }], restock: true, note: "Arrived bent" },
  });
  const invoice = await shop.record("createInvoice", { ...sold, body: {} });
  await manageReturns(shop, { id: placed.id, line: line?.id });
  await shop.record("createOrderNote", { ...sold, body: { text: "Asked by telephone for a gift box" } });
  await shop.record("listOrderNotes", sold);
  await shop.record("adminListInvoices", { query: { per_page: "1" } });
  await shop.record("listInvoiceSeries");
  await shop.record("adminDownloadInvoice", { path: { id: invoice.id, format: "pdf" } });
}

/** The draft of the demo shop. */
const DEMO_DRAFT = 1;

type PlacedOrder = { id: number; items: { id: number }[] };

async function editOrder(shop: Shop, { id, items }: PlacedOrder): Promise<void> {
  const to = (quantity: number) => ({ items: items.map((item) => ({ id: item.id, quantity })) });
  const edited = { path: { id } };
  const { total } = await shop.ask("createOrderEditQuote", {
    as: shop.access.api_keys.premium,
    ...edited,
    body: to(3),
  });
  const note = "One more, asked for by telephone";
  await shop.record("createOrderEdit", { ...edited, body: { ...to(3), expected_total: total, received: true, note } });
  await shop.record("createOrderEditQuote", { ...edited, body: to(4) });
}

async function sendParcel(shop: Shop, { id, items }: PlacedOrder): Promise<void> {
  const parcel = { items: items.map((item) => ({ id: item.id, quantity: 2 })), carrier: "Royal Mail" };
  const { shipment } = await shop.record("createShipment", { path: { id }, body: parcel });
  const tracking = { tracking_number: "RM123456785GB" };
  await shop.record("updateShipment", { path: { id, shipment: shipment.id }, body: tracking });
}

async function manageReturns(shop: Shop, { id, line }: { id: number; line: number | undefined }): Promise<void> {
  await shop.record("adminListReturns", { query: { status: "requested" } });
  const returned = await shop.record("adminCreateReturn", {
    path: { id },
    body: { items: [{ id: line, quantity: 1 }], instructions: "Returns, 3 Quay Street, Bristol BS1 4RB" },
  });
  const back = { path: { id: returned.id } };
  await shop.record("getReturn", back);
  await shop.record("updateReturn", { ...back, body: { status: "received" } });
  await shop.record("settleReturn", { ...back, body: { deduction: 2, note: "Worn" } });
}

/** Returns the id of an order that contains the font. */
export async function manageDrafts(shop: Shop, font: number): Promise<number> {
  const body = { ...byHand, items: [...byHand.items, { product_id: font, quantity: 1 }] };
  const draft = await shop.record("createDraftOrder", { body: { ...body, payment_method: "credit_card" } });
  const drafted = { path: { id: draft.id } };
  await shop.record("listDraftOrders", { query: { per_page: "1" } });
  await shop.record("getDraftOrder", drafted);
  await shop.record("updateDraftOrder", { ...drafted, body });
  await shop.record("sendDraftOrder", { ...drafted, body: {} });
  const { id } = await shop.record("completeDraftOrder", { ...drafted, body: { paid: true } });
  await shop.record("deleteDraftOrder", { path: { id: DEMO_DRAFT } });
  return id;
}

export async function manageCustomers(shop: Shop): Promise<void> {
  await shop.record("bulkUpdateCustomers", { body: { ids: [1, 2], change: { add_tags: ["VIP"] } } });
  await shop.record("listCustomers", { query: { search: "casey", per_page: "1" } });
  const added = await shop.record("createCustomer", {
    body: { name: "Lou Later", email: "lou@example.com", tags: ["Wholesale"], invite: true },
  });
  const lou = { path: { id: added.id } };
  await shop.record("inviteCustomer", { ...lou, body: {} });
  await shop.record("updateCustomer", { ...lou, body: { name: "Lou Latimer" } });
  const casey = { path: { id: CASEY } };
  await shop.record("getCustomer", casey);
  await shop.record("creditWallet", { ...casey, body: { amount: 20, reason: "A gift card of their aunt" } });
  await shop.record("createCustomerNote", { ...casey, body: { text: "Prefers to be called" } });
  await shop.record("listCustomerNotes", casey);
  await shop.record("exportCustomer", casey);
  await shop.record("restoreCustomer", { ...lou, body: {} });
  await shop.record("deleteCustomer", lou);
  await shop.record("removeTwoFactor", { path: { id: SUSAN } });
}

/** Reads what staff look up. */
export async function look(shop: Shop): Promise<void> {
  await shop.record("getSalesReport");
  await shop.record("adminListTransactions", { query: { user_id: String(CASEY), per_page: "2" } });
  await shop.record("search", { query: { q: "casey" } });
  await shop.record("listEvents", { query: { type: "order.shipped", per_page: "1" } });
  await shop.record("listAuditLog", { query: { subject: "order", per_page: "1" } });
  await shop.record("listFailedItems", { query: { per_page: "1" } });
}

export async function saveViews(shop: Shop): Promise<void> {
  const filters = { status: "processing", sort: "oldest" };
  const view = await shop.record("createSavedView", { body: { list: "orders", name: "To ship", filters } });
  await shop.record("listSavedViews", { query: { list: "orders" } });
  await shop.record("deleteSavedView", { path: { id: view.id } });
}
