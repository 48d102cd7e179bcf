import type * as z from "zod";
import { UsersQuery } from "../../accounts/users/public.ts";
import { AllProductsQuery } from "../../catalogue/products/public.ts";
import { AllOrdersQuery } from "../../checkout/orders/public.ts";
import { FilesQuery } from "../../downloads/files/public.ts";
import type { Permission } from "../../platform/auth/roles.ts";
import type { ViewedList } from "../../platform/db/schema.ts";

/** Query schema and permission of each list. */
export const lists: Record<ViewedList, { query: z.ZodType; needs: Permission }> = {
  orders: { query: AllOrdersQuery, needs: "orders:read" },
  products: { query: AllProductsQuery, needs: "products:read" },
  users: { query: UsersQuery, needs: "users:read" },
  files: { query: FilesQuery, needs: "files:read" },
};
