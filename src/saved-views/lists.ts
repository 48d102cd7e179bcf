import type * as z from "zod";
import type { Permission } from "../auth/permissions.ts";
import type { ViewedList } from "../db/schema.ts";
import { FilesQuery } from "../files/public.ts";
import { AllOrdersQuery } from "../orders/public.ts";
import { AllProductsQuery } from "../products/public.ts";
import { UsersQuery } from "../users/public.ts";

/** What each list takes, and what reading it takes. */
export const lists: Record<ViewedList, { query: z.ZodType; needs: Permission }> = {
  orders: { query: AllOrdersQuery, needs: "orders:read" },
  products: { query: AllProductsQuery, needs: "products:read" },
  users: { query: UsersQuery, needs: "users:read" },
  files: { query: FilesQuery, needs: "files:read" },
};
