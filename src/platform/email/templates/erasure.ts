import * as z from "zod";
import { template } from "./template.ts";

export const erasureRequested = template({
  page: null,
  params: z.strictObject({}),
  sample: {},
  content: ({ shop }) => ({
    subject: `Your account at ${shop} will be erased`,
    blocks: [
      `Your account at ${shop} was signed out everywhere, and its personal data will be erased in seven days.`,
      "Until then you can undo it: sign in again and choose to keep your account.",
      "If it was not you, do so at once, change your password, and tell us.",
    ],
  }),
});
