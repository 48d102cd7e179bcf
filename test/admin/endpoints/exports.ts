import type { AdminEndpoint, AdminEndpoints } from "./endpoint.ts";

const permissions: Record<string, AdminEndpoint["permission"]> = {
  products: "products:read_all",
  orders: "orders:read",
  "order-lines": "orders:read",
  customers: "users:read",
  invoices: "orders:read",
  transactions: "orders:read",
  files: "files:read_all",
  "audit-log": null,
};

const lists: AdminEndpoints = Object.fromEntries(
  Object.entries(permissions).map(([list, permission]) => [
    `GET /exports/${list}/:format`,
    { permission, status: 200, request: async () => ({ path: `/exports/${list}/csv` }) },
  ]),
);

export const exports: AdminEndpoints = {
  ...lists,
  "GET /exports/invoices/zip": {
    permission: "orders:read",
    status: 200,
    request: async () => ({ path: "/exports/invoices/zip" }),
  },
};
