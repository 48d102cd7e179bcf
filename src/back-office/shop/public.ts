export { currencyRefusals, readShop, storedCurrency } from "./shop.ts";
