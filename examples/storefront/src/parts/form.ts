import type { ShopContext } from "../env.ts";

/** What was typed into a form, and what the API said of it: its names of fields are ours. */
export type Form = { values: Record<string, string>; errors: Record<string, string[]>; message?: string };

/** The fields of a form that was sent; a file is none. */
export async function fieldsOf(c: ShopContext): Promise<Record<string, string>> {
  const body = await c.req.parseBody();
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}
