import { allowAnyone } from "../auth/gates.ts";

/** Allows everybody who may read the catalogue: where it is public, callers without a credential too. */
export const allowShoppers = allowAnyone("products:read", ({ publicCatalog }) =>
  publicCatalog ? "anonymous" : undefined,
);
