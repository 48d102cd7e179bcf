import {
  type Discount,
  dependsOnBuyer,
  type ProductFacts,
  remember,
  rememberedDiscount,
  rememberedExemption,
  rememberedProduct,
  rememberedRules,
} from "../../pricing/public.ts";
import { addressIdsOf, type OrderDraft } from "./draft.ts";
import type { OrderState } from "./order-state.ts";
import type { PricingFacts } from "./pricing-facts.ts";

/** What an order is priced from if this isolate has read all of it before; undefined where something has to be read. */
export function rememberedFacts(draft: OrderDraft): PricingFacts | undefined {
  const rules = rememberedRules();
  const discounts = new Map<string, Discount>();
  for (const code of draft.discountCodes) {
    const discount = rememberedDiscount(code);
    if (!discount) return undefined;
    discounts.set(code, discount);
  }
  const products = new Map<number, ProductFacts>();
  const isPlain = rules.version === "" && discounts.size === 0;
  for (const { productId } of isPlain ? [] : draft.lines) {
    const product = rememberedProduct(productId);
    if (!product) return undefined;
    products.set(productId, product);
  }
  const depends = rules.discounts.some(dependsOnBuyer) || (!isPlain && addressIdsOf(draft).length > 0);
  if (depends) return undefined;
  const accountExemption = draft.userId === null ? null : rememberedExemption(draft.userId);
  return { rules, products, discounts, history: undefined, addressBook: new Map(), accountExemption };
}

/** The facts as they were just read, which the isolate remembers. Nobody is told of a product that is not for sale, nor by a price. */
export function readFacts({ userId }: Pick<OrderDraft, "userId">, state: OrderState): PricingFacts {
  const { rules, discounts, history, addressBook, user } = state;
  const products = new Map([...state.products].filter(([, { status }]) => status === "active"));
  const accountExemption = user?.taxExemptReason ?? null;
  const exemption = userId === null ? undefined : { userId, reason: accountExemption };
  remember({ rules, products, discounts, exemption });
  const byCode = new Map(discounts.flatMap((discount) => (discount.code === null ? [] : [[discount.code, discount]])));
  return { rules, products, discounts: byCode, history, addressBook, accountExemption };
}
