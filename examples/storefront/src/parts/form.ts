import type { ShopContext } from "../env.ts";

/** Values of a form, and the API's errors by field. Fields have the API's names. */
export type Form = { values: Record<string, string>; errors: Record<string, string[]>; message?: string };

/** Text fields of a submitted form. */
export async function fieldsOf(c: ShopContext): Promise<Record<string, string>> {
  const body = await c.req.parseBody();
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}
