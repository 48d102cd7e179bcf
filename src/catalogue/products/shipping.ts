import type { ProductType } from "../../platform/db/schema.ts";

/** Whether a product is shipped by default: physical goods are, files and services are not. */
export const isSentByDefault = (type: string | undefined): boolean => type === ("physical" satisfies ProductType);
