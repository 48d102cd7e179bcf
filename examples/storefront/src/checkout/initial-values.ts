import type { Schema } from "@storefront-worker/api/client";
import type { ShopContext } from "../env.ts";
import { countries } from "../parts/countries.ts";
import type { Values } from "../parts/form.ts";
import type { SavedAddress } from "./delivery.tsx";

/** Addresses to choose from. The API lists the default one first. */
const OFFERED = 5;

export async function savedAddresses({ var: { shopper } }: ShopContext): Promise<SavedAddress[]> {
  if (!shopper) return [];
  const params = { query: { per_page: OFFERED } };
  return (await shopper.GET("/api/v1/user/account/addresses", { params })).data;
}

type KnownBuyer = { profile: Schema["Profile"] | null; saved: SavedAddress[] };

/** Initial values: those saved earlier, or the first address of the address book, or the visitor's country. */
export function initialValues(c: ShopContext, left: Values, { profile, saved }: KnownBuyer): Values {
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

/** The country of the request, as reported by Cloudflare. */
function countryOf(c: ShopContext): Values {
  const code = c.req.header("CF-IPCountry");
  return code !== undefined && countries.some((country) => country.code === code) ? { "address.country": code } : {};
}
