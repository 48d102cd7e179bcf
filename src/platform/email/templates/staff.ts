import * as z from "zod";
import { formatMoment } from "../../../domain/moment.ts";
import { pauseReasons } from "../../db/schema.ts";
import { linkTo, template } from "./template.ts";

/** Products with low or no stock. `others` is the number not listed. */
export const lowStock = template({
  page: null,
  params: z.object({
    products: z.array(z.object({ name: z.string(), sku: z.string(), left: z.int() })),
    others: z.int(),
  }),
  sample: {
    products: [
      { name: "Waxed Canvas Satchel", sku: "CAR-403", left: 0 },
      { name: "Pocket Notebook, ruled", sku: "PAP-112", left: 4 },
    ],
    others: 0,
  },
  content: ({ shop, panelUrl }, { products, others }) => ({
    subject: `Stock runs low at ${shop}`,
    blocks: [
      "Since the last e-mail about the stock, few pieces were left of these products, or none:",
      {
        lines: products.map(({ name, sku, left }) => ({
          text: `${name} (${sku})`,
          amount: left > 0 ? `${left} left` : "sold out",
        })),
      },
      ...(others > 0 ? [`And of ${others} more.`] : []),
      ...linkTo("See the stock", panelUrl("/products?low_stock=true&sort=stock")),
    ],
  }),
});

export const apiKeyExpiring = template({
  page: null,
  params: z.object({ id: z.int(), name: z.string(), expiresAt: z.string() }),
  sample: { id: 3, name: "Shop window", expiresAt: "2030-02-07T12:00:00.000Z" },
  content: ({ shop, panelUrl }, { id, name, expiresAt }) => ({
    subject: `An API key of ${shop} expires soon`,
    blocks: [
      "Within a week this key stops working, and whatever calls the API with it:",
      { facts: { Key: name, Expires: formatMoment(Date.parse(expiresAt)) } },
      "Give it a later end, or rotate it and tell whoever uses it.",
      ...linkTo("See the key", panelUrl(`/api-keys/${id}`)),
    ],
  }),
});

const why = {
  failing: "Nothing that was sent to it in the last five days has arrived.",
  gone: "It answered 410: it is gone for good.",
};

export const webhookPaused = template({
  page: null,
  params: z.strictObject({ url: z.string(), reason: z.enum(pauseReasons) }),
  sample: { url: "https://example.com/webhooks", reason: "failing" },
  content: ({ shop }, { url, reason }) => ({
    subject: `A webhook of ${shop} was paused`,
    blocks: [
      "This webhook gets no more events:",
      { facts: { Address: url } },
      why[reason],
      "Nothing is lost for 30 days: enable it in the panel, and it gets all that has happened meanwhile.",
    ],
  }),
});
