import { type Caller, may } from "../auth/caller.ts";
import { type JobKind, jobKinds } from "../db/schema.ts";

/** What jobs of a kind change: who may read that sees them, who may write it starts, cancels and undoes them. */
export const resourceOf = {
  check_products: "products",
  check_customers: "users",
  import_products: "products",
  import_customers: "users",
  change_products: "products",
  adjust_stock: "products",
  change_orders: "orders",
} as const satisfies Record<JobKind, "products" | "users" | "orders">;

/** Kinds whose jobs can be undone. */
export const undoable: ReadonlySet<JobKind> = new Set(["import_products", "import_customers", "change_products"]);

/** The kinds of which the caller may see the jobs. */
export const readableKinds = (caller: Caller): JobKind[] =>
  jobKinds.filter((kind) => may(caller, `${resourceOf[kind]}:read`));
