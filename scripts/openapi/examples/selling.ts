import type { Shop } from "./shop.ts";

export async function sell(shop: Shop, admin: string, { user, order }: { user: { id: number }; order: Bought }) {
  const as = admin;
  const category = await shop.record("createCategory", { as, body: { name: "Maps & Charts", parent_id: 3 } });
  const about = { as, path: { id: category.id } };
  await shop.record("adminListCategories", { as, query: { per_page: "2" } });
  await shop.record("getCategory", about);
  await shop.record("updateCategory", { ...about, body: { name: "Maps", slug: "maps" } });

  const product = await shop.record("createProduct", {
    as,
    body: {
      name: "Tide Chart of the Severn",
      sku: "MAP-100",
      type: "physical",
      price: 18.5,
      category_id: category.id,
      tags: ["Gift", "Sailing"],
      stock_quantity: 40,
      description: "Printed on cotton paper, good for a year.",
    },
  });
  const it = { as, path: { id: product.id } };
  await shop.record("adminListProducts", { as, query: { status: "active", per_page: "1" } });
  await shop.record("adminGetProduct", it);
  await shop.record("updateProduct", { ...it, body: { price: 17, compare_at_price: 18.5 } });
  await shop.record("createStockAdjustment", { ...it, body: { delta: -2, reason: "Water damage" } });
  await shop.record("upsertProducts", {
    as,
    body: {
      items: [
        { sku: "MAP-100", price: 16.5, stock: { quantity: 30, reason: "Stocktaking" } },
        { sku: "MAP-101", name: "Harbour Chart", type: "physical", price: 12, stock_quantity: 25 },
      ],
    },
  });
  await shop.record("bulkUpdateProducts", {
    as,
    body: { ids: [product.id], change: { price_percent: -10, compare_at_price: "previous" } },
  });
  const printed = await shop.record("createProduct", {
    as,
    body: {
      name: "Harbour Print",
      sku: "PRINT-7",
      type: "physical",
      price: 24,
      options: [{ name: "Size", values: ["A4", "A3"] }],
    },
  });
  await shop.record("createVariants", {
    as,
    path: { id: printed.id },
    body: { option_values: [{ name: "Size", value: "A3" }], sku: "PRINT-7-A3", price: 32, stock_quantity: 12 },
  });
  await shop.record("listStockAdjustments", { ...it, query: { per_page: "1" } });
  await shop.record("deleteProduct", it);
  await shop.record("deleteCategory", about);

  await shop.record("search", { as, query: { q: "robin" } });
  const filters = { status: "processing", sort: "oldest" };
  const view = await shop.record("createSavedView", { as, body: { list: "orders", name: "To ship", filters } });
  await shop.record("listSavedViews", { as, query: { list: "orders" } });
  await shop.record("deleteSavedView", { as, path: { id: view.id } });
  await shop.record("adminListOrders", { as, query: { status: "processing", per_page: "1" } });
  const byHand = {
    as,
    body: {
      customer: { email: "robin@example.com", name: "Robin Hale" },
      items: [{ product_id: order.items[0]?.product_id, quantity: 2, unit_price: 15 }],
      discount: { percent: 5, reason: "Regular customer" },
      shipping_address: { name: "Robin Hale", address: "3 Quay Street", city: "Bristol", zip: "BS1 4RB" },
      payment_method: "bank_transfer",
      pay_within_days: 14,
    },
  };
  await shop.record("adminCreateQuote", byHand);
  const placed = await shop.record("adminCreateOrder", byHand);
  const edited = { as, path: { id: placed.id } };
  const edit = { items: placed.items.map(({ id }: { id: number }) => ({ id, quantity: 3 })) };
  const { total } = await shop.record("createOrderEditQuote", { ...edited, body: edit });
  const note = "One more, asked for by telephone";
  await shop.record("createOrderEdit", { ...edited, body: { ...edit, expected_total: total, note } });
  const { pay_within_days: _, ...content } = byHand.body;
  const draft = await shop.record("createDraftOrder", { as, body: { ...content, payment_method: "credit_card" } });
  const drafted = { as, path: { id: draft.id } };
  await shop.record("listDraftOrders", { as, query: { per_page: "1" } });
  await shop.record("getDraftOrder", drafted);
  await shop.record("sendDraftOrder", { ...drafted, body: {} });
  await shop.record("updateDraftOrder", { ...drafted, body: content });
  const completed = await shop.record("completeDraftOrder", { ...drafted, body: { paid: true } });
  const handedOver = { as, path: { id: completed.id } };
  await shop.ask("updateOrder", { ...handedOver, body: { status: "completed" } });
  const unused = await shop.ask("createDraftOrder", { as, body: content });
  await shop.record("deleteDraftOrder", { as, path: { id: unused.id } });
  const sold = { as, path: { id: order.id } };
  await shop.record("adminGetOrder", sold);
  const [first] = order.items;
  await shop.record("createOrderNote", { ...sold, body: { text: "Asked by telephone for a gift box" } });
  await shop.record("listOrderNotes", sold);
  const parcel = { items: [{ id: first?.id, quantity: 1 }], carrier: "Royal Mail" };
  const { shipment: sent } = await shop.record("createShipment", { ...sold, body: parcel });
  const tracking = { tracking_number: "RM123456785GB" };
  await shop.record("updateShipment", { as, path: { ...sold.path, shipment: sent.id }, body: tracking });
  await shop.record("updateOrder", { ...sold, body: { status: "completed", note: "Signed for by a neighbour" } });
  await shop.record("createRefund", {
    ...sold,
    body: { items: [{ id: first?.id, quantity: 1 }], restock: true, note: "Arrived bent" },
  });
  const [asked] = await shop.record("adminListReturns", { as, query: { status: "requested" } });
  const declined = { status: "declined", decline_reason: "The download was used" };
  await shop.ask("updateReturn", { as, path: { id: asked.id }, body: declined });
  const returned = await shop.record("adminCreateReturn", {
    ...handedOver,
    body: {
      items: [{ id: completed.items[0].id, quantity: 1 }],
      instructions: "Returns, 3 Quay Street, Bristol BS1 4RB",
    },
  });
  const back = { as, path: { id: returned.id } };
  await shop.record("getReturn", back);
  const onItsWay = { status: "in_transit", carrier: "Royal Mail", tracking_number: "RM123456799GB" };
  await shop.record("updateReturn", { ...back, body: onItsWay });
  await shop.ask("updateReturn", { ...back, body: { status: "received" } });
  await shop.record("settleReturn", { ...back, body: { deduction: 2, note: "Worn" } });
  await shop.record("getSalesReport", { as });
  const change = { status: "shipped", shipment: { carrier: "Royal Mail" } };
  await shop.record("bulkUpdateOrders", { as, body: { ids: [order.id], change } });
  await shop.record("adminListTransactions", { as, query: { user_id: String(user.id), per_page: "2" } });

  await shop.record("listCustomers", { as, query: { search: "robin", per_page: "1" } });
  await shop.record("getCustomer", { as, path: { id: user.id } });
  await shop.record("updateCustomer", { as, path: { id: user.id }, body: { name: "Robin Reader" } });
  await shop.record("listEvents", { as, query: { type: "order.shipped", per_page: "1" } });
  await shop.record("listAuditLog", { as, query: { subject: "order", per_page: "1" } });
  await shop.record("listFailedItems", { as, query: { per_page: "1" } });
}

type Bought = { id: number; items: { id: number; product_id: number }[] };
