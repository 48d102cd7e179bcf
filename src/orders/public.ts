export { selectOrders } from "./queries.ts";
export { Order, toOrder } from "./schemas.ts";
