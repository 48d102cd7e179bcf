import { StorefrontError } from "storefront/client";
import type { ShopContext } from "../env.ts";
import { tell } from "../told.ts";

/** Performs a form's action. If the API refuses it, the form's page shows the reason. */
export async function unlessRefused(c: ShopContext, path: string, act: () => Promise<Response>): Promise<Response> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof StorefrontError) || ![400, 404, 409].includes(error.status)) throw error;
    const reasons = Object.entries(error.errors).map(([field, messages]) => `${field} ${messages.join(", ")}`);
    return tell(c, `${[error.message, ...reasons].join(": ")}.`, path);
  }
}
