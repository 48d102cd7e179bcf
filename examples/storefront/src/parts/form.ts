import type { ShopContext } from "../env.ts";

/** Values of a form, and the API's errors by field. The form's fields have the names of the API's. */
export type Form = { values: Record<string, string>; errors: Record<string, string[]>; message?: string };

/** Text fields of a submitted form. */
export async function fieldsOf(c: ShopContext): Promise<Record<string, string>> {
  const body = await c.req.parseBody();
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}
