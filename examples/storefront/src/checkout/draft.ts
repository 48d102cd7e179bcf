import * as z from "zod";
import { dropCookie } from "../cookies.ts";
import type { ShopContext } from "../env.ts";
import type { Values } from "../parts/form.ts";
import { fitting, readSealedCookie, writeSealedCookie } from "../sealed-cookies.ts";
import { fewest, type Problem, Problems } from "./problems.ts";

// A started checkout is stored in three sealed cookies, so that every form is answered by a redirect and no input is
// lost.

const KEPT_SECONDS = 2 * 60 * 60;

const fields = [
  "customer.email",
  "asked_email",
  "customer.name",
  "asked",
  "address_id",
  "save_address",
  "other_billing",
  "shipping_method",
  "payment_method",
  "discount_codes",
  "discount_code",
];

const addressFields = (prefix: "address" | "billing"): string[] =>
  ["country", "name", "company", "address", "address2", "city", "region", "zip", "phone"].map(
    (part) => `${prefix}.${part}`,
  );

/**
 * Maximum bytes of values in each cookie: the longest address in any script fits into its own. Problems are stored with
 * the other fields.
 */
const MOST_BYTES = { fields: 1_700, address: 2_900 };

const Fields = z.record(z.string(), z.string()).catch({});

export type Draft = {
  /** The form's fields by name. */
  values: Values;
  /** The reasons why the form was refused, for the next page only. */
  problems: Problem[];
  /** Idempotency-Key of an order request that got no response: the order may have been placed. */
  attempt?: string | undefined;
  /** Id of the order that was placed. */
  placed?: number | undefined;
};

const Kept = z.object({
  values: Fields,
  problems: Problems.default([]),
  attempt: z.string().optional(),
  placed: z.int().optional(),
});

export async function readDraft(c: ShopContext): Promise<Draft | null> {
  const { data } = Kept.safeParse(await readSealedCookie(c, "shop-checkout"));
  if (!data) return null;
  const [address, billing] = await Promise.all([
    readSealedCookie(c, "shop-address"),
    readSealedCookie(c, "shop-billing"),
  ]);
  return { ...data, values: { ...data.values, ...Fields.parse(address), ...Fields.parse(billing) } };
}

export async function writeDraft(c: ShopContext, { values, problems, ...others }: Draft): Promise<void> {
  const kept = { ...others, problems: fewest(problems), values: cut(values, fields, MOST_BYTES.fields) };
  const addressOf = (prefix: "address" | "billing") => cut(values, addressFields(prefix), MOST_BYTES.address);
  await writeSealedCookie(c, "shop-checkout", kept, KEPT_SECONDS);
  await writeSealedCookie(c, "shop-address", addressOf("address"), KEPT_SECONDS);
  if (values.other_billing) await writeSealedCookie(c, "shop-billing", addressOf("billing"), KEPT_SECONDS);
}

export function forgetDraft(c: ShopContext): void {
  for (const name of ["shop-checkout", "shop-address", "shop-billing"] as const) dropCookie(c, name);
}

/** The fields of a form that are stored, as far as they fit. */
const cut = (values: Values, names: readonly string[], mostBytes: number): Values =>
  fitting(Object.fromEntries(names.flatMap((name) => (values[name] ? [[name, values[name]]] : []))), mostBytes);
