import type { ShopContext } from "../env.ts";

/** Fields of a form by name. */
export type Values = Record<string, string>;

/** Values of a form, and the API's errors by field. Fields have the API's names. */
export type Form = { values: Values; errors: Record<string, string[]>; message?: string };

/** Text fields of a submitted form. */
export async function fieldsOf(c: ShopContext): Promise<Values> {
  const body = await c.req.parseBody();
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}
