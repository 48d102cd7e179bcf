import { anAdmin } from "./administration.ts";
import { call } from "./call.ts";
import { money } from "./money.ts";

// Settings of a shop, made by administrators in tests. No two tests may use the same place.

/** The token of an administrator that the tests of a file share. */
export const asAdministrator = async () => (await anAdmin()).token;

async function made(path: string, body: Record<string, unknown>) {
  const answer = await call(`POST /admin/${path}`, { as: await asAdministrator(), body });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body.data;
}

let zones = 0;

export const aZone = (fields: Record<string, unknown> = {}) =>
  made("shipping-zones", { name: `Zone ${++zones}`, ...fields });

export const aMethod = async (fields: Record<string, unknown> = {}) =>
  made("shipping-methods", {
    zone_id: fields.zone_id ?? (await aZone()).id,
    name: "Parcel",
    kind: "flat_rate",
    price: money(4.9),
    ...fields,
  });

let rates = 0;

export const aTaxRate = (fields: Record<string, unknown> = {}) =>
  made("tax-rates", { name: `VAT ${++rates}`, country: "DE", rate: 19, ...fields });

export const aFeedBody = (fields: Record<string, unknown> = {}) => ({
  name: "Products",
  format: "google",
  country: "DE",
  product_url: "https://lamps.example/products/{id}",
  ...fields,
});

export const aFeed = (fields: Record<string, unknown> = {}) => made("feeds", aFeedBody(fields));
