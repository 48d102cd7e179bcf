import type { Schema } from "storefront/client";
import type { ShopContext } from "../env.ts";
import { countries } from "../parts/countries.ts";
import type { SavedAddress } from "./delivery.tsx";
import type { Values } from "./draft.ts";

/** Addresses offered: the API lists the default one first. */
const OFFERED = 5;

export async function savedAddresses({ var: { shopper } }: ShopContext): Promise<SavedAddress[]> {
  if (!shopper) return [];
  const params = { query: { per_page: OFFERED } };
  return (await shopper.GET("/api/v1/user/account/addresses", { params })).data;
}

type Known = { profile: Schema["Profile"] | null; saved: SavedAddress[] };

/** The form as it begins: as it was left, else with the first address of the address book, else with the visitor's country. */
export function initialValues(c: ShopContext, left: Values, { profile, saved }: Known): Values {
  const { address_id, ...others } = left;
  const isWritten = address_id === "new" || left["address.name"] !== undefined;
  const chosen = saved.find(({ id }) => String(id) === address_id) ?? (isWritten ? undefined : saved[0]);
  return {
    ...(profile && { "address.name": profile.name }),
    ...countryOf(c),
    ...others,
    ...(chosen && { address_id: String(chosen.id) }),
  };
}

/** The country that the request came from, as Cloudflare tells it. */
function countryOf(c: ShopContext): Values {
  const code = c.req.header("CF-IPCountry");
  return code !== undefined && countries.some((country) => country.code === code) ? { "address.country": code } : {};
}
