import * as z from "zod";
import { formatMoney } from "../../../domain/money.ts";
import { template } from "./template.ts";

/** Amount in minor units, as of sending. */
export const draftSent = template({
  page: "draft",
  params: z.object({
    total: z.int(),
    currency: z.string(),
    items: z.array(z.object({ name: z.string(), quantity: z.int() })),
  }),
  sample: { total: 31350, currency: "USD", items: [{ name: "Waxed Canvas Satchel", quantity: 2 }] },
  content: ({ shop }, { total, currency, items }) => ({
    subject: `Your order at ${shop} is ready to confirm`,
    blocks: [
      `${shop} has prepared an order for you.`,
      {
        lines: items.map(({ name, quantity }) => ({ text: `${quantity} × ${name}` })),
        totals: [{ text: "Total", amount: formatMoney(total, currency) }],
      },
      { link: "Review and confirm" },
      "Nothing is reserved or charged until you confirm. The link works for 30 days.",
    ],
  }),
});
