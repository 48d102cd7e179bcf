import { StorefrontError } from "@storefront-worker/api/client";
import type { ShopContext } from "../env.ts";
import { tellRefusal } from "../told.ts";
import { failureOf } from "./failure.ts";

/** Performs a form's action. If it fails, the form's page shows the reason, and going back submits no form twice. */
export async function unlessRefused(c: ShopContext, path: string, act: () => Promise<Response>): Promise<Response> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof StorefrontError && [400, 404, 409].includes(error.status))
      return tellRefusal(c, reasonOf(error), path);
    const failure = failureOf(error);
    if (failure === null) throw error;
    return tellRefusal(c, failure, path);
  }
}

/** Codes whose messages are about a product instead of a field. */
const ofProducts = new Set(["not_for_sale", "insufficient_stock", "cart_full"]);

function reasonOf({ message, errors, details }: StorefrontError): string {
  if (details.some(({ code }) => code === "choose_variant")) return "Choose one of the variants.";
  const reasons = Object.entries(errors).map(([field, messages]) => {
    const isOfProduct = details.some((detail) => detail.field === field && ofProducts.has(detail.code));
    return `${isOfProduct ? "This product" : capital(field.replaceAll("_", " "))} ${messages.join(", ")}`;
  });
  return `${reasons.join(". ") || message}.`;
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
