import * as z from "zod";
import { Occasion, occasionFacts, sampleOccasion } from "./occasion.ts";
import { template } from "./template.ts";

const NOT_YOU = "If it was not you, ignore this e-mail: nothing happens without the link.";

export const emailVerification = template({
  page: "verify",
  params: z.strictObject({}),
  sample: {},
  content: ({ shop }) => ({
    subject: `Verify your e-mail address for ${shop}`,
    blocks: [
      `Somebody, probably you, opened an account at ${shop} with this address.`,
      { link: "Verify this address" },
      "The link works once, for 72 hours.",
      NOT_YOU,
    ],
  }),
});

export const emailChange = template({
  page: "confirm",
  params: z.strictObject({}),
  sample: {},
  content: ({ shop }) => ({
    subject: `Confirm your new e-mail address for ${shop}`,
    blocks: [
      `Somebody, probably you, wants to use this address for an account at ${shop}. Until you confirm it, the account keeps the one that it has.`,
      { link: "Confirm this address" },
      "The link works once, for 24 hours.",
      NOT_YOU,
    ],
  }),
});

export const emailProposed = template({
  page: "confirm",
  params: z.strictObject({ newEmail: z.string() }),
  sample: { newEmail: "new@example.com" },
  content: ({ shop }, { newEmail }) => ({
    subject: `Approve a new e-mail address for ${shop}`,
    blocks: [
      `${shop} was asked to change the e-mail address of your account. Nothing changes until you approve it.`,
      { facts: { "New address": newEmail } },
      { link: "Approve this address" },
      "The link works once, for 72 hours.",
      "If you did not ask for this, ignore this e-mail. Anyone who reads the new address could sign in to your account.",
    ],
  }),
});

export const emailChanged = template({
  page: "revert",
  params: z.strictObject({ ...Occasion.shape, newEmail: z.string() }),
  sample: { ...sampleOccasion, newEmail: "new@example.com" },
  content: ({ shop }, { newEmail, ...occasion }) => ({
    subject: `Your e-mail address for ${shop} was changed`,
    blocks: [
      `Your account at ${shop} has another e-mail address from now on. We will write to that one.`,
      { facts: { "New address": newEmail, ...occasionFacts(occasion) } },
      "If it was not you, go back to this address: every session ends, the password does not work any more, and you choose a new one.",
      { link: "Go back to this address" },
      "The link works once, for 72 hours.",
    ],
  }),
});
