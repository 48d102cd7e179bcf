import type { ShopContext } from "../env.ts";
import type { AddressKind } from "./order-form.ts";

/** Initial values of the checkout form: the first address in the shopper's address book. */
export async function suggestedAddress(
  { var: { shopper } }: ShopContext,
  kind: AddressKind,
): Promise<Record<string, string>> {
  if (!shopper) return {};
  const params = { query: { per_page: 1 } };
  const { data } = await shopper.GET("/api/v1/user/account/addresses", { params });
  const [first] = data;
  if (!first) return {};
  const { name, address, city, zip, region, country, phone } = first;
  const parts = { name, address, city, zip, region, country, phone };
  return Object.fromEntries(Object.entries(parts).map(([part, value]) => [`${kind}.${part}`, value ?? ""]));
}
