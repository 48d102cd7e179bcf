import type { Schema } from "@storefront-worker/api/client";
import { Hono } from "hono";
import type { AppEnv, ShopContext } from "../env.ts";
import { countries } from "../parts/countries.ts";
import { type Form, fieldsOf } from "../parts/form.ts";
import { formFor, orShowAgain, showAgain, takeForm } from "../parts/kept-form.ts";
import { unlessRefused } from "../parts/unless-refused.ts";
import { me } from "../session/signed-in.ts";
import { tell } from "../told.ts";
import { AddressForm } from "./address-form.tsx";
import { AddressesPage } from "./addresses-page.tsx";
import { accountPage } from "./area.tsx";

const BOOK = "/account/addresses";

/** The shopper's address book. */
export const addresses = new Hono<AppEnv>()
  .get("/account/addresses", async (c) => {
    const { data } = await me(c).GET("/api/v1/user/account/addresses", { params: { query: { per_page: 100 } } });
    return accountPage(c, "Addresses", <AddressesPage addresses={data} />);
  })
  .get("/account/addresses/new", async (c) => {
    const [{ data: profile }, { data: known }] = await Promise.all([
      me(c).GET("/api/v1/user/account/profile"),
      me(c).GET("/api/v1/user/account/addresses", { params: { query: { per_page: 1 } } }),
    ]);
    const first = known.length === 0 ? { default: "yes" } : {};
    const initial = { name: profile.name, phone: profile.phone ?? "", country: countryOf(c), ...first };
    const form = formFor(await takeForm(c), c.req.path, initial);
    return accountPage(c, "New address", <AddressForm form={form} title="New address" action={c.req.path} />);
  })
  .post("/account/addresses/new", (c) =>
    save(c, async (body) => {
      await me(c).POST("/api/v1/user/account/addresses", { body });
      return tell(c, "The address is added.", BOOK);
    }),
  )
  .get("/account/addresses/:id{[0-9]+}", async (c) => {
    const { data } = await me(c).GET("/api/v1/user/account/addresses/{id}", { params: pathOf(c) });
    const form = formFor(await takeForm(c), c.req.path, valuesOf(data));
    return accountPage(c, "Edit address", <AddressForm form={form} title="Edit address" action={c.req.path} />);
  })
  .post("/account/addresses/:id{[0-9]+}", (c) =>
    save(c, async (body) => {
      await me(c).PUT("/api/v1/user/account/addresses/{id}", { params: pathOf(c), body });
      return tell(c, "The address is saved.", BOOK);
    }),
  )
  .post("/account/addresses/:id{[0-9]+}/default", (c) =>
    unlessRefused(c, BOOK, async () => {
      await me(c).PUT("/api/v1/user/account/addresses/{id}", { params: pathOf(c), body: { default: true } });
      return tell(c, "The default address is changed.", BOOK);
    }),
  )
  .post("/account/addresses/:id{[0-9]+}/delete", (c) =>
    unlessRefused(c, BOOK, async () => {
      await me(c).DELETE("/api/v1/user/account/addresses/{id}", { params: pathOf(c) });
      return tell(c, "The address is deleted.", BOOK);
    }),
  );

const pathOf = (c: ShopContext) => ({ path: { id: Number(c.req.param("id")) } });

/** The country of the request, as reported by Cloudflare. */
function countryOf(c: ShopContext): string {
  const code = c.req.header("CF-IPCountry") ?? "";
  return countries.some((country) => country.code === code) ? code : "";
}

const optional = ["company", "address2", "zip", "region", "phone"] as const;

function valuesOf({ name, address, city, country, default: isDefault, ...others }: Schema["AccountAddress"]) {
  const rest = optional.map((part) => [part, others[part] ?? ""]);
  return { name, address, city, country: country ?? "", default: isDefault ? "yes" : "", ...Object.fromEntries(rest) };
}

/** Saves the address of a form, or shows the form for the chosen country. */
async function save(
  c: ShopContext,
  write: (body: Schema["AddressCreate"] & Schema["AddressUpdate"]) => Promise<Response>,
): Promise<Response> {
  const values: Form["values"] = await fieldsOf(c);
  if (values.update !== undefined) return showAgain(c, c.req.path, { values, errors: {} });
  const { name = "", address = "", city = "", country = "" } = values;
  const rest = optional.map((part) => [part, values[part] || null]);
  const body = { name, address, city, country: country || null, default: values.default === "yes" };
  return orShowAgain(c, c.req.path, values, () => write({ ...body, ...Object.fromEntries(rest) }));
}
