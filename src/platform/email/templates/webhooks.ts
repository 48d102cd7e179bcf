import * as z from "zod";
import { pauseReasons } from "../../db/schema.ts";
import { template } from "./template.ts";

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
