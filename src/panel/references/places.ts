import type { Entry } from "../../audit/entry.ts";

/** What a reference such as `product:7` means: the address of its page, and its name. */
export const places: Record<Entry["subject"], { path: string; table: string; name: string }> = {
  api_key: { path: "api-keys", table: "api_keys", name: "name" },
  category: { path: "categories", table: "categories", name: "name" },
  file: { path: "files", table: "files", name: "name" },
  order: { path: "orders", table: "orders", name: "number" },
  package: { path: "packages", table: "packages", name: "name" },
  product: { path: "products", table: "products", name: "name" },
  user: { path: "customers", table: "users", name: "name" },
};

const isKind = (kind: string): kind is Entry["subject"] => kind in places;

/** The parts of a reference; null for what has no page, such as "system". */
export function readReference(reference: string) {
  const [, kind = "", id = ""] = /^(\w+):(\d+)$/.exec(reference) ?? [];
  return isKind(kind) ? { kind, id: Number(id), ...places[kind] } : null;
}
