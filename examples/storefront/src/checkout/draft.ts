import * as z from "zod";
import { dropCookie } from "../cookies.ts";
import type { ShopContext } from "../env.ts";
import { readSealedCookie, writeSealedCookie } from "../sealed-cookies.ts";
import { type Problem, Problems } from "./problems.ts";

// A started checkout is kept in two sealed cookies, so that every form is answered by a redirect and nothing typed is lost.

const KEPT_SECONDS = 2 * 60 * 60;

/** Most characters of each field that is kept. */
const lengths: Record<string, number> = {
  "customer.email": 254,
  "customer.name": 100,
  asked: 20,
  address_id: 20,
  save_address: 3,
  shipping_method: 20,
  payment_method: 20,
  discount_codes: 440,
  discount_code: 440,
};

const addressLengths: Record<string, number> = {
  "address.country": 2,
  "address.name": 100,
  "address.company": 100,
  "address.address": 200,
  "address.address2": 200,
  "address.city": 100,
  "address.region": 100,
  "address.zip": 20,
  "address.phone": 40,
};

export type Values = Record<string, string>;

export type Draft = {
  /** The form's fields by name. */
  values: Values;
  /** Why the form was refused, for the next page only. */
  problems: Problem[];
  /** Idempotency-Key of an order request that got no response: the order may have been placed. */
  attempt?: string | undefined;
  /** Id of the order that was placed. */
  placed?: number | undefined;
};

const Kept = z.object({
  values: z.record(z.string(), z.string()),
  problems: Problems.default([]),
  attempt: z.string().optional(),
  placed: z.int().optional(),
});

export async function readDraft(c: ShopContext): Promise<Draft | null> {
  const [kept, address] = await Promise.all([
    readSealedCookie(c, "shop-checkout"),
    readSealedCookie(c, "shop-address"),
  ]);
  const { data } = Kept.safeParse(kept);
  if (!data) return null;
  return { ...data, values: { ...data.values, ...z.record(z.string(), z.string()).catch({}).parse(address) } };
}

export async function writeDraft(c: ShopContext, { values, ...others }: Draft): Promise<void> {
  const kept = { ...others, values: cut(values, lengths) };
  await writeSealedCookie(c, "shop-checkout", kept, KEPT_SECONDS);
  await writeSealedCookie(c, "shop-address", cut(values, addressLengths), KEPT_SECONDS);
}

export function forgetDraft(c: ShopContext): void {
  dropCookie(c, "shop-checkout");
  dropCookie(c, "shop-address");
}

/** The fields of a form that are kept, none longer than a browser would let it be. */
const cut = (values: Values, most: Record<string, number>): Values =>
  Object.fromEntries(
    Object.entries(most).flatMap(([name, length]) => {
      const value = values[name]?.toWellFormed().slice(0, length);
      return value ? [[name, value]] : [];
    }),
  );
