import { allowAnyone } from "../auth/gates.ts";

/** Whoever may look at what is for sale: where the installation says so, callers without a credential too. */
export const allowShoppers = allowAnyone("products:read", ({ publicCatalog }) =>
  publicCatalog ? "anonymous" : undefined,
);
