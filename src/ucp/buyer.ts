import type { SessionContent } from "../checkout/orders/sessions/content.ts";
import type { UpdateCheckout } from "./requests.ts";

/** The buyer of a session and their consents, from a request that names one. */
export function buyerContent({ buyer }: Pick<UpdateCheckout, "buyer">): Partial<SessionContent> {
  if (!buyer) return {};
  const { phone_number: phone, consent, ...rest } = buyer;
  return { buyer: { ...rest, phone }, consent };
}

export function buyerOfSession({ buyer, consent }: SessionContent) {
  const { phone, ...rest } = buyer;
  const shown = { ...rest, ...(phone !== undefined && { phone_number: phone }), ...(consent && { consent }) };
  return Object.keys(shown).length > 0 ? { buyer: shown } : {};
}
