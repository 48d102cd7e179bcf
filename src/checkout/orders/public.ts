export {
  findAnyOrders,
  idsOfOrders,
  readOrderIds,
  walkOrderLines,
  walkOrders,
} from "./admin.ts";
export { AllOrdersQuery, type OrderFilters, orderFilters } from "./admin-schemas.ts";
export { DraftOrder, toDraftOrder } from "./by-hand/schemas.ts";
export { orderChangeWrites as orderWrites } from "./change.ts";
export { placeRenewal } from "./create/renewal.ts";
export { readEmailParams } from "./emails/preview.ts";
export { planMove } from "./move.ts";
export { hasNumber, selectOrders } from "./orders.ts";
export { orderReferencePrefix } from "./reference.ts";
export { recordDispute } from "./refunds/dispute.ts";
export { Order, OrderItem, toOrder, toOrderItem, toStaffOrder } from "./schemas.ts";
export { idsOfSearch as idsOfOrderSearch, ordersFound } from "./search.ts";
export {
  addPaidOrders,
  addToSales,
  goodsOfLine,
  historyOfOrders,
  isGoods,
  isSale,
  periods,
  productAndCategory,
  profit,
  SALES_QUEUE,
  shopAndCountry,
  summed,
} from "./sold.ts";
export { SENT } from "./transitions.ts";
export { planTags } from "./update.ts";
export { readsWhole } from "./visible-order.ts";
