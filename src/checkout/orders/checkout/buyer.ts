import { hashSecret } from "../../../platform/auth/secrets.ts";
import type { Buyer } from "../../pricing/public.ts";
import type { CheckoutDraft } from "./draft.ts";

/** Who counts as one customer of a discount: an account, or a guest's e-mail address, of which a hash is enough. */
export function buyerOf({ userId, customer }: Pick<CheckoutDraft, "userId" | "customer">): Buyer {
  const email = customer?.email ?? null;
  const guest = email === null ? null : `guest:${hashSecret(email)}`;
  return { userId, email, customer: userId === null ? guest : `user:${userId}` };
}
