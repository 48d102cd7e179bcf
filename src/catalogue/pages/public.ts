export { type CurrentPage, inOneLanguage, selectPages, termsAreCurrent } from "./pages.ts";
export { ShopPageSummary, toShopPageSummary } from "./schemas.ts";
