import * as z from "zod";
import { Occasion, occasionFacts, sampleOccasion } from "./occasion.ts";
import { template } from "./template.ts";

export const passwordReset = template({
  page: "reset",
  params: z.strictObject({}),
  sample: {},
  content: ({ shop }) => ({
    subject: `Choose a new password for ${shop}`,
    blocks: [
      `Somebody, probably you, asked for a new password for your account at ${shop}.`,
      { link: "Reset your password" },
      "The link works once, for 30 minutes, and only the newest one does.",
      "If you did not ask for it, ignore this e-mail: your password stays as it is.",
    ],
  }),
});

export const passwordChanged = template({
  page: null,
  params: Occasion,
  sample: sampleOccasion,
  content: ({ shop }, occasion) => ({
    subject: `Your password for ${shop} was changed`,
    blocks: [
      `The password of your account at ${shop} was changed, and every other session was ended.`,
      { facts: occasionFacts(occasion) },
      "If it was not you, ask for a new password at once, and tell us.",
    ],
  }),
});
