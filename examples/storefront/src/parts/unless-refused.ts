import { StorefrontError } from "storefront/client";
import type { ShopContext } from "../env.ts";
import { tell } from "../told.ts";

/** Does what a form asks for. What the API says is wrong with it is told on the page that the form is on. */
export async function unlessRefused(c: ShopContext, path: string, act: () => Promise<Response>): Promise<Response> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof StorefrontError) || ![400, 404, 409].includes(error.status)) throw error;
    const reasons = Object.entries(error.errors).map(([field, messages]) => `${field} ${messages.join(", ")}`);
    return tell(c, `${[error.message, ...reasons].join(": ")}.`, path);
  }
}
