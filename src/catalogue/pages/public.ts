export { areAccepted, type CurrentPage, inOneLanguage, selectPages } from "./pages.ts";
export { ShopPageSummary, toShopPageSummary } from "./schemas.ts";
